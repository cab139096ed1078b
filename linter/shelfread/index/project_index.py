"""The files of a project together: facts, anchors, references, titles, and where they are on disk."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ParamSpec, TypeVar

from shelfread.index.anchors.anchors import slug_landmarks
from shelfread.index.anchors.references import Reference
from shelfread.index.duplicates.duplicate_index import DuplicateIndex
from shelfread.index.facts import Facts
from shelfread.index.repository import Repository, find_repository

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Location:
    """Where the files of a project are. Fixes do not change it."""

    paths: tuple[str, ...]
    folders: Mapping[str, frozenset[str]] | None = None
    """The content of each folder at a commit, by its path from the root; None if the files are on disk."""
    _computed: dict[tuple[Any, ...], Any] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def folder(self) -> str:
        """The absolute path of the folder that holds all files, symbolic links resolved."""
        folders = {os.path.realpath(os.path.dirname(path) or ".") for path in self.paths}
        try:
            return os.path.commonpath(folders or {os.path.realpath(".")})
        except ValueError:  # several drives
            return os.path.realpath(".")

    @cached_property
    def by_folder(self) -> dict[str, list[str]]:
        """The paths of the files in each folder."""
        found: dict[str, list[str]] = {}
        for path in self.paths:
            found.setdefault(os.path.dirname(path), []).append(path)
        return found

    @cached_property
    def repository(self) -> Repository | None:
        """The repository that holds all files."""
        return find_repository(self.folder)

    def once(self, compute: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return what `compute` returns, computed once per run; for what is read from disk or git."""
        key = (compute, *args)
        if key not in self._computed:
            self._computed[key] = compute(*args, **kwargs)
        found: T = self._computed[key]
        return found


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

    def references(self, path: str) -> Sequence[Reference]:
        """Return the project's links to anchors of a file."""
        return self._references.get(path, ())

    @cached_property
    def titles(self) -> dict[str, list[str]]:
        """The paths of files by their first heading of level 1, folded to letters and digits."""
        found: dict[str, list[str]] = {}
        for path, facts in self.facts.items():
            title = next((heading.text for heading in facts.landmarks if heading.level == 1), "")
            found.setdefault("".join(filter(str.isalnum, title.casefold())), []).append(path)
        return found

    def amended(self, *changed: Facts) -> ProjectIndex:
        """Return the index with the new facts of changed files."""
        facts = {**self.facts, **{facts.path: facts for facts in changed}}
        index = replace(self, facts=facts, duplicates=self.duplicates.amended(facts))
        index._anchors.update(self._anchors)
        for amended in changed:
            index._anchors.pop(amended.path, None)
        return index

    @cached_property
    def _references(self) -> dict[str, list[Reference]]:
        found: dict[str, list[Reference]] = {}
        for facts in self.facts.values():
            for reference in facts.references:
                found.setdefault(reference.page, []).append(reference)
        return found
