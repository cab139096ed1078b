"""What a project lists more than once, as rules ask for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from shelfread.index.duplicates.papers import Papers, group_papers, other_listings
from shelfread.index.duplicates.repeated import (
    Repeat,
    added_keys,
    find_repeats,
    first_listings,
    near_titles_of,
)
from shelfread.index.facts import Facts, Listing

_LEAST_REPEATS = 3


@dataclass(frozen=True)
class DuplicateIndex:
    """Identities over all files of a project; tables are made when they are asked for."""

    facts: Mapping[str, Facts]
    base_facts: Mapping[str, Facts] | None = None
    """The files at the commit since which findings are reported."""
    base_paths: Mapping[str, str | None] = field(default_factory=dict)
    """The path that each file had in that commit; None for a new file."""
    original: DuplicateIndex | None = None
    """The index before any fix of this run: what was listed first stays first."""

    @cached_property
    def first_listings(self) -> dict[str, Listing]:
        """Where each identity key is listed first."""
        if self.original is not None:
            return self.original.first_listings
        return first_listings(self.facts, self._near_titles, self._added)

    @cached_property
    def times(self) -> Counter[str]:
        """How often each identity key is listed."""
        if self.original is not None:
            return self.original.times
        return Counter([key for facts in self.facts.values() for key, _ in facts.identities])

    @cached_property
    def repeating(self) -> frozenset[str]:
        """The files that repeat more than one entry in twenty, which is then meant."""
        found = {path: len(self.repeats(path)) for path in self.facts}
        return frozenset(
            path
            for path, count in found.items()
            if count >= _LEAST_REPEATS and count * 20 > self.facts[path].entries
        )

    def repeats(self, path: str) -> dict[int, Repeat]:
        """Return the entries of a file that are listed before, by their index in the file."""
        return find_repeats(self.facts[path], self.first_listings, self._near_titles, self._added)

    def other_listings(self, listing: Listing) -> Iterator[tuple[Listing, str]]:
        """Yield the other listings of a paper in the project, each with the identity key that both have."""
        return other_listings(listing, self._papers, self._near_titles)

    def listings(self, key: str) -> list[Listing]:
        """Return the listings of a paper under one identity key; empty if there is only one."""
        return self._papers.get(key, [])

    def repeated(self, path: str) -> Iterator[Listing]:
        """Yield the papers of a file that the project lists more than once, in different words."""
        papers, near = self._papers, self._near_titles
        before = -1
        for key, listing in self.facts[path].identities:
            if (key in papers or listing.title in near) and listing.entry != before and listing.keys:
                before = listing.entry
                yield listing

    def amended(self, facts: Mapping[str, Facts]) -> DuplicateIndex:
        """Return the index of a project in which files were fixed."""
        return replace(self, facts=facts, original=self.original or self)

    @cached_property
    def _added(self) -> dict[str, frozenset[str]]:
        """The identity keys that each file has and had not at the base commit."""
        return {} if self.base_facts is None else added_keys(self.facts, self.base_facts, self.base_paths)

    @cached_property
    def _papers(self) -> Papers:
        return group_papers(self.facts, self._near_titles)

    @cached_property
    def _near_titles(self) -> dict[str, str]:
        return near_titles_of(self.facts)
