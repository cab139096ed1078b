"""Applying fixes: in rounds, whole or not at all, and only what conservation lets pass."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import NamedTuple, TypeAlias

from shelfread.conservation import check
from shelfread.diagnostic import Applicability, Change, Diagnostic, Edit, Span
from shelfread.document.model import Document
from shelfread.pattern import lazy
from shelfread.source import Source
from shelfread.syntax.node import Tree
from shelfread.syntax.parse import parse

ROUNDS = 5
TRIES = 256
"""How many texts one round parses at most in search of the fixes that do damage."""

_OPAQUE = "it would change code, a comment or another part that is never edited"
_CROSSED = "its own edits overlap, or lie outside the text"
_IDLE = "it changes nothing"
_CYCLE = "it would bring back an earlier text: fixes undo each other"
_UNSETTLED = f"it did not settle within {ROUNDS} rounds"
_UNTRIED = "too many fixes of one round would do damage: it was not tried"
_BARE_LF = lazy(r"(?<!\r)\n")

Diagnose: TypeAlias = Callable[[Source], tuple[Document, list[Diagnostic]]]
_Key: TypeAlias = tuple[str, int, tuple[str, ...]]
"""What names a fix: its rule, where its finding begins, and what it writes."""


@dataclass(frozen=True, slots=True)
class FixResult:
    """What came of fixing one text.

    `applied` have the places that they had in the text of their round, `remaining` those in `text`;
    `dropped` are those of `remaining` whose fix was allowed and yet not kept, with the reason.
    """

    text: str
    applied: list[Diagnostic]
    dropped: list[tuple[Diagnostic, str]]
    remaining: list[Diagnostic]


class _State(NamedTuple):
    """A text and what is found in it."""

    source: Source
    document: Document
    found: list[Diagnostic]


def fix_text(
    source: Source,
    diagnose: Diagnose,
    *,
    unsafe: bool = False,
    known: tuple[Document, list[Diagnostic]] | None = None,
) -> FixResult:
    """Fix what may be fixed, until nothing changes any more; `known` is the diagnosis of `source`."""
    least = Applicability.UNSAFE if unsafe else Applicability.SAFE
    state = _State(source, *(known or diagnose(source)))
    applied: list[Diagnostic] = []
    refused: dict[_Key, str] = {}
    seen = {source.text}
    unsettled = _UNSETTLED
    for _ in range(ROUNDS):
        chosen = _without_overlaps(
            diagnostic for diagnostic, reason in _allowed(state, least, refused) if reason is None
        )
        if not chosen:
            break
        after, kept = _try(state, chosen, diagnose, refused)
        if not kept:
            continue
        if after.source.text in seen:
            unsettled = _CYCLE
            break
        seen.add(after.source.text)
        refused = _moved(refused, _together(state.source, kept))
        applied += kept
        state = after
    dropped = [
        (diagnostic, unsettled if reason is None else reason)
        for diagnostic, reason in _allowed(state, least, refused)
    ]
    return FixResult(state.source.text, applied, dropped, state.found)


# --------------------------------------------------------------------------------------- which fixes


def _allowed(
    state: _State, least: Applicability, refused: dict[_Key, str]
) -> list[tuple[Diagnostic, str | None]]:
    """The findings whose fix may be applied here, each with the reason why it cannot be, if any.

    A fix that also edits another file is not for this text alone: it stays a finding.
    """
    return [
        (diagnostic, refused.get(_key(diagnostic)) or _unfit(state, diagnostic))
        for diagnostic in state.found
        if _edits(diagnostic)
        and diagnostic.fix
        and diagnostic.fix.applicability >= least
        and all(edit.path in ("", diagnostic.path) for edit in diagnostic.fix.edits)
    ]


def _edits(diagnostic: Diagnostic) -> tuple[Edit, ...]:
    return diagnostic.fix.edits if diagnostic.fix else ()


def _key(diagnostic: Diagnostic) -> _Key:
    return diagnostic.rule, diagnostic.span.start, tuple(edit.text for edit in _edits(diagnostic))


def _moved(refused: dict[_Key, str], edits: Sequence[Edit]) -> dict[_Key, str]:
    """The same refusals in the text after these edits."""
    ends = [edit.end for edit in edits]
    shifts = list(accumulate((len(edit.text) - edit.end + edit.start for edit in edits), initial=0))
    return {
        (rule, start + shifts[bisect_right(ends, start)], texts): reason
        for (rule, start, texts), reason in refused.items()
    }


def _unfit(state: _State, diagnostic: Diagnostic) -> str | None:
    """Why a fix cannot be applied, whatever the others do."""
    text = state.source.text
    edits = sorted(_edits(diagnostic), key=_place)
    ends = [0, *(edit.end for edit in edits)]
    if any(not end <= edit.start <= edit.end <= len(text) for end, edit in zip(ends, edits, strict=False)):
        return _CROSSED
    if all(text[edit.start : edit.end] == edit.text for edit in edits):
        return _IDLE
    if any(_harms(edit, state.document.tree.opaque, text) for edit in edits):
        return _OPAQUE
    return None


def _harms(edit: Edit, zones: Sequence[Span], text: str) -> bool:
    """Whether an edit reaches into a zone that is not to be edited.

    One that takes a zone along as a whole, to move or to remove what it stands in, does not.
    """
    first = bisect_right(zones, edit.start, key=lambda zone: zone.end)
    for start, end in zones[first:]:
        if start >= edit.end:
            break
        whole = edit.start <= start and end <= edit.end
        goes = edit.effect.change in (Change.MOVED, Change.REMOVED)
        if not (whole and (goes or text[start:end] in edit.text)):
            return True
    return False


def _place(edit: Edit) -> tuple[int, int]:
    return edit.start, edit.end


def _start(diagnostic: Diagnostic) -> int:
    return min(edit.start for edit in _edits(diagnostic))


def _without_overlaps(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The graver finding first, then the first in the text; who comes late waits for the next round."""

    chosen: list[Diagnostic] = []
    taken: set[Edit] = set()
    spans: list[tuple[int, int]] = []
    for diagnostic in sorted(diagnostics, key=lambda each: (-each.severity, _start(each), each.rule)):
        new = set(_edits(diagnostic)) - taken  # the same edit of two fixes is one edit
        if any(_overlaps(edit, spans) for edit in new):
            continue
        chosen.append(diagnostic)
        taken |= new
        for edit in new:
            insort(spans, _place(edit))
    return sorted(chosen, key=_start)


def _overlaps(edit: Edit, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether an edit meets one of the sorted spans; an insertion also where it only touches."""
    start, end = _place(edit)
    at = bisect_left(spans, (start, end))
    near = [*spans[max(0, at - 2) : at + 1]]
    return any(
        other[0] <= end and start <= other[1]
        if start == end or other[0] == other[1]
        else other[0] < end and start < other[1]
        for other in near
    )


# ----------------------------------------------------------------------------------------- one round


def _try(
    state: _State, chosen: list[Diagnostic], diagnose: Diagnose, refused: dict[_Key, str]
) -> tuple[_State, list[Diagnostic]]:
    """The text with all fixes that together alter only what they declare, and these fixes."""
    edits = _together(state.source, chosen)
    after = _diagnosed(_edited(state.source, edits), diagnose)
    if not _damage(state, edits, after.source, after.document.tree):
        return after, chosen
    kept = _harmless(state, chosen, refused)
    if not kept:
        return state, []
    return _diagnosed(_edited(state.source, _together(state.source, kept)), diagnose), kept


def _harmless(state: _State, chosen: list[Diagnostic], refused: dict[_Key, str]) -> list[Diagnostic]:
    """Split what fails until the guilty ones stand alone: few parses as long as few are guilty.

    Each rule's fixes are tried together first, all large groups before small ones, so that a bad rule
    does not use up the tries of the good ones.
    """
    kept: list[Diagnostic] = []
    by_rule = groupby(
        sorted(chosen, key=lambda diagnostic: diagnostic.rule), lambda diagnostic: diagnostic.rule
    )
    groups = deque(list(group) for _, group in by_rule)
    tries = 0
    while groups:
        group = groups.popleft()
        if tries == TRIES:
            refused.update((_key(diagnostic), _UNTRIED) for diagnostic in group)
            continue
        tries += 1
        edits = _together(state.source, kept + group)
        after = _edited(state.source, edits)
        reason = _damage(state, edits, after, parse(after))
        if reason is None:
            kept += group
        elif len(group) == 1:
            refused[_key(group[0])] = reason
        else:
            half = len(group) // 2
            groups += group[:half], group[half:]
    return sorted(kept, key=_start)


def _damage(state: _State, edits: Sequence[Edit], after: Source, tree: Tree) -> str | None:
    return check(state.document.tree, state.source.text, tree, after.text, edits)


def _diagnosed(source: Source, diagnose: Diagnose) -> _State:
    return _State(source, *diagnose(source))


def _together(source: Source, diagnostics: Iterable[Diagnostic]) -> list[Edit]:
    """All edits in order, each once, with the newlines of the file.

    Edits may write a plain newline; in a file that has none it becomes the file's own.
    """
    edits = {edit: None for diagnostic in diagnostics for edit in _edits(diagnostic)}
    ordered = sorted(edits, key=_place)
    if source.newline == "\n" or _BARE_LF.search(source.text):
        return ordered
    return [edit._replace(text=_BARE_LF.sub(source.newline, edit.text)) for edit in ordered]


def _edited(source: Source, edits: Iterable[Edit]) -> Source:
    """The text after sorted edits that do not overlap."""
    pieces: list[str] = []
    at = 0
    for edit in edits:
        pieces += (source.text[at : edit.start], edit.text)
        at = edit.end
    return Source("".join([*pieces, source.text[at:]]), source.path, source.bom)
