"""Compare two states of a project's lists entry by entry."""

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
    """Return what has changed from some documents to others."""
    old, new = list_entries(before), list_entries(after)
    position = {entry: index for index, entry in enumerate((*old, *new))}
    pairs = sorted(pair_entries(old, new), key=lambda pair: position[pair.after])
    removed, added = unpaired(old, new, pairs)
    old_sections, new_sections = list_sections(before), list_sections(after)
    renamed = match_sections(pairs, old_sections, new_sections)
    stays = {pair: section_after(pair.before.section, renamed) == pair.after.section for pair in pairs}
    changed: list[ChangedEntry] = []
    reformatted: list[Pair] = []
    for pair in pairs:
        if fields := changed_fields(pair):
            changed.append(ChangedEntry(*pair, fields))
        elif pair.before.text != pair.after.text:
            reformatted.append(pair)
    counts = count_entries(entry.section for entry in old), count_entries(entry.section for entry in new)
    return Comparison(
        added=tuple(added),
        removed=tuple(removed),
        moved=tuple(pair for pair in pairs if not stays[pair]),
        changed=tuple(changed),
        reformatted=tuple(reformatted),
        reordered=tuple(_find_reordered(filter(stays.get, pairs), position)),
        sections=tuple(section_changes(old_sections, new_sections, renamed, counts)),
        titles=_find_titles(old_sections) | _find_titles(new_sections),
    )


def _find_titles(sections: Iterable[SectionPath]) -> frozenset[SectionPath]:
    """Return the first section of each file that holds more than half of the file's sections."""
    files: dict[str, list[SectionPath]] = {}
    for section in sections:
        if section.titles:
            files.setdefault(section.path, []).append(section)
    return frozenset(
        found[0]
        for found in files.values()
        if sum(section.titles[:1] == found[0].titles for section in found) * 2 > len(found)
    )


def _find_reordered(kept: Iterable[Pair], position: dict[ListedEntry, int]) -> Iterable[Reorder]:
    orders: dict[SectionPath, list[int]] = {}
    for pair in kept:
        orders.setdefault(pair.after.section, []).append(position[pair.before])
    for section, order in orders.items():
        if moved := len(order) - _longest_increasing_length(order):
            yield Reorder(section, moved)


def _longest_increasing_length(numbers: Iterable[int]) -> int:
    ends: list[int] = []
    for number in numbers:
        index = bisect_left(ends, number)
        ends[index : index + 1] = [number]
    return len(ends)
