"""Fixes that edit several files: applied in all of them or in none."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from shelfread.core.diagnostics import Applicability, Diagnostic, Edit
from shelfread.core.source import Source
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.fixes.apply import arrange_edits, edit_source
from shelfread.fixes.select import MAX_ROUNDS, FixState, edits_of, overlaps, why_inapplicable, with_fixes
from shelfread.fixes.verify.conservation import find_damage
from shelfread.fixes.verify.flaws import find_new_flaw
from shelfread.markdown.parse import parse

_MAX_TRIES = 64
"""How many fixes are tried alone if all together would do damage."""

_DAMAGE = "it would change more than it declares"

Diagnose: TypeAlias = Callable[[Mapping[str, Source]], Mapping[str, FixState]]
"""Return the state of all files, given the texts of those that have changed."""


class CrossFileResult(NamedTuple):
    """The last state of every file, the applied diagnostics, and the others with the reason."""

    states: Mapping[str, FixState]
    applied: Sequence[Diagnostic]
    dropped: Sequence[tuple[Diagnostic, str]]


def fix_cross_file(states: Mapping[str, FixState], diagnose: Diagnose, *, unsafe: bool) -> CrossFileResult:
    """Apply the fixes that edit several of these files until nothing changes."""
    least = Applicability.UNSAFE if unsafe else Applicability.SAFE
    applied: list[Diagnostic] = []
    dropped: list[tuple[Diagnostic, str]] = []
    for _ in range(MAX_ROUNDS):
        reasons = [
            (diagnostic, _why_inapplicable(states, diagnostic))
            for state in states.values()
            for diagnostic in with_fixes(state, least, cross_file=True)
        ]
        chosen = _without_overlaps(diagnostic for diagnostic, reason in reasons if reason is None)
        if _apply(states, chosen) is None:
            alone = [fix for fix in chosen[:_MAX_TRIES] if _apply(states, [fix]) is not None]
            reasons += [(diagnostic, _DAMAGE) for diagnostic in chosen if diagnostic not in alone]
            chosen = alone if _apply(states, alone) is not None else alone[:1]
        dropped = [(diagnostic, reason) for diagnostic, reason in reasons if reason is not None]
        if not chosen:
            break
        applied += chosen
        states = diagnose(_apply(states, chosen) or {})
    return CrossFileResult(states, applied, dropped)


def _why_inapplicable(states: Mapping[str, FixState], diagnostic: Diagnostic) -> str | None:
    for path, edits in _edits_by_file([diagnostic]).items():
        if path not in states:
            return f"it changes {path} too: name that file as well"
        if reason := why_inapplicable(states[path], edits):
            return reason
    return None


def _edits_by_file(diagnostics: Iterable[Diagnostic]) -> dict[str, list[Edit]]:
    files: dict[str, list[Edit]] = {}
    for diagnostic in diagnostics:
        for edit in edits_of(diagnostic):
            files.setdefault(edit.path or diagnostic.path, []).append(edit._replace(path=""))
    return files


def _without_overlaps(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the first of the fixes that edit one place; the others wait for the next round."""
    chosen = []
    taken: dict[str, list[tuple[int, int]]] = {}
    for diagnostic in diagnostics:
        files = _edits_by_file([diagnostic])
        if any(overlaps(edit, taken.get(path, ())) for path, edits in files.items() for edit in edits):
            continue
        chosen.append(diagnostic)
        for path, edits in files.items():
            for edit in edits:
                insort(taken.setdefault(path, []), edit[:2])
    return chosen


def _apply(states: Mapping[str, FixState], diagnostics: Sequence[Diagnostic]) -> dict[str, Source] | None:
    """Return the files that fixes change; None if they would change more than they declare, or spoil a line."""
    changed = {}
    for path, edits in _edits_by_file(diagnostics).items():
        state = states[path]
        ordered = arrange_edits(state.source, edits)
        after = edit_source(state.source, ordered)
        before, text = state.document.tree, state.source.text
        if find_damage(before, text, parse(after), after.text, ordered) or find_new_flaw(text, ordered):
            return None
        changed[path] = after
    return changed
