"""Fix one text, round by round: each fix completely or not at all, and only if it changes what it declares.

A round applies the fixes that do not overlap. The caller reads the new text again, and the next round begins with what
is found there. Rules whose fixes go on changing the text, or bring back an earlier one, change nothing: the text begins
anew without them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from shelfread.core.diagnostics import Applicability, Diagnostic, Span
from shelfread.core.source import Source
from shelfread.fixes import select
from shelfread.fixes.conservation import Damage, Search, find_damage
from shelfread.fixes.flaws import find_new_flaws
from shelfread.fixes.select import (
    MAX_ROUNDS,
    FixKey,
    FixState,
    collect_edits,
    edit_source,
    find_applicable,
    fix_key,
)
from shelfread.markdown.node import Tree
from shelfread.markdown.parse import parse

# How often a text begins anew without the rules that did not settle; after that nothing in it is changed.
_MAX_RESTARTS = 3

MAX_TRIES = 100  # how many texts are parsed at most to find the fixes of one round that do damage

_MOST_ADDED = 10_000  # how many characters fixes may add to a text beyond its own length

_SWELLS = "it would more than double the file: its replacement contains what it replaces"
_CYCLE = "it would bring back an earlier text: fixes undo each other"
_UNSETTLED = f"it did not settle within {MAX_ROUNDS} rounds"

Diagnose: TypeAlias = Callable[[Source], tuple[Tree, list[Diagnostic]]]


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
    shown: int  # how many findings of the first text are fixed

    @property
    def more(self) -> int:
        """How many more were fixed that came up only when the text was."""
        return max(0, len(self.applied) - self.shown)


class Progress(NamedTuple):
    """How far the fixes of one text are."""

    first: FixState
    state: FixState  # the text now; as long as it is not read again, without diagnostics
    applied: tuple[Diagnostic, ...] = ()
    rounds: int = 0
    rejected: Mapping[FixKey, str] = {}  # the fixes of the present text that would do damage, with the reason
    seen: Mapping[str, int] = {}  # how many fixes had been applied to each earlier text
    unsettled: Mapping[str, str] = {}  # the rules that change nothing, with the reason
    restarts: int = 0

    def diagnosed(self, tree: Tree, found: list[Diagnostic]) -> Progress:
        """Return the progress after the present text was read."""
        return self._replace(state=FixState(self.state.source, tree, found))

    @property
    def is_given_up(self) -> bool:
        return self.restarts == _MAX_RESTARTS


def begin(state: FixState) -> Progress:
    """Return the progress before the first round."""
    return Progress(state, state, seen={state.source.text: 0})


def fix_text(
    source: Source,
    diagnose: Diagnose,
    *,
    unsafe: bool = False,
    known: tuple[Tree, list[Diagnostic]] | None = None,
) -> FixResult:
    """Apply fixes until nothing changes; `known` is the diagnosis of `source` if there is one already."""
    first = FixState(source, *(known or diagnose(source)))
    progress = begin(first)
    changes = True
    while changes:
        progress, changes = apply_round(progress, unsafe=unsafe)
        if changes and progress.state is not first:
            progress = progress.diagnosed(*diagnose(progress.state.source))
    return result_of(progress, unsafe=unsafe)


def apply_round(progress: Progress, *, unsafe: bool) -> tuple[Progress, bool]:
    """Return the progress after the fixes that do not overlap, and whether the text is another one, to be read again."""
    if progress.is_given_up:
        return progress, False
    state, least = progress.state, least_applicability(unsafe)
    rejected = dict(progress.rejected)
    kept: Sequence[Diagnostic] = ()
    while not kept:
        applicable = find_applicable(state, least, rejected, progress.unsettled)
        chosen = select.without_overlaps(finding for finding, reason in applicable if reason is None)
        if not chosen:
            return progress._replace(rejected=rejected), False
        if progress.rounds == MAX_ROUNDS:
            return _restart(progress, {finding.rule: _UNSETTLED for finding in chosen}), True
        limit = 2 * len(progress.first.source.text) + _MOST_ADDED
        if rule := _swelling(chosen, limit - len(state.source.text)):
            return _restart(progress, {rule: _SWELLS}), True
        source, tree, kept = _apply_harmless(state, chosen, rejected)
    applied = (*progress.applied, *kept)
    if source.text in progress.seen:
        return _restart(progress, {fix.rule: _CYCLE for fix in applied[progress.seen[source.text] :]}), True
    after = progress._replace(
        state=FixState(source, tree, []),
        applied=applied,
        rounds=progress.rounds + 1,
        rejected=select.shift_keys(rejected, collect_edits(state.source, kept)),
        seen={**progress.seen, source.text: len(applied)},
    )
    return after, True


def result_of(progress: Progress, *, unsafe: bool) -> FixResult:
    """Return the result when there is nothing left to apply."""
    state = progress.state
    reason = next(iter(progress.unsettled.values()), None) if progress.is_given_up else None
    applicable = find_applicable(state, least_applicability(unsafe), progress.rejected, progress.unsettled)
    dropped = [(finding, note) for finding, why in applicable if (note := why or reason) is not None]
    fixable = find_applicable(progress.first, least_applicability(unsafe), {}, {})
    return FixResult(
        state.source.text,
        list(progress.applied),
        dropped,
        state.diagnostics,
        max(0, len(fixable) - len(dropped)) if progress.applied else 0,
    )


def least_applicability(unsafe: bool) -> Applicability:
    """Return the applicability that a fix must have to be applied."""
    return Applicability.UNSAFE if unsafe else Applicability.SAFE


def _restart(progress: Progress, restless: Mapping[str, str]) -> Progress:
    """Return the progress at the first text, without the rules that did not settle."""
    return begin(progress.first)._replace(
        unsettled={**progress.unsettled, **restless}, restarts=progress.restarts + 1
    )


def _swelling(fixes: Iterable[Diagnostic], room: int) -> str | None:
    """Return the rule whose fixes add most if all add more than there is room for, as one does that contains what it replaces."""
    added: Counter[str] = Counter()
    for diagnostic in fixes:
        added[diagnostic.rule] += sum(
            len(edit.text) - (edit.end - edit.start) for edit in select.edits_of(diagnostic)
        )
    return max(added, key=lambda rule: added[rule]) if added.total() > room else None


def _apply_harmless(
    state: FixState, chosen: list[Diagnostic], rejected: dict[FixKey, str]
) -> tuple[Source, Tree, list[Diagnostic]]:
    """Return the text after the fixes that together change only what they declare, and these fixes.

    Those that do damage alone are added to `rejected`, with the reason. If it is not known where the damage is done,
    the fixes of each rule are tried first, so that a bad rule does not use up the tries of the others. A fix that is
    harmful only with others waits for the next round.
    """

    def try_fixes(fixes: Sequence[Diagnostic]) -> tuple[Source, Tree, list[Damage]]:
        edits = collect_edits(state.source, fixes)
        source = edit_source(state.source, edits)
        tree = parse(source)
        damage = find_damage(state.tree, state.source.text, tree, source.text, edits)
        return (
            source,
            tree,
            damage or [Damage(reason, line) for line, reason in find_new_flaws(state.source.text, edits)],
        )

    source, tree, damage = try_fixes(chosen)
    if not damage:
        return source, tree, chosen
    search = Search(_places_of, lambda fixes: try_fixes(fixes)[2], MAX_TRIES)
    if suspects := search.find_suspects(chosen, damage):
        search.run(search.judge(chosen, suspects))
    else:
        rule_of = attrgetter("rule")
        search.run([[*group] for _, group in groupby(sorted(chosen, key=rule_of), rule_of)])
    rejected.update((fix_key(fix), reason) for fix, reason in search.harmful)
    kept = sorted(search.kept, key=select.first_offset)
    source = edit_source(state.source, collect_edits(state.source, kept)) if kept else state.source
    return source, parse(source), kept


def _places_of(fix: Diagnostic) -> list[Span]:
    return [Span(*edit[:2]) for edit in select.edits_of(fix)]
