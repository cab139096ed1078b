"""Two states of a project's lists, compared entry by entry."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from shelfread.changes.entries import list_entries, list_shelves
from shelfread.changes.field_diff import changed_fields
from shelfread.changes.match import left, pair_entries
from shelfread.changes.model import Altered, Comparison, Listed, Pair, Reorder, SectionPath
from shelfread.changes.sections import changed_shelves, follow, rename_shelves, sizes_of
from shelfread.document.model import Document


def compare(before: Sequence[Document], after: Sequence[Document]) -> Comparison:
    """What became of the entries of some documents in others."""
    old, new = list_entries(before), list_entries(after)
    place = {one: at for at, one in enumerate(new)}
    pairs = sorted(pair_entries(old, new), key=lambda pair: place[pair.after])
    gone, come = left(old, new, pairs)
    old_shelves, new_shelves = list_shelves(before), list_shelves(after)
    renamed = rename_shelves(pairs, old_shelves, new_shelves)
    moved: list[Pair] = []
    kept: list[Pair] = []
    for pair in pairs:
        here = follow(pair.before.shelf, renamed) == pair.after.shelf
        (kept if here else moved).append(pair)
    changed: list[Altered] = []
    reformatted: list[Pair] = []
    for pair in pairs:
        fields = changed_fields(pair)
        if fields:
            changed.append(Altered(*pair, fields))
        elif pair.before.text != pair.after.text:
            reformatted.append(pair)
    sizes = sizes_of(one.shelf for one in old), sizes_of(one.shelf for one in new)
    return Comparison(
        tuple(come),
        tuple(gone),
        tuple(moved),
        tuple(changed),
        tuple(reformatted),
        tuple(_reordered(kept, {one: at for at, one in enumerate(old)})),
        tuple(changed_shelves(old_shelves, new_shelves, renamed, sizes)),
        _titles(old_shelves) | _titles(new_shelves),
    )


def _titles(shelves: Iterable[SectionPath]) -> frozenset[SectionPath]:
    """The sections at the head of a file that hold more than half of its sections."""
    files: dict[str, list[SectionPath]] = {}
    for shelf in shelves:
        if shelf.section:
            files.setdefault(shelf.path, []).append(shelf)
    return frozenset(
        found[0]
        for found in files.values()
        if sum(shelf.section[:1] == found[0].section for shelf in found) * 2 > len(found)
    )


def _reordered(kept: Iterable[Pair], place: dict[Listed, int]) -> Iterable[Reorder]:
    """The sections whose entries are in another order; `place` is where each stood among all."""
    shelves: dict[SectionPath, list[int]] = {}
    for pair in kept:
        shelves.setdefault(pair.after.shelf, []).append(place[pair.before])
    for shelf, order in shelves.items():
        moved = len(order) - _longest_run(order)
        if moved:
            yield Reorder(shelf, moved)


def _longest_run(order: Iterable[int]) -> int:
    """How many numbers of a sequence, at most, stand in rising order."""
    ends: list[int] = []
    for number in order:
        at = bisect_left(ends, number)
        ends[at : at + 1] = [number]
    return len(ends)
