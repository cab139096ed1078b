"""Fixes that edit several files: applied in all of them or in none."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from shelfread.core.diagnostics import Applicability, Diagnostic, Edit
from shelfread.core.source import Source
from shelfread.fixes.apply import arranged, edited
from shelfread.fixes.select import (
    ROUNDS,
    FixState,
    edit_position,
    edits_of,
    edits_other_files,
    overlaps,
    why_inapplicable,
)
from shelfread.fixes.verify.conservation import find_damage
from shelfread.markdown.parse import parse

TRIES = 64
"""How many fixes are tried alone where all together would do damage."""

_DAMAGE = "it would alter more than it declares"

Diagnose: TypeAlias = Callable[[Mapping[str, Source]], Mapping[str, FixState]]
"""What is found in all files, with these texts in place of the former ones."""


class CrossFileResult(NamedTuple):
    """What came of it: every file's last state, what was applied, and what was not, with the reason."""

    states: Mapping[str, FixState]
    applied: Sequence[Diagnostic]
    dropped: Sequence[tuple[Diagnostic, str]]


def fix_cross_file(states: Mapping[str, FixState], diagnose: Diagnose, *, unsafe: bool) -> CrossFileResult:
    """Fix what edits several of these files, until nothing changes any more."""
    least = Applicability.UNSAFE if unsafe else Applicability.SAFE
    applied: list[Diagnostic] = []
    dropped: list[tuple[Diagnostic, str]] = []
    for _ in range(ROUNDS):
        reasons = [(one, _unfit(states, one)) for one in _candidates(states, least)]
        chosen = _without_overlaps(one for one, reason in reasons if reason is None)
        if _changed(states, chosen) is None:
            alone = [one for one in chosen[:TRIES] if _changed(states, [one]) is not None]
            reasons += [(one, _DAMAGE) for one in chosen if one not in alone]
            chosen = alone if _changed(states, alone) is not None else alone[:1]
        dropped = [(one, reason) for one, reason in reasons if reason is not None]
        if not chosen:
            break
        applied += chosen
        states = diagnose(_changed(states, chosen) or {})
    return CrossFileResult(states, applied, dropped)


def _candidates(states: Mapping[str, FixState], least: Applicability) -> list[Diagnostic]:
    return [
        one
        for state in states.values()
        for one in state.diagnostics
        if one.fix is not None and one.fix.applicability >= least and edits_other_files(one)
    ]


def _unfit(states: Mapping[str, FixState], diagnostic: Diagnostic) -> str | None:
    """Why a fix cannot be applied, whatever the others do."""
    for path, edits in _by_file([diagnostic]).items():
        if path not in states:
            return f"it changes {path} too: name that file as well"
        if reason := why_inapplicable(states[path], edits):
            return reason
    return None


def _by_file(diagnostics: Iterable[Diagnostic]) -> dict[str, list[Edit]]:
    files: dict[str, list[Edit]] = {}
    for one in diagnostics:
        for edit in edits_of(one):
            files.setdefault(edit.path or one.path, []).append(edit._replace(path=""))
    return files


def _without_overlaps(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The first of those that edit one place; the others wait for the next round."""
    chosen = []
    taken: dict[str, list[tuple[int, int]]] = {}
    for one in diagnostics:
        files = _by_file([one])
        if any(overlaps(edit, taken.get(path, ())) for path, edits in files.items() for edit in edits):
            continue
        chosen.append(one)
        for path, edits in files.items():
            for edit in edits:
                insort(taken.setdefault(path, []), edit_position(edit))
    return chosen


def _changed(states: Mapping[str, FixState], kept: Sequence[Diagnostic]) -> dict[str, Source] | None:
    """The files that fixes change; None where they would alter more than they declare."""
    changed = {}
    for path, edits in _by_file(kept).items():
        state = states[path]
        ordered = arranged(state.source, edits)
        after = edited(state.source, ordered)
        if find_damage(state.document.tree, state.source.text, parse(after), after.text, ordered):
            return None
        changed[path] = after
    return changed
