"""The files of a project together: facts, anchors, references and titles."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from shelfread.document.generated import Generated, find_said
from shelfread.index.anchors import AnchorReference, slug_landmarks
from shelfread.index.disk import Location
from shelfread.index.duplicate_index import DuplicateIndex
from shelfread.index.facts import Facts, is_in_material

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
        """The lists that are generated, by their own comment or by a contributing guide beside them, by path.

        The piece that holds the comment is none of them.
        """
        lists = self.facts.items()
        guides = [(path, each.generated_lists) for path, each in lists if each.generated_lists]
        own = {path: each.generated for path, each in lists if each.generated and not self.collector(path)}
        said = {path: find_said(path, own.get(path), guides) for path in self.facts}
        return {path: each for path, each in said.items() if each}

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

    @cached_property
    def material(self) -> frozenset[str]:
        """The paths of pages of code or data that no page outside their folder links to."""
        pages = frozenset(filter(is_in_material, self.facts))
        if not pages or len(pages) == len(self.facts):
            return frozenset()
        return pages.difference(*(facts.material_links for facts in self.facts.values()))

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
