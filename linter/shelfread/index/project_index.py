"""The files of a project together: facts, anchors, references and titles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from shelfread.document.generated import is_named
from shelfread.index.anchors import Reference, slug_landmarks
from shelfread.index.duplicates.duplicate_index import DuplicateIndex
from shelfread.index.facts import Facts, is_in_material
from shelfread.index.location import Location


class _Amended(Mapping[str, Facts]):
    """The facts of a project, those of one of its files replaced; a copy for each file would take quadratic time."""

    def __init__(self, before: Mapping[str, Facts], changed: Facts) -> None:
        self._before, self._changed = before, changed

    def __getitem__(self, path: str) -> Facts:
        return self._changed if path == self._changed.path else self._before[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self._before)

    def __len__(self) -> int:
        return len(self._before)


@dataclass(frozen=True, eq=False)
class ProjectIndex:
    """What is known of all files of a project; tables are computed on first use."""

    facts: Mapping[str, Facts]
    """By path."""
    location: Location
    duplicates: DuplicateIndex
    slugs: str = "github"
    """The rule for the anchors of headings: github or gitbook."""
    original: ProjectIndex | None = None
    """The index before one file was fixed."""
    changed: Facts | None = None
    """The facts of that file."""
    _anchors: dict[str, tuple[str, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def anchors(self, path: str) -> tuple[str, ...] | None:
        """Return the anchors of a file, or None if the project has no such file."""
        if path not in self.facts:
            return None
        if self.original is not None and self.changed is not None and path != self.changed.path:
            return self.original.anchors(path)
        if path not in self._anchors:
            self._anchors[path] = slug_landmarks(self.facts[path].landmarks, self.slugs)
        return self._anchors[path]

    def references(self, path: str) -> Sequence[Reference]:
        """Return the project's links to anchors of a file."""
        if self.original is None or self.changed is None:
            return self._references.get(path, ())
        others = [link for link in self.original.references(path) if link.path != self.changed.path]
        return others + [link for link in self.changed.references if link.page == path]

    @cached_property
    def generated(self) -> frozenset[str]:
        """The paths of lists that are generated, by their own comment or by a contributing guide beside them."""
        if self.original is not None:
            return self.original.generated
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
        if self.original is not None:
            return self.original.material
        found = frozenset(filter(is_in_material, self.facts))
        if not found or len(found) == len(self.facts):
            return frozenset()
        return found.difference(*(facts.material_links for facts in self.facts.values()))

    @cached_property
    def titles(self) -> dict[str, list[str]]:
        """The paths of files by their first heading of level 1, folded to letters and digits."""
        if self.original is not None:
            return self.original.titles
        found: dict[str, list[str]] = {}
        for path, facts in self.facts.items():
            title = next((heading.text for heading in facts.landmarks if heading.level == 1), "")
            found.setdefault("".join(filter(str.isalnum, title.casefold())), []).append(path)
        return found

    def amended(self, changed: Facts) -> ProjectIndex:
        """Return the index for checks of one fixed file; what it holds of the others stays, in constant time."""
        original = self.original or self
        facts = _Amended(original.facts, changed)
        duplicates = original.duplicates.amended(facts, changed)
        return replace(original, facts=facts, duplicates=duplicates, original=original, changed=changed)

    def with_files(self, *changed: Facts) -> ProjectIndex:
        """Return the index of the project with the new facts of changed files."""
        facts = {**self.facts, **{facts.path: facts for facts in changed}}
        return replace(self, facts=facts, duplicates=self.duplicates.with_files(facts))

    @cached_property
    def _references(self) -> dict[str, list[Reference]]:
        found: dict[str, list[Reference]] = {}
        for facts in self.facts.values():
            for reference in facts.references:
                found.setdefault(reference.page, []).append(reference)
        return found
