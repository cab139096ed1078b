"""The rule `taxonomy/placement`."""

from __future__ import annotations

from collections.abc import Sequence

from shelfread.core.diagnostics import Applicability, Edit, RawDiagnostic, RawDiagnostics, Severity
from shelfread.document.identity import fold_title, identity_keys
from shelfread.document.model import Document, Entry
from shelfread.index.context import RuleContext
from shelfread.index.order.moves import RunLines
from shelfread.index.order.runs import runs
from shelfread.index.placement.misplaced import Misplaced, find_misplaced
from shelfread.index.subject_pages import has_subjects


def placement(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report entries whose title, venue or links are those of entries in another section."""
    if not context.taxonomy.concepts or not has_subjects(document, context):
        return
    for misplaced in find_misplaced(document, context.taxonomy):
        entry, found = document.entries[misplaced.entry], misplaced.placement
        values = {
            "title": entry.title.value,
            "section": document.sections[found.section].title,
            "term": misplaced.term.words,
            "field": misplaced.term.field,
            "count": found.inside,
            "total": found.total,
        }
        severity = Severity.WARNING if _is_new(document, entry, context) else Severity.INFO
        edits = _move(document, misplaced)
        yield RawDiagnostic(entry.title.span, values, edits, Applicability.UNSAFE, severity)


def _is_new(document: Document, entry: Entry, context: RuleContext) -> bool:
    """Return whether the change since the base commit added an entry to a file that existed."""
    if context.base is None:
        return False
    path = document.source.path or ""
    changed = context.base.changed_lines.get(path, ())
    if context.base.paths.get(path) is None or not any(changed[entry.line - 1 : entry.line]):
        return False
    before = context.base.context.project.duplicates.times
    return not any(before[key] for key in identity_keys(entry, fold_title(entry.title.value)))


def _move(document: Document, misplaced: Misplaced) -> tuple[Edit, ...]:
    """Return edits that move an entry to the end of the list of its section.

    There are none for rows of tables, numbered lists, and sections with several lists or lists of another form.
    """
    entry = document.entries[misplaced.entry]
    section = misplaced.placement.section
    all_runs = runs(document, 1)
    here = next((run for run in all_runs if any(other is entry for other in run)), None)
    there = [run for run in all_runs if any(other.section == section for other in run)]
    if here is None or len(there) != 1 or any(other.section != section for other in there[0]):
        return ()
    target = there[0]
    if not _are_alike(document, entry, target):
        return ()
    lines, target_lines = RunLines(document.source, here), RunLines(document.source, target)
    if not lines.have_own_lines() or not target_lines.have_own_lines():
        return ()
    place = next(index for index, other in enumerate(here) if other is entry)
    edits = (
        target_lines.insertion(len(target) - 1, None, [lines.text_of(place, None)]),
        lines.removal(place, {place}),
    )
    return tuple(sorted(edits))


def _are_alike(document: Document, entry: Entry, run: Sequence[Entry]) -> bool:
    """Return whether an entry can stand in a list as it is: an item with the same bullet and indentation."""
    other, text = run[0], document.source.text

    def indentation(each: Entry) -> str:
        return text[document.source.starts[each.block.first] : each.block.start]

    return (
        entry.block.kind == other.block.kind == "item"
        and entry.block.marker == other.block.marker
        and entry.block.marker in ("-", "*", "+")
        and entry.dialect == other.dialect
        and indentation(entry) == indentation(other)
    )
