"""Check that edits change only what they declare: a text's words, links and blocks, before and after.

Both trees are flattened to tokens in document order. Tokens that no edit declares must be the same sequence.
What is added and removed within the scope of an edit is counted, and judged by the edit's declared effect.
Blocks and links are compared even within the scope of an edit, unless its effect is one of the wide ones.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

from shelfread.core.diagnostics import Edit, Effect, Span
from shelfread.fixes.account import Accounts, Side, describe_difference, find_undeclared
from shelfread.fixes.edit_scope import NEWLINE, EditScope, find_edit_scopes
from shelfread.fixes.tokens import Token
from shelfread.markdown.node import Tree

_STRUCTURE = frozenset({"block", "list"})


class Damage(NamedTuple):
    """What edits change without declaring it, in words; `place` is where the edits that do it are, None if anywhere."""

    reason: str
    place: Span | None = None


def find_damage(
    before: Tree, before_text: str, after: Tree, after_text: str, edits: Sequence[Edit]
) -> list[Damage]:
    """Return what edits change without declaring it, an empty list if nothing.

    If all blocks stay, the damage in a block is done by edits in that block, so each damaged block is named. Otherwise
    only the most severe damage is returned.
    """
    scopes = find_edit_scopes(before, before_text, edits)
    old = Side(before, before_text, scopes, is_old=True)
    new = Side(after, after_text, scopes, is_old=False)
    # Lines that no edit touches are read word by word only if there is a difference.
    if old.references == new.references and not _compare(old, new, coarse=True):
        return []
    return _compare(old, new, coarse=False)


def _compare(old: Side, new: Side, *, coarse: bool) -> list[Damage]:
    kept, removed = old.divide(coarse=coarse)
    still_there, added = new.divide(coarse=coarse)
    damage = list(_in_scopes(old.scopes, added, removed))
    difference = describe_difference(kept, still_there)
    if difference is None:
        return damage
    lines = [0, *(match.end() for match in NEWLINE.finditer(old.text))]
    if old.references == new.references and _structure(kept) == _structure(still_there):
        in_blocks = list(_in_blocks(kept, still_there, lines))
        if not difference.is_moved or len(in_blocks) == 1:
            return [*in_blocks, *damage]
    return [Damage(f"{difference.reason} (line {bisect_right(lines, difference.offset)})")]


def _structure(tokens: Sequence[Token]) -> list[str]:
    return [token.value for token in tokens if token.kind in _STRUCTURE]


def _in_blocks(old: Sequence[Token], new: Sequence[Token], lines: Sequence[int]) -> Iterator[Damage]:
    """Yield the damage in each of the blocks, which are the same in both texts; `lines` are the offsets of lines."""
    for before, after in zip(_blocks(old), _blocks(new), strict=True):
        if difference := describe_difference(before, after):
            end = max((token.end for token in before), default=0)
            place = Span(before[0].start, end) if before and before[0].kind in _STRUCTURE else None
            yield Damage(f"{difference.reason} (line {bisect_right(lines, difference.offset)})", place)


def _blocks(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """Yield the tokens in front of the blocks, and those of each block."""
    first = 0
    for index, token in enumerate(tokens):
        if token.kind in _STRUCTURE:
            yield tokens[first:index]
            first = index
    yield tokens[first:]


def _in_scopes(scopes: Sequence[EditScope], added: Accounts, removed: Accounts) -> Iterator[Damage]:
    """Yield what edits add and remove without declaring it."""
    effects: dict[int, list[Effect]] = {}
    places: dict[int, list[Span]] = {}
    for scope in scopes:
        effects.setdefault(scope.account, []).extend(scope.effects)
        places.setdefault(scope.account, []).append(scope.before)
    for account, declared in effects.items():
        if reason := find_undeclared(declared, added[account], removed[account]):
            places_of = places[account]
            yield Damage(reason, places_of[0] if len(places_of) == 1 else None)


_UNTRIED = "too many changes at once would do damage: it was not tried"
_Change = TypeVar("_Change")


class Suspects(NamedTuple):
    """The changes in a place where damage shows, by their indexes, and whether others that are kept are there too."""

    indexes: Sequence[int]
    have_company: bool
    reason: str


class Search(Generic[_Change]):
    """Tries groups of changes of one text.

    The damage in a place is done by the changes of that place, and what is tried is tried in all places at once: few
    texts are read, however many changes are harmful. If the place is not known, groups are halved.
    """

    def __init__(
        self,
        places_of: Callable[[_Change], Iterable[Span]],
        find_damage: Callable[[Sequence[_Change]], Sequence[Damage]],
        most_tries: int,
    ) -> None:
        """`find_damage` returns the damage that changes do together; it is called `most_tries` times at most."""
        self.kept: list[_Change] = []  # changes that do no damage together
        # changes that do it alone, or were not tried, with the reason.
        self.harmful: list[tuple[_Change, str]] = []
        # changes that do it only beside those that are kept.
        self.harmful_together: list[tuple[_Change, str]] = []
        self._places_of, self._find_damage = places_of, find_damage
        self._tries_left = most_tries

    def run(self, groups: Iterable[Sequence[_Change]]) -> None:
        """Try all changes; those that do damage beside others at last, when all others are kept."""
        self._run(groups)
        late, self.harmful_together = self.harmful_together, []
        if late:
            self._run([[change for change, _ in late]])

    def find_suspects(self, group: Sequence[_Change], damage: Iterable[Damage]) -> list[Suspects]:
        """Return the suspects of each damage; none if one of them may be done anywhere."""
        tried, beside = _Places(map(self._places_of, group)), _Places(map(self._places_of, self.kept))
        found = []
        for reason, place in damage:
            if place is None or not (indexes := tried.at(place)):
                return []
            found.append(Suspects(indexes, bool(beside.at(place)), reason))
        return found

    def judge(self, group: Sequence[_Change], suspects: Iterable[Suspects]) -> list[list[_Change]]:
        """Reject the changes that are the only suspects of a place, and return groups of the others to be tried."""
        guilty: dict[int, Suspects] = {}
        halves: tuple[set[int], set[int]] = set(), set()
        for suspect in suspects:
            indexes = suspect.indexes
            if len(indexes) == 1:
                guilty.setdefault(indexes[0], suspect)
            else:
                halves[0].update(indexes[: len(indexes) // 2])
                halves[1].update(indexes[len(indexes) // 2 :])
        for index, suspect in guilty.items():
            rejected = self.harmful_together if suspect.have_company else self.harmful
            rejected.append((group[index], suspect.reason))
        first = halves[0] - guilty.keys()
        second = halves[1] - halves[0] - guilty.keys()
        others = set(range(len(group))) - halves[0] - halves[1] - guilty.keys()
        return [[group[index] for index in sorted(part)] for part in (others, first, second) if part]

    def _run(self, groups: Iterable[Sequence[_Change]]) -> None:
        pending = deque(groups)
        while pending:
            group = pending.popleft()
            if not self._tries_left:
                self.harmful += [(change, _UNTRIED) for change in group]
                continue
            self._tries_left -= 1
            tried = sorted([*self.kept, *group], key=lambda change: min(self._places_of(change)))
            if damage := self._find_damage(tried):
                anywhere = Suspects(range(len(group)), bool(self.kept), damage[0].reason)
                pending += self.judge(group, self.find_suspects(group, damage) or [anywhere])
            else:
                self.kept = tried


class _Places:
    """Where changes edit a text."""

    def __init__(self, changes: Iterable[Iterable[Span]]) -> None:
        self._places = sorted(
            (place.end, place.start, index) for index, places in enumerate(changes) for place in places
        )

    def at(self, place: Span) -> list[int]:
        """Return the indexes of the changes that edit or touch a place."""
        found = set()
        for position in range(bisect_left(self._places, (place.start,)), len(self._places)):
            _, start, index = self._places[position]
            if start > place.end:
                break
            found.add(index)
        return sorted(found)
