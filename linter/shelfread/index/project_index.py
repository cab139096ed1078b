"""The files of a project together: facts, anchors, references and titles."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from shelfread.document.generated import is_named
from shelfread.index.anchors import AnchorReference, slug_landmarks
from shelfread.index.duplicates.duplicate_index import DuplicateIndex
from shelfread.index.facts import Facts, is_in_material
from shelfread.index.location import Location


@dataclass(frozen=True, eq=False)
class ProjectIndex:
    """What is known of all files of a project; tables are computed on first use."""

    facts: Mapping[str, Facts]
    """By path."""
    location: Location
    duplicates: DuplicateIndex
    slugs: str = "github"
    """The rule for the anchors of headings: github or gitbook."""
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
    def generated(self) -> frozenset[str]:
        """The paths of lists that are generated, by their own comment or by a contributing guide beside them."""
        guides = [facts for facts in self.facts.values() if facts.generated_lists]
        return frozenset(
            path
            for path, facts in self.facts.items()
            if facts.is_generated
            or any(
                is_named(path, guide.path, guide.generated_lists) and path != guide.path for guide in guides
            )
        )

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
