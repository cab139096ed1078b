"""Hierarchies of concepts as graphs: circles, and what is above a concept. All of it takes linear time."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

Broader = Mapping[str, Sequence[str]]  # the broader concepts of each, all of which are keys too


def cycles(broader: Broader) -> Iterator[list[str]]:
    """Yield a shortest cycle of each group of concepts that are broader than each other: `[a, b, a]`."""
    for group in _groups(broader):
        first = group[0]
        if len(group) > 1 or first in broader[first]:
            yield _cycle(first, broader)


class Ancestors(NamedTuple):
    """All that is above each concept as a set of bits, without those of its own cycle."""

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
    """Return all that is above each concept, without those of its own cycle."""
    above_others = {other for others in broader.values() for other in others}
    positions: dict[str, int] = {}
    found: dict[str, int] = {}
    for group in _groups(broader):
        members = set(group)
        above = 0
        for id in group:
            for other in broader[id]:
                if other not in members:
                    above |= found[other] | 1 << positions[other]
        found |= dict.fromkeys(group, above)
        for id in group:
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


def _cycle(start: str, broader: Broader) -> list[str]:
    """Return the shortest way from a concept up to itself."""
    came_from: dict[str, str] = {}
    queue = deque([start])
    while queue:
        id = queue.popleft()
        for other in broader[id]:
            if other == start:
                way = [start, id]
                while way[-1] != start:
                    way.append(came_from[way[-1]])
                return way[::-1]
            if other not in came_from:
                came_from[other] = id
                queue.append(other)
    raise AssertionError("no concept of a group is without a way back")


def _groups(broader: Broader) -> Iterator[list[str]]:
    """Yield the strongly connected groups, those above others first (Tarjan's algorithm, without recursion)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    waiting: set[str] = set()
    for root in broader:
        if root in index:
            continue
        work = [(root, iter(broader[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        waiting.add(root)
        while work:
            id, above = work[-1]
            for other in above:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    waiting.add(other)
                    work.append((other, iter(broader[other])))
                    break
                if other in waiting:
                    low[id] = min(low[id], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[id])
                if low[id] == index[id]:
                    group = [stack.pop()]
                    while group[-1] != id:
                        group.append(stack.pop())
                    waiting.difference_update(group)
                    yield group[::-1]
