"""Find the fixes that do no damage, among many of which some do."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from shelfread.core.diagnostics import Diagnostic, Edit, Span
from shelfread.fixes import select
from shelfread.fixes.apply import collect_edits, edit_source
from shelfread.fixes.select import FixKey, FixState, fix_key
from shelfread.fixes.verify.conservation import Damage, find_damage
from shelfread.fixes.verify.flaws import find_new_flaws
from shelfread.markdown.node import Tree
from shelfread.markdown.parse import parse

MAX_TRIES = 100
"""How many texts are parsed at most to find the fixes of one round that do damage."""

_UNTRIED = "too many fixes of one round would do damage: it was not tried"


def find_harm(before: Tree, text: str, after: Tree, after_text: str, edits: Sequence[Edit]) -> list[Damage]:
    """Return what edits change without declaring it, or if nothing, what they spoil on their lines."""
    if damage := find_damage(before, text, after, after_text, edits):
        return damage
    return [Damage(reason, line) for line, reason in find_new_flaws(text, edits)]


def find_harmless(
    state: FixState, fixes: list[Diagnostic], damage: Sequence[Damage], rejected: dict[FixKey, str]
) -> list[Diagnostic]:
    """Return fixes that do no damage together, and add those that do it alone to `rejected`, with the reason.

    `damage` is that of all fixes together. The damage in a place is done by the fixes of that place, and what is
    tried is tried in all places at once: few parses, however many fixes are harmful. If the place is not known,
    groups are halved, those of each rule first, so that a bad rule does not use up the tries of the others. A fix
    that is harmful only with others waits for the next round.
    """
    search = _Search(state, rejected)
    rule_of = attrgetter("rule")
    if suspects := _suspects(fixes, [], damage):
        groups = search.judge(fixes, suspects, [])
    else:
        groups = [list(group) for _, group in groupby(sorted(fixes, key=rule_of), rule_of)]
    late: list[Diagnostic] = []
    kept = search.run(groups, late)
    if late:
        search.run([late], [])
    return sorted(kept, key=select.first_offset)


class _Suspects(NamedTuple):
    """The fixes in a place where damage shows, by their indexes, and whether others that are kept are there too."""

    indexes: Sequence[int]
    have_company: bool
    reason: str


def _suspects(
    fixes: Sequence[Diagnostic], kept: Sequence[Diagnostic], damage: Iterable[Damage]
) -> list[_Suspects]:
    """Return the suspects of each damage; none if one of them may be done anywhere."""
    tried, beside = _Places(fixes), _Places(kept)
    found = []
    for reason, place in damage:
        if place is None or not (indexes := tried.at(place)):
            return []
        found.append(_Suspects(indexes, bool(beside.at(place)), reason))
    return found


class _Places:
    """Where fixes edit a text."""

    def __init__(self, fixes: Iterable[Diagnostic]) -> None:
        self._edits = sorted(
            (edit.end, edit.start, index) for index, fix in enumerate(fixes) for edit in select.edits_of(fix)
        )

    def at(self, place: Span) -> list[int]:
        """Return the indexes of the fixes that edit or touch a place."""
        found = set()
        for position in range(bisect_left(self._edits, (place.start,)), len(self._edits)):
            _, start, index = self._edits[position]
            if start > place.end:
                break
            found.add(index)
        return sorted(found)


class _Search:
    """Tries groups of fixes of one text."""

    def __init__(self, state: FixState, rejected: dict[FixKey, str]) -> None:
        self._state = state
        self._rejected = rejected
        self._tries = 0

    def run(self, groups: Iterable[list[Diagnostic]], late: list[Diagnostic]) -> list[Diagnostic]:
        """Return fixes that do no damage together; what may do it only beside these is added to `late`."""
        kept: list[Diagnostic] = []
        pending = deque(groups)
        while pending:
            group = pending.popleft()
            if self._tries == MAX_TRIES:
                self._rejected.update((fix_key(fix), _UNTRIED) for fix in group)
            elif damage := self._try([*kept, *group]):
                anywhere = _Suspects(range(len(group)), bool(kept), damage[0].reason)
                pending += self.judge(group, _suspects(group, kept, damage) or [anywhere], late)
            else:
                kept += group
        return kept

    def judge(
        self, group: Sequence[Diagnostic], suspects: Iterable[_Suspects], late: list[Diagnostic]
    ) -> list[list[Diagnostic]]:
        """Reject the fixes that are the only suspects of a place, and return groups of the others to be tried."""
        guilty: dict[int, _Suspects] = {}
        halves: tuple[set[int], set[int]] = set(), set()
        for suspect in suspects:
            indexes = suspect.indexes
            if len(indexes) == 1:
                guilty.setdefault(indexes[0], suspect)
            else:
                halves[0].update(indexes[: len(indexes) // 2])
                halves[1].update(indexes[len(indexes) // 2 :])
        for index, suspect in guilty.items():
            if suspect.have_company:
                late.append(group[index])
            else:
                self._rejected[fix_key(group[index])] = suspect.reason
        first = halves[0] - guilty.keys()
        second = halves[1] - halves[0] - guilty.keys()
        others = set(range(len(group))) - halves[0] - halves[1] - guilty.keys()
        return [[group[index] for index in sorted(part)] for part in (others, first, second) if part]

    def _try(self, fixes: Sequence[Diagnostic]) -> list[Damage]:
        self._tries += 1
        source, tree = self._state.source, self._state.tree
        edits = collect_edits(source, fixes)
        after = edit_source(source, edits)
        return find_harm(tree, source.text, parse(after), after.text, edits)
