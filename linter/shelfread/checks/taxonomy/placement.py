"""The rule `taxonomy/placement`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from shelfread.core.diagnostics import RawDiagnostic, RawDiagnostics, Severity
from shelfread.document.heading_subjects import resolve_section
from shelfread.document.identity import fold_title, identity_keys
from shelfread.document.model import Document, Entry
from shelfread.index.context import BaseProject, RuleContext
from shelfread.index.pages import has_subjects
from shelfread.index.placement.misplaced import (
    DOUBTED,
    UNLIKE,
    WRONG,
    Misplaced,
    SectionMoves,
    find_misplaced,
)
from shelfread.taxonomy.taxonomy import Taxonomy

_LIKELY = 0.5  # from this share on, an entry is said to belong in a section; below, only where it may


def placement(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report entries that seem to belong in another section."""
    if not context.taxonomy.concepts or not has_subjects(document, context):
        return
    touched, new = _of_the_change(document, context.base)
    moves = SectionMoves(document)
    found = [
        misplaced
        for misplaced in find_misplaced(document, touched, UNLIKE if new else WRONG)
        if (misplaced.entry in new or misplaced.doubt >= WRONG)
        and not _are_related(document, misplaced, context.taxonomy)
    ]
    # Where nothing is doubted, one entry is named that is unlike its section: of several, one is likely to be a false alarm.
    least = min(DOUBTED, max((misplaced.doubt for misplaced in found), default=0.0))
    names = document.short_paths() if found else []
    for misplaced in (each for each in found if each.doubt >= least):
        title, places = document.entries[misplaced.entry].title, misplaced.places
        is_doubted = misplaced.doubt >= DOUBTED
        is_likely = is_doubted and places[0].share >= _LIKELY
        near = (f"'{names[each.section]}' ({each.surety()})" for each in places)
        values = {"title": title.value, "own": names[misplaced.section], "nearest": " or ".join(near)}
        edits = moves.edits(misplaced.entry, places[0].section) if is_likely else ()
        severity = Severity.WARNING if is_doubted and misplaced.entry in new else Severity.INFO
        message = "likely" if is_likely else "unlike"
        yield RawDiagnostic(title.span, values, edits, False, severity, message)


def _are_related(document: Document, misplaced: Misplaced, taxonomy: Taxonomy) -> bool:
    """Return whether the taxonomy knows one of the two sections as the other, or as broader than it."""
    here, there = (
        {label.concept for label in resolve_section(document, index, taxonomy).subjects}
        for index in (misplaced.section, misplaced.places[0].section)
    )
    return any(
        one == other or one in taxonomy.ancestors(other) or other in taxonomy.ancestors(one)
        for one in here
        for other in there
    )


def _of_the_change(document: Document, base: BaseProject | None) -> tuple[list[int] | None, frozenset[int]]:
    """Return the entries on lines that the change touched, and those of them that it added, or moved to their section.

    In a new file, and in a new section, none is added: who starts one knows what it collects. Without a change, any
    entry may be touched.
    """
    if base is None:
        return None, frozenset()
    path = document.source.path or ""
    changed = base.changed_lines.get(path, ())
    touched = [
        index for index, entry in enumerate(document.entries) if any(changed[entry.line - 1 : entry.line])
    ]
    before = base.text(document) if touched else None
    if before is None:
        return touched, frozenset()
    stood = set(chain.from_iterable(_listed(before.document, entry) for entry in before.document.entries))
    new_sections = {
        index
        for index, section in enumerate(document.sections)
        if any(changed[section.line - 1 : section.line])
    }
    new = (index for index in touched if stood.isdisjoint(_listed(document, document.entries[index])))
    return touched, frozenset(index for index in new if document.entries[index].section not in new_sections)


def _listed(document: Document, entry: Entry) -> Iterator[tuple[str, tuple[str, ...]]]:
    section = document.sections[entry.section].path if entry.section is not None else ()
    title = fold_title(entry.title.value)
    yield from ((key, section) for key in (title, *identity_keys(entry, title)))
