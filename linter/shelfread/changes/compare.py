"""Two states of a project's lists, compared entry by entry."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from shelfread.changes.entries import list_entries, list_sections
from shelfread.changes.field_diff import changed_fields
from shelfread.changes.match import pair_entries, unpaired
from shelfread.changes.model import ChangedEntry, Comparison, ListedEntry, Pair, Reorder, SectionPath
from shelfread.changes.sections import count_entries, match_sections, section_after, section_changes
from shelfread.document.model import Document


def compare(before: Sequence[Document], after: Sequence[Document]) -> Comparison:
    """What became of the entries of some documents in others."""
    old, new = list_entries(before), list_entries(after)
    place = {one: at for at, one in enumerate(new)}
    pairs = sorted(pair_entries(old, new), key=lambda pair: place[pair.after])
    gone, come = unpaired(old, new, pairs)
    old_shelves, new_shelves = list_sections(before), list_sections(after)
    renamed = match_sections(pairs, old_shelves, new_shelves)
    moved: list[Pair] = []
    kept: list[Pair] = []
    for pair in pairs:
        here = section_after(pair.before.section, renamed) == pair.after.section
        (kept if here else moved).append(pair)
    changed: list[ChangedEntry] = []
    reformatted: list[Pair] = []
    for pair in pairs:
        fields = changed_fields(pair)
        if fields:
            changed.append(ChangedEntry(*pair, fields))
        elif pair.before.text != pair.after.text:
            reformatted.append(pair)
    sizes = count_entries(one.section for one in old), count_entries(one.section for one in new)
    return Comparison(
        tuple(come),
        tuple(gone),
        tuple(moved),
        tuple(changed),
        tuple(reformatted),
        tuple(_reordered(kept, {one: at for at, one in enumerate(old)})),
        tuple(section_changes(old_shelves, new_shelves, renamed, sizes)),
        _titles(old_shelves) | _titles(new_shelves),
    )


def _titles(shelves: Iterable[SectionPath]) -> frozenset[SectionPath]:
    """The sections at the head of a file that hold more than half of its sections."""
    files: dict[str, list[SectionPath]] = {}
    for shelf in shelves:
        if shelf.titles:
            files.setdefault(shelf.path, []).append(shelf)
    return frozenset(
        found[0]
        for found in files.values()
        if sum(shelf.titles[:1] == found[0].titles for shelf in found) * 2 > len(found)
    )


def _reordered(kept: Iterable[Pair], place: dict[ListedEntry, int]) -> Iterable[Reorder]:
    """The sections whose entries are in another order; `place` is where each stood among all."""
    shelves: dict[SectionPath, list[int]] = {}
    for pair in kept:
        shelves.setdefault(pair.after.section, []).append(place[pair.before])
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
