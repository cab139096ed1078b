"""What a project lists more than once, for rules."""

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

_MIN_REPEATS = 3


@dataclass(frozen=True)
class DuplicateIndex:
    """Identities over all files of a project; tables are computed on first use."""

    facts: Mapping[str, Facts]
    base_facts: Mapping[str, Facts] | None = None
    """The files at the commit since which findings are reported."""
    base_paths: Mapping[str, str | None] = field(default_factory=dict)
    """The path that each file had in that commit; None for a new file."""
    original: DuplicateIndex | None = None
    """The index before any fix of this run, so that a first listing remains the first."""

    @cached_property
    def first_listings(self) -> dict[str, Listing]:
        """The first listing of each identity key."""
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
        """The files that repeat more than one entry in twenty, which is then intended."""
        counts = {path: (len(self.repeats(path)), facts.entries) for path, facts in self.facts.items()}
        return frozenset(
            path
            for path, (count, entries) in counts.items()
            if count >= _MIN_REPEATS and count * 20 > entries
        )

    def repeats(self, path: str) -> dict[int, Repeat]:
        """Return the entries of a file that repeat an earlier one, by their index in the file."""
        return find_repeats(self.facts[path], self.first_listings, self._near_titles, self._added)

    def other_listings(self, listing: Listing) -> Iterator[tuple[Listing, str]]:
        """Yield the other listings of a paper in the project, each with the identity key that both have."""
        return other_listings(listing, self._papers, self._near_titles)

    def listings(self, key: str) -> list[Listing]:
        """Return the listings of a paper under one identity key; empty if there is only one."""
        return self._papers.get(key, [])

    def repeated(self, path: str) -> Iterator[Listing]:
        """Yield the papers of a file that the project lists more than once, with differences."""
        papers, near = self._papers, self._near_titles
        last = -1
        for key, listing in self.facts[path].identities:
            if (key in papers or listing.title in near) and listing.entry != last and listing.keys:
                last = listing.entry
                yield listing

    def amended(self, facts: Mapping[str, Facts]) -> DuplicateIndex:
        """Return the index of a project in which files were fixed."""
        return replace(self, facts=facts, original=self.original or self)

    @cached_property
    def _added(self) -> dict[str, frozenset[str]]:
        """The identity keys of each file that are new since the base commit."""
        return {} if self.base_facts is None else added_keys(self.facts, self.base_facts, self.base_paths)

    @cached_property
    def _papers(self) -> Papers:
        return group_papers(self.facts, self._near_titles)

    @cached_property
    def _near_titles(self) -> dict[str, str]:
        return near_titles_of(self.facts)
