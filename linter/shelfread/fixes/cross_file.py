"""Fixes that edit several files: applied in all of them or in none."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from shelfread.core.diagnostics import Diagnostic, Edit
from shelfread.core.source import Source
from shelfread.fixes.apply import arrange_edits, edit_source
from shelfread.fixes.select import FixState, edits_of, overlaps, why_inapplicable
from shelfread.fixes.verify.conservation import find_damage
from shelfread.fixes.verify.flaws import find_new_flaw
from shelfread.markdown.parse import parse

_MAX_TRIES = 64
"""How many fixes are tried alone if all together would do damage."""

_DAMAGE = "it would change more than it declares"


class CrossFileRound(NamedTuple):
    """The new texts by path, the fixes that made them, and those that cannot be applied, with the reason."""

    changed: Mapping[str, Source]
    applied: Sequence[Diagnostic]
    dropped: Sequence[tuple[Diagnostic, str]]


def apply_across(states: Mapping[str, FixState], fixes: Sequence[Diagnostic]) -> CrossFileRound:
    """Apply those of the fixes that do not overlap; `states` has the files that they edit, as far as these are known."""
    reasons = [(fix, _why_inapplicable(states, fix)) for fix in fixes]
    chosen = _without_overlaps(fix for fix, reason in reasons if reason is None)
    if _apply(states, chosen) is None:
        alone = [fix for fix in chosen[:_MAX_TRIES] if _apply(states, [fix]) is not None]
        reasons += [(fix, _DAMAGE) for fix in chosen if fix not in alone]
        chosen = alone if _apply(states, alone) is not None else alone[:1]
    dropped = [(fix, reason) for fix, reason in reasons if reason is not None]
    return CrossFileRound(_apply(states, chosen) or {}, chosen, dropped)


def edited_files(fixes: Iterable[Diagnostic]) -> set[str]:
    """Return the paths of the files that fixes edit."""
    return {edit.path or fix.path for fix in fixes for edit in edits_of(fix)}


def _why_inapplicable(states: Mapping[str, FixState], fix: Diagnostic) -> str | None:
    for path, edits in _edits_by_file([fix]).items():
        if path not in states:
            return f"it changes {path} too: name that file as well"
        if reason := why_inapplicable(states[path], edits):
            return reason
    return None


def _edits_by_file(fixes: Iterable[Diagnostic]) -> dict[str, list[Edit]]:
    files: dict[str, list[Edit]] = {}
    for fix in fixes:
        for edit in edits_of(fix):
            files.setdefault(edit.path or fix.path, []).append(edit._replace(path=""))
    return files


def _without_overlaps(fixes: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the first of the fixes that edit one place; the others wait for the next round."""
    chosen = []
    taken: dict[str, list[tuple[int, int]]] = {}
    for fix in fixes:
        files = _edits_by_file([fix])
        if any(overlaps(edit, taken.get(path, ())) for path, edits in files.items() for edit in edits):
            continue
        chosen.append(fix)
        for path, edits in files.items():
            for edit in edits:
                insort(taken.setdefault(path, []), edit[:2])
    return chosen


def _apply(states: Mapping[str, FixState], fixes: Sequence[Diagnostic]) -> dict[str, Source] | None:
    """Return the files that fixes change; None if they would change more than they declare, or spoil a line."""
    changed = {}
    for path, edits in _edits_by_file(fixes).items():
        source, tree, _ = states[path]
        ordered = arrange_edits(source, edits)
        after = edit_source(source, ordered)
        if find_damage(tree, source.text, parse(after), after.text, ordered) or find_new_flaw(
            source.text, ordered
        ):
            return None
        changed[path] = after
    return changed
