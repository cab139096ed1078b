"""Which fixes may be applied, and which of them together."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Sequence
from itertools import accumulate, islice
from typing import NamedTuple, TypeAlias

from shelfread.core.diagnostics import Applicability, Change, Diagnostic, Edit, Span
from shelfread.core.source import Source
from shelfread.document.model import Document

ROUNDS = 5
"""How often a text is fixed and read again at most."""

_OPAQUE = "it would change code, a comment or another part that is never edited"
_CROSSED = "its own edits overlap, or lie outside the text"
_IDLE = "it changes nothing"

FixKey: TypeAlias = tuple[str, int, tuple[str, ...]]
"""What names a fix: its rule, where its finding begins, and what it writes."""


class FixState(NamedTuple):
    """A text and what is found in it."""

    source: Source
    document: Document
    diagnostics: list[Diagnostic]


def applicable(
    state: FixState, least: Applicability, refused: dict[FixKey, str]
) -> list[tuple[Diagnostic, str | None]]:
    """The findings whose fix may be applied here, each with the reason why it cannot be, if any.

    A fix that also edits another file is not for this text alone: it stays a finding.
    """
    return [
        (diagnostic, refused.get(fix_key(diagnostic)) or why_inapplicable(state, edits_of(diagnostic)))
        for diagnostic in state.diagnostics
        if edits_of(diagnostic)
        and diagnostic.fix
        and diagnostic.fix.applicability >= least
        and not edits_other_files(diagnostic)
    ]


def edits_other_files(diagnostic: Diagnostic) -> bool:
    """Whether a fix edits another file than the one of its finding."""
    return any(edit.path not in ("", diagnostic.path) for edit in edits_of(diagnostic))


def edits_of(diagnostic: Diagnostic) -> tuple[Edit, ...]:
    return diagnostic.fix.edits if diagnostic.fix else ()


def fix_key(diagnostic: Diagnostic) -> FixKey:
    return diagnostic.rule, diagnostic.span.start, tuple(edit.text for edit in edits_of(diagnostic))


def shift_refusals(refused: dict[FixKey, str], edits: Sequence[Edit]) -> dict[FixKey, str]:
    """The same refusals in the text after these edits."""
    ends = [edit.end for edit in edits]
    shifts = list(accumulate((len(edit.text) - edit.end + edit.start for edit in edits), initial=0))
    return {
        (rule, start + shifts[bisect_right(ends, start)], texts): reason
        for (rule, start, texts), reason in refused.items()
    }


def why_inapplicable(state: FixState, edits: Iterable[Edit]) -> str | None:
    """Why a fix's edits of one file cannot be made, whatever the others do."""
    text = state.source.text
    ordered = sorted(edits, key=edit_position)
    ends = [0, *(edit.end for edit in ordered)]
    if any(not end <= edit.start <= edit.end <= len(text) for end, edit in zip(ends, ordered, strict=False)):
        return _CROSSED
    if all(text[edit.start : edit.end] == edit.text for edit in ordered):
        return _IDLE
    if any(_harms(edit, state.document.tree.protected, text) for edit in ordered):
        return _OPAQUE
    return None


def _harms(edit: Edit, zones: Sequence[Span], text: str) -> bool:
    """Whether an edit reaches into a zone that is not to be edited.

    One that takes a zone along as a whole, to move or to remove what it stands in, does not.
    """
    first = bisect_right(zones, edit.start, key=lambda zone: zone.end)
    for start, end in islice(zones, first, None):
        if start >= edit.end:
            break
        whole = edit.start <= start and end <= edit.end
        goes = edit.effect.change in (Change.MOVED, Change.REMOVED)
        if not (whole and (goes or text[start:end] in edit.text)):
            return True
    return False


def edit_position(edit: Edit) -> tuple[int, int]:
    return edit.start, edit.end


def first_offset(diagnostic: Diagnostic) -> int:
    return min(edit.start for edit in edits_of(diagnostic))


def without_overlaps(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The graver finding first, then the first in the text; who comes late waits for the next round."""

    chosen: list[Diagnostic] = []
    taken: set[Edit] = set()
    spans: list[tuple[int, int]] = []
    for diagnostic in sorted(diagnostics, key=lambda each: (-each.severity, first_offset(each), each.rule)):
        new = set(edits_of(diagnostic)) - taken  # the same edit of two fixes is one edit
        if any(overlaps(edit, spans) for edit in new):
            continue
        chosen.append(diagnostic)
        taken |= new
        for edit in new:
            insort(spans, edit_position(edit))
    return sorted(chosen, key=first_offset)


def overlaps(edit: Edit, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether an edit meets one of the sorted spans; an insertion also where it only touches."""
    start, end = edit_position(edit)
    at = bisect_left(spans, (start, end))
    near = [*spans[max(0, at - 2) : at + 1]]
    return any(
        other[0] <= end and start <= other[1]
        if start == end or other[0] == other[1]
        else other[0] < end and start < other[1]
        for other in near
    )
