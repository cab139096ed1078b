"""Which fixes can be applied, which of them together, and the text after their edits."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple, TypeAlias

from shelfread.core.diagnostics import (
    Applicability,
    Change,
    Diagnostic,
    Edit,
    Span,
    apply_edits,
    find_overlapping,
)
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.markdown.node import Tree

MAX_ROUNDS = 10  # how many times a text is fixed and read again at most

_OPAQUE = "it would change code, a comment or another part that is never edited"
_OVERLAP = "its own edits overlap, or are outside the text"
_NO_CHANGE = "it changes nothing"

# What identifies a fix: its rule, where its diagnostic begins, and what it writes.
FixKey: TypeAlias = tuple[str, int, tuple[str, ...]]


class FixState(NamedTuple):
    """A text, its syntax tree and its diagnostics."""

    source: Source
    tree: Tree
    diagnostics: list[Diagnostic]


def find_applicable(
    state: FixState, least: Applicability, rejected: Mapping[FixKey, str], unsettled: Mapping[str, str]
) -> list[tuple[Diagnostic, str | None]]:
    """Return the diagnostics with a fix that is safe enough, each with the reason, known by fix or rule, if it cannot be applied."""
    return [
        (
            diagnostic,
            unsettled.get(diagnostic.rule)
            or rejected.get(fix_key(diagnostic))
            or why_inapplicable(state, edits_of(diagnostic)),
        )
        for diagnostic in state.diagnostics
        if diagnostic.fix and diagnostic.fix.edits and diagnostic.fix.applicability >= least
    ]


def edits_of(diagnostic: Diagnostic) -> tuple[Edit, ...]:
    return diagnostic.fix.edits if diagnostic.fix else ()


def fix_key(diagnostic: Diagnostic) -> FixKey:
    """Return what identifies a diagnostic's fix in its text."""
    return diagnostic.rule, diagnostic.span.start, tuple(edit.text for edit in edits_of(diagnostic))


def shift_keys(rejected: Mapping[FixKey, str], edits: Sequence[Edit]) -> dict[FixKey, str]:
    """Return rejected fixes with their keys in the text after these edits."""
    ends = [edit.end for edit in edits]
    shifts = list(accumulate((len(edit.text) - edit.end + edit.start for edit in edits), initial=0))
    return {
        (rule, start + shifts[bisect_right(ends, start)], texts): reason
        for (rule, start, texts), reason in rejected.items()
    }


def why_inapplicable(state: FixState, edits: Iterable[Edit]) -> str | None:
    """Return why a fix's edits of one file cannot be made, or None if they can."""
    text = state.source.text
    ordered = sorted(edits, key=lambda edit: edit[:2])
    ends = [0, *(edit.end for edit in ordered)]
    if any(not end <= edit.start <= edit.end <= len(text) for end, edit in zip(ends, ordered, strict=False)):
        return _OVERLAP
    if all(text[edit.start : edit.end] == edit.text for edit in ordered):
        return _NO_CHANGE
    if any(_edits_opaque(edit, state.tree.protected, text) for edit in ordered):
        return _OPAQUE
    return None


def _edits_opaque(edit: Edit, opaque: Sequence[Span], text: str) -> bool:
    """Return whether an edit changes an opaque span; moving or removing a whole span is no change."""
    removes = edit.effect.change in (Change.MOVED, Change.REMOVED)
    return any(
        not (edit.start <= start and end <= edit.end and (removes or text[start:end] in edit.text))
        for start, end in find_overlapping(opaque, edit.start, edit.end)
    )


def first_offset(diagnostic: Diagnostic) -> int:
    """Return where the first edit of a diagnostic's fix begins."""
    return min(edit.start for edit in edits_of(diagnostic))


def without_overlaps(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return diagnostics whose fixes can be applied together; preferred are severe and early ones."""
    chosen: list[Diagnostic] = []
    taken: set[Edit] = set()
    spans: list[tuple[int, int]] = []
    for diagnostic in sorted(diagnostics, key=lambda each: (-each.severity, first_offset(each), each.rule)):
        new = set(edits_of(diagnostic)) - taken  # an edit of two fixes is made once
        if any(overlaps(edit, spans) for edit in new):
            continue
        chosen.append(diagnostic)
        taken |= new
        for edit in new:
            insort(spans, edit[:2])
    return sorted(chosen, key=first_offset)


def overlaps(edit: Edit, sorted_spans: Sequence[tuple[int, int]]) -> bool:
    """Return whether an edit overlaps one of the spans; an insertion also if it only touches one."""
    start, end = edit[:2]
    index = bisect_left(sorted_spans, (start, end))
    return any(
        other[0] <= end and start <= other[1]
        if start == end or other[0] == other[1]
        else other[0] < end and start < other[1]
        for other in sorted_spans[max(0, index - 2) : index + 1]
    )


_BARE_LF = lazy(r"(?<!\r)\n")


def collect_edits(source: Source, diagnostics: Iterable[Diagnostic]) -> list[Edit]:
    """Return the edits of one file's fixes as `arrange_edits` does."""
    return arrange_edits(source, (edit for diagnostic in diagnostics for edit in edits_of(diagnostic)))


def arrange_edits(source: Source, edits: Iterable[Edit]) -> list[Edit]:
    """Return edits in order, each once, with the newlines of the file."""
    ordered = sorted(set(edits), key=lambda edit: edit[:2])
    if source.newline == "\n" or _BARE_LF.search(source.text):
        return ordered
    return [edit._replace(text=_BARE_LF.sub(source.newline, edit.text)) for edit in ordered]


def edit_source(source: Source, edits: Iterable[Edit]) -> Source:
    """Return the text after edits that do not overlap."""
    return Source(apply_edits(source.text, edits), source.path, source.bom)
