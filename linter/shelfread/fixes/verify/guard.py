"""Guard the fixes of one document: none that leaves a new flaw, none safe at the border of an uncertain field."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache

from shelfread.core.diagnostics import Applicability, Change, Diagnostic, Edit, Fix, Span
from shelfread.document.model import Document, Entry
from shelfread.fixes.verify.flaws import find_new_flaw

_AT_BORDERS = frozenset({Change.MARKUP, Change.WORDS, Change.REMOVED})


def guard_fixes(found: Iterable[Diagnostic], document: Document) -> Iterator[Diagnostic]:
    """Yield findings without the fixes that would spoil their lines; at a border that is a guess they are unsafe."""

    @cache
    def borders() -> list[int]:
        return sorted(set(_uncertain_borders(document.entries)))

    text = document.source.text
    for finding in found:
        fix = finding.fix
        if fix is None:
            yield finding
        elif find_new_flaw(text, fix.edits):
            yield finding._replace(fix=None)
        elif fix.applicability is Applicability.SAFE and _touches_border(fix, text, borders):
            yield finding._replace(fix=Fix(fix.edits, Applicability.UNSAFE))
        else:
            yield finding


def _uncertain_borders(entries: Sequence[Entry]) -> Iterator[int]:
    """Yield where the fields of entries begin and end that are guessed or uncertain."""
    for entry in entries:
        if entry.guessed or entry.uncertain:
            for span in _uncertain_spans(entry):
                yield from (
                    offset for offset in span if entry.title_line.start < offset < entry.title_line.end
                )


def _uncertain_spans(entry: Entry) -> Iterator[Span]:
    doubted = entry.guessed | entry.uncertain
    single = {
        "title": entry.title,
        "name": entry.name,
        "venue": entry.citation,
        "description": entry.description,
    }
    for name, field in single.items():
        if field is not None and name in doubted:
            yield field.span
    for name, fields in (("authors", entry.authors), ("affiliations", entry.affiliations)):
        if fields and name in doubted:
            yield Span(fields[0].span.start, fields[-1].span.end)


def _touches_border(fix: Fix, text: str, borders: Callable[[], Sequence[int]]) -> bool:
    """Return whether an edit of more than spaces touches a border.

    What repairs a structure or removes whole lines touches none: after it the lines are read anew.
    """
    if any(edit.effect.change is Change.STRUCTURE for edit in fix.edits):
        return False
    return any(edit.effect.change in _AT_BORDERS and _is_at(edit, text, borders()) for edit in fix.edits)


def _is_at(edit: Edit, text: str, borders: Sequence[int]) -> bool:
    removed = text[edit.start : edit.end]
    if "\n" in removed or (not edit.text.strip() and not removed.strip()):
        return False
    index = bisect_left(borders, edit.start)
    return index < len(borders) and borders[index] <= edit.end
