"""Hierarchies of concepts as graphs: circles, and what is above a concept. All of it takes linear time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from graphlib import CycleError, TopologicalSorter
from typing import NamedTuple

Broader = Mapping[str, Sequence[str]]  # the broader concepts of each, all of which are keys too


def cycles(broader: Broader) -> Iterator[list[str]]:
    """Yield cycles of concepts that are broader than each other, `[a, b, a]`; no concept is in two of them."""
    left = broader.keys() - set(_broadest_first(broader))
    found_from: dict[str, str] = {}
    for start in broader:
        way: list[str] = []
        id = start
        # Each that is left has a broader one that is left.
        while id in left and id not in found_from:
            found_from[id] = start
            way.append(id)
            id = next(other for other in broader[id] if other in left)
        if id in way:
            yield [*way[way.index(id) :], id]


class Ancestors(NamedTuple):
    """All that is above each concept as a set of bits, nothing for those in and below cycles."""

    bits: Mapping[str, int]
    # the bit of each concept that is above another one: most of a large vocabulary are not.
    positions: Mapping[str, int]

    def has(self, id: str, other: str) -> bool:
        """Return whether another concept is above one."""
        return self.is_in(self.bits[id], other)

    def is_in(self, bits: int, other: str) -> bool:
        position = self.positions.get(other)
        return position is not None and bool(bits >> position & 1)


def ancestors(broader: Broader) -> Ancestors:
    """Return all that is above each concept."""
    above_others = {other for others in broader.values() for other in others}
    positions: dict[str, int] = {}
    found = dict.fromkeys(broader, 0)
    for id in _broadest_first(broader):
        for other in broader[id]:
            found[id] |= found[other] | 1 << positions[other]
        if id in above_others:
            positions[id] = len(positions)
    return Ancestors(found, positions)


def clusters(neighbours: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Return the concepts that are connected, in whichever direction, the largest group first."""
    both: dict[str, list[str]] = {id: [] for id in neighbours}
    for id, others in neighbours.items():
        for other in others:
            both[id].append(other)
            both[other].append(id)
    seen: set[str] = set()
    found: list[list[str]] = []
    for id in both:
        if id in seen:
            continue
        seen.add(id)
        group = [id]
        for member in group:  # grows as it is read
            for other in both[member]:
                if other not in seen:
                    seen.add(other)
                    group.append(other)
        found.append(group)
    return sorted(found, key=len, reverse=True)


def _broadest_first(broader: Broader) -> list[str]:
    """Return the concepts that are neither in a cycle nor below one, those above others first."""
    sorter = TopologicalSorter(broader)
    with suppress(CycleError):  # those that no cycle holds up can be had all the same
        sorter.prepare()
    found: list[str] = []
    while ready := sorter.get_ready():
        found += ready
        sorter.done(*ready)
    return found
