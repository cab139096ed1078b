"""Applying fixes: in rounds, whole or not at all, and only what conservation lets pass."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

from shelfread.core.diagnostics import Applicability, Diagnostic, Edit
from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.fixes.apply import edited, together
from shelfread.fixes.select import (
    ROUNDS,
    FixKey,
    FixState,
    applicable,
    first_offset,
    fix_key,
    shift_refusals,
    without_overlaps,
)
from shelfread.fixes.verify.conservation import find_damage
from shelfread.markdown.node import Tree
from shelfread.markdown.parse import parse

TRIES = 256
"""How many texts one round parses at most in search of the fixes that do damage."""

_CYCLE = "it would bring back an earlier text: fixes undo each other"
_UNSETTLED = f"it did not settle within {ROUNDS} rounds"
_UNTRIED = "too many fixes of one round would do damage: it was not tried"

Diagnose: TypeAlias = Callable[[Source], tuple[Document, list[Diagnostic]]]


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


def fix_text(
    source: Source,
    diagnose: Diagnose,
    *,
    unsafe: bool = False,
    known: tuple[Document, list[Diagnostic]] | None = None,
) -> FixResult:
    """Fix what may be fixed, until nothing changes any more; `known` is the diagnosis of `source`."""
    least = Applicability.UNSAFE if unsafe else Applicability.SAFE
    state = FixState(source, *(known or diagnose(source)))
    applied: list[Diagnostic] = []
    refused: dict[FixKey, str] = {}
    seen = {source.text}
    unsettled = _UNSETTLED
    for _ in range(ROUNDS):
        chosen = without_overlaps(
            diagnostic for diagnostic, reason in applicable(state, least, refused) if reason is None
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
        refused = shift_refusals(refused, together(state.source, kept))
        applied += kept
        state = after
    dropped = [
        (diagnostic, unsettled if reason is None else reason)
        for diagnostic, reason in applicable(state, least, refused)
    ]
    return FixResult(state.source.text, applied, dropped, state.diagnostics)


def _try(
    state: FixState, chosen: list[Diagnostic], diagnose: Diagnose, refused: dict[FixKey, str]
) -> tuple[FixState, list[Diagnostic]]:
    """The text with all fixes that together alter only what they declare, and these fixes."""
    edits = together(state.source, chosen)
    after = _diagnosed(edited(state.source, edits), diagnose)
    if not _damage(state, edits, after.source, after.document.tree):
        return after, chosen
    kept = _harmless(state, chosen, refused)
    if not kept:
        return state, []
    return _diagnosed(edited(state.source, together(state.source, kept)), diagnose), kept


def _harmless(state: FixState, chosen: list[Diagnostic], refused: dict[FixKey, str]) -> list[Diagnostic]:
    """Split what fails until the guilty ones stand alone: few parses as long as few are guilty.

    Each rule's fixes are tried together first, all large groups before small ones, so that a bad rule
    does not use up the tries of the good ones. One that fails only in company waits for the next round.
    """
    kept: list[Diagnostic] = []
    by_rule = groupby(
        sorted(chosen, key=lambda diagnostic: diagnostic.rule), lambda diagnostic: diagnostic.rule
    )
    groups = deque(list(group) for _, group in by_rule)
    tries = 0
    while groups:
        group = groups.popleft()
        if tries >= TRIES:
            refused.update((fix_key(diagnostic), _UNTRIED) for diagnostic in group)
            continue
        tries += 1
        if (reason := _damage_of(state, kept + group)) is None:
            kept += group
        elif len(group) > 1:
            half = len(group) // 2
            groups += group[:half], group[half:]
        else:
            if kept:
                tries += 1
                reason = _damage_of(state, group)
            if reason is not None:
                refused[fix_key(group[0])] = reason
    return sorted(kept, key=first_offset)


def _damage_of(state: FixState, diagnostics: Iterable[Diagnostic]) -> str | None:
    """What these fixes would do that they do not declare."""
    edits = together(state.source, diagnostics)
    after = edited(state.source, edits)
    return _damage(state, edits, after, parse(after))


def _damage(state: FixState, edits: Sequence[Edit], after: Source, tree: Tree) -> str | None:
    return find_damage(state.document.tree, state.source.text, tree, after.text, edits)


def _diagnosed(source: Source, diagnose: Diagnose) -> FixState:
    return FixState(source, *diagnose(source))
