"""The files of a project together: facts, anchors, references and titles, and what they list more than once."""

from __future__ import annotations

import dataclasses
import posixpath
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from shelfread.document.generated import Generated, find_said
from shelfread.index.anchors import AnchorReference, slug_landmarks
from shelfread.index.disk import Location
from shelfread.index.facts import Facts, Listing
from shelfread.index.repeats import (
    NEAR,
    Papers,
    Repeat,
    find_repeats,
    group_papers,
    identities,
    is_same_paper,
    near_titles,
)

_MIN_REPEATS = 3


@dataclass(frozen=True, eq=False)
class DuplicateIndex:
    """Identities over all files of a project; tables are computed on first use."""

    facts: Mapping[str, Facts]
    base_facts: Mapping[str, Facts] | None = None  # the files at the commit since which findings are reported
    # the path that each file had in that commit; None for a new file.
    base_paths: Mapping[str, str | None] = field(default_factory=dict)
    # for each line of the changed files whether it is new or changed.
    changed_lines: Mapping[str, Sequence[bool]] = field(default_factory=dict)
    # the index whose first listings count, so that they remain the first; None for its own.
    firsts_of: DuplicateIndex | None = None

    @cached_property
    def first_listings(self) -> dict[str, Listing]:
        """The first listing of each identity key in order of paths and lines; new keys of a file come last."""
        if self.firsts_of is not None:
            return self.firsts_of.first_listings
        firsts: dict[str, Listing] = {}
        late: dict[str, Listing] = {}
        for path in sorted(self.facts):
            new = self._added.get(path, frozenset())
            for key, listing in identities(self.facts[path], self._near_titles):
                (late if key in new else firsts).setdefault(key, listing)
        return late | firsts

    @cached_property
    def times(self) -> Counter[str]:
        """How often each identity key is listed."""
        if self.firsts_of is not None:
            return self.firsts_of.times
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

    @cached_property
    def is_shared(self) -> bool:
        """Whether several files list many of the same things, as pages by subject and by conference do."""
        first: dict[str, str] = {}
        shared = {
            (path, listing.entry)
            for path in sorted(self.facts)
            for key, listing in self.facts[path].identities
            if first.setdefault(key, path) != path
        }
        return len(shared) >= _MIN_REPEATS

    def repeats(self, path: str) -> dict[int, Repeat]:
        """Return the entries of a file that repeat an earlier one, by their index in the file."""
        firsts = self.first_listings
        return find_repeats(
            self.facts[path], firsts, self._near_titles, self._added, self._new_entries.get(path, frozenset())
        )

    def other_listings(self, listing: Listing) -> Iterator[tuple[Listing, str]]:
        """Yield the other listings of a paper with the key that both have, the most reliable key first."""
        known = {listing[:2]}
        for key in (*listing.keys, f"{NEAR}{self._near_titles.get(listing.title)}"):
            for other in self._papers.get(key, ()):
                if other[:2] not in known and is_same_paper(listing, other, key):
                    known.add(other[:2])
                    yield other, key

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

    @cached_property
    def _added(self) -> dict[str, frozenset[str]]:
        """The identity keys of each file that are new since the base commit."""
        if self.base_facts is None:
            return {}
        keys, base_keys = (
            {path: frozenset([key for key, _ in file.identities]) for path, file in files.items()}
            for files in (self.facts, self.base_facts)
        )
        none = frozenset[str]()
        return {path: keys[path] - base_keys.get(self.base_paths.get(path) or "", none) for path in keys}

    @cached_property
    def _new_entries(self) -> dict[str, frozenset[int]]:
        """The indexes of the entries of each changed file that are new since the base commit."""
        entries: dict[str, frozenset[int]] = {}
        for path, facts in self.facts.items() if self.base_facts is not None else ():
            base = (self.base_facts or {}).get(self.base_paths.get(path) or "")
            if base is not None and base is not facts:
                entries[path] = self._find_new_entries(facts, base)
        return entries

    def _find_new_entries(self, facts: Facts, base: Facts) -> frozenset[int]:
        """Return the entries that a file lists more often than before; of equal ones those on changed lines."""
        changed = self.changed_lines.get(facts.path, ())
        on_changed = {
            listing.entry for _, listing in facts.identities if not changed or changed[listing.line - 1]
        }
        old = Counter((key, listing.section, listing.title) for key, listing in base.identities)
        named = {(key, listing.title) for key, listing in base.identities}  # their section may be renamed
        new = set[int]()
        for key, listing in sorted(facts.identities, key=lambda pair: pair[1].entry in on_changed):
            place = key, listing.section, listing.title
            old[place] -= 1
            if old[place] < 0 and (listing.entry in on_changed or (key, listing.title) not in named):
                new.add(listing.entry)
        return frozenset(new)

    def is_before(self, listing: Listing, other: Listing) -> bool:
        """Return whether a listing comes before another one by path and line; new ones come after the others."""
        new = [each.entry in self._new_entries.get(each.path, ()) for each in (listing, other)]
        return (new[0], listing.path, listing.entry) < (new[1], other.path, other.entry)

    @cached_property
    def _papers(self) -> Papers:
        return group_papers(self.facts, self._near_titles)

    @cached_property
    def _near_titles(self) -> dict[str, str]:
        """The folded titles of papers that are nearly equal to others, each with the first of its group."""
        titles: dict[str, str] = {}
        for path in sorted(self.facts):
            for _, listing in self.facts[path].identities:
                if listing.keys:
                    titles.setdefault(listing.title, listing.name)
        return near_titles(titles)


_LEAST_OF_PIECE = 2  # links to anchors by which a piece of a page is known
_MOST_COMPARED = 20  # the most pages with the same links to anchors among which a piece's page is looked for


@dataclass(frozen=True, eq=False)
class ProjectIndex:
    """What is known of all files of a project; tables are computed on first use."""

    facts: Mapping[str, Facts]  # by path
    location: Location
    duplicates: DuplicateIndex
    slugs: str = "github"  # the rule for the anchors of headings: github or gitbook
    _anchors: dict[str, tuple[str, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def anchors(self, path: str) -> tuple[str, ...] | None:
        """Return the anchors of a file, or None if the project has no such file."""
        if path not in self.facts:
            return None
        if path not in self._anchors:
            self._anchors[path] = slug_landmarks(self.facts[path].landmarks, self.slugs)
        return self._anchors[path]

    def references(self, path: str) -> Sequence[AnchorReference]:
        """Return the project's links to anchors of a file."""
        return self._references.get(path, ())

    @cached_property
    def generated(self) -> Mapping[str, Generated]:
        """The lists that are generated, by their own comment or a guide beside them, by path; not the piece that holds the comment."""
        lists = self.facts.items()
        guides = [(path, each.generated_lists) for path, each in lists if each.generated_lists]
        own = {path: each.generated for path, each in lists if each.generated and not self.collector(path)}
        said = {path: find_said(path, own.get(path), guides) for path in self.facts}
        return {path: each for path, each in said.items() if each}

    def made_of(self, path: str) -> str | None:
        """Return the list that is generated from a folder with this file; None if there is none."""
        parents = (path[:end] for end in range(len(path)) if path[end] == "/")
        return next((self._made[folder] for folder in parents if folder in self._made), None)

    @cached_property
    def _made(self) -> dict[str, str]:
        folders = ((path, each.source) for path, each in self.generated.items() if each.source.endswith("/"))
        return {posixpath.normpath(posixpath.join(path, "..", source)): path for path, source in folders}

    def collector(self, path: str) -> str | None:
        """Return the page of the project that a script makes of a file and others; None if the file is a page itself.

        A piece's links to anchors (two at least) all miss in it, and that page has the anchors and the same links. A
        file such as `_intro.md` is a piece beside another one.
        """
        folder, _, name = path.rpartition("/")
        if path in self._collectors or not name.startswith("_"):
            return self._collectors.get(path)
        beside = (whole for piece, whole in self._collectors.items() if piece.rpartition("/")[0] == folder)
        return next(beside, None)

    @cached_property
    def _collectors(self) -> dict[str, str]:
        linked = {
            path: {reference.anchor for reference in references if reference.path == path}
            for path, references in self._references.items()
            if path in self.facts
        }
        by_anchors: dict[str, list[str]] = {}
        for path, anchors in linked.items():
            for anchor in anchors:
                by_anchors.setdefault(anchor, []).append(path)
        collectors = {}
        for path, anchors in linked.items():
            if len(anchors) < _LEAST_OF_PIECE or not anchors.isdisjoint(self.anchors(path) or ()):
                continue
            rarest = min(
                (by_anchors[anchor] for anchor in anchors), key=lambda pages: (len(pages) < 2, len(pages))
            )
            for whole in rarest[:_MOST_COMPARED]:
                shared = anchors & linked[whole] & {*(self.anchors(whole) or ())} if whole != path else ()
                if len(shared) * 10 >= len(anchors) * 9:
                    collectors[path] = whole
        return collectors

    def with_files(self, *changed: Facts) -> ProjectIndex:
        """Return the index of the project with the new facts of changed files."""
        facts = {**self.facts, **{facts.path: facts for facts in changed}}
        return dataclasses.replace(
            self,
            facts=facts,
            duplicates=dataclasses.replace(self.duplicates, facts=facts, firsts_of=self.duplicates),
        )

    @cached_property
    def _references(self) -> dict[str, list[AnchorReference]]:
        references: dict[str, list[AnchorReference]] = {}
        for facts in self.facts.values():
            for reference in facts.references:
                references.setdefault(reference.page, []).append(reference)
        return references
