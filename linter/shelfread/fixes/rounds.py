"""Apply fixes in rounds: each completely or not at all, and only if it changes what it declares."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from shelfread.core.diagnostics import Applicability, Diagnostic
from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.fixes import select
from shelfread.fixes.apply import collect_edits, edit_source
from shelfread.fixes.harmless import find_harm, find_harmless
from shelfread.fixes.select import MAX_ROUNDS, FixKey, FixState, find_applicable

_MAX_RETRIES = 3
"""How often a text is fixed anew without the rules that did not settle."""

_MOST_ADDED = 10_000
"""How many characters fixes may add to a text beyond its own length."""

_SWELLS = "it would more than double the file: its replacement contains what it replaces"
_CYCLE = "it would bring back an earlier text: fixes undo each other"
_UNSETTLED = f"it did not settle within {MAX_ROUNDS} rounds"

Diagnose: TypeAlias = Callable[[Source], tuple[Document, list[Diagnostic]]]


@dataclass(frozen=True, slots=True)
class FixResult:
    """The result of fixing one text.

    Offsets of `applied` are those in the text of their round, offsets of `remaining` those in `text`.
    `dropped` are those of `remaining` whose fix was allowed but not applied, with the reason.
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
    """Apply fixes until nothing changes; `known` is the diagnosis of `source` if there is one already.

    Rules whose fixes go on changing the text, or bring back an earlier one, change nothing.
    """
    least = Applicability.UNSAFE if unsafe else Applicability.SAFE
    first = FixState(source, *(known or diagnose(source)))
    unsettled: dict[str, str] = {}
    for _ in range(_MAX_RETRIES):
        fixed, restless = _fix_in_rounds(first, diagnose, least, unsettled)
        if not restless:
            return fixed
        unsettled |= restless
    reason = next(iter(unsettled.values()))
    dropped = [(finding, why or reason) for finding, why in find_applicable(first, least, {}, unsettled)]
    return FixResult(source.text, [], dropped, first.diagnostics)


def _fix_in_rounds(
    state: FixState, diagnose: Diagnose, least: Applicability, unsettled: Mapping[str, str]
) -> tuple[FixResult, dict[str, str]]:
    """Return the fixes by all but the `unsettled` rules; and the rules that did not settle, with the reason."""
    applied: list[Diagnostic] = []
    rejected: dict[FixKey, str] = {}
    seen = {state.source.text: 0}
    restless: dict[str, str] = {}
    limit = 2 * len(state.source.text) + _MOST_ADDED
    for number in range(MAX_ROUNDS + 1):
        applicable = find_applicable(state, least, rejected, unsettled)
        chosen = select.without_overlaps(finding for finding, reason in applicable if reason is None)
        if not chosen:
            break
        if number == MAX_ROUNDS:
            restless = {finding.rule: _UNSETTLED for finding in chosen}
            break
        if rule := _swelling(chosen, limit - len(state.source.text)):
            restless = {rule: _SWELLS}
            break
        after, kept = _apply_harmless(state, chosen, diagnose, rejected)
        if not kept:
            continue
        rejected = select.shift_keys(rejected, collect_edits(state.source, kept))
        applied += kept
        state = after
        if (before := seen.setdefault(after.source.text, len(applied))) < len(applied):
            restless = {finding.rule: _CYCLE for finding in applied[before:]}
            break
    applicable = find_applicable(state, least, rejected, unsettled)
    dropped = [(finding, reason) for finding, reason in applicable if reason is not None]
    return FixResult(state.source.text, applied, dropped, state.diagnostics), restless


def _swelling(fixes: Iterable[Diagnostic], room: int) -> str | None:
    """Return the rule whose fixes add most, if all together add more than there is room for.

    A replacement that contains what it replaces would fill the memory in a few rounds.
    """
    added: Counter[str] = Counter()
    for diagnostic in fixes:
        added[diagnostic.rule] += sum(
            len(edit.text) - (edit.end - edit.start) for edit in select.edits_of(diagnostic)
        )
    return max(added, key=lambda rule: added[rule]) if added.total() > room else None


def _apply_harmless(
    state: FixState, chosen: list[Diagnostic], diagnose: Diagnose, rejected: dict[FixKey, str]
) -> tuple[FixState, list[Diagnostic]]:
    """Return the text after all fixes that together change only what they declare, and these fixes."""
    edits = collect_edits(state.source, chosen)
    source = edit_source(state.source, edits)
    after = FixState(source, *diagnose(source))
    damage = find_harm(state.document.tree, state.source.text, after.document.tree, source.text, edits)
    if not damage:
        return after, chosen
    kept = find_harmless(state, chosen, damage, rejected)
    if not kept:
        return state, []
    source = edit_source(state.source, collect_edits(state.source, kept))
    return FixState(source, *diagnose(source)), kept
