"""What kind of list each file of a project is."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shelfread.index.index import Survey

_LEAST_ENTRIES = 10
"""Below so many entries a file's own share of papers says little, and the project's counts."""


def find_presets(survey: Survey) -> dict[str, tuple[str, ...]]:
    """The presets of each file."""
    entries = sum(facts.entries for facts in survey.facts.values())
    papers = sum(facts.papers for facts in survey.facts.values())
    subjects = ["taxonomy"] if survey.taxonomy.concepts or survey.taxonomy.entry else []
    readme = _awesome_readme(survey)
    found: dict[str, tuple[str, ...]] = {}
    for path, facts in survey.facts.items():
        own = facts.entries >= _LEAST_ENTRIES or entries == 0
        share = facts.papers / max(facts.entries, 1) if own else papers / max(entries, 1)
        awesome = facts.awesome or path == readme
        detected = [*(["papers"] if share >= 0.5 else []), *(["awesome"] if awesome else [])]
        found[path] = ("core", *detected, *subjects)
    return found


def _awesome_readme(survey: Survey) -> str | None:
    """The readme that does not say what it is, but its repository's name does."""
    for path, facts in survey.facts.items():
        folder, name = os.path.split(path)
        if facts.awesome or facts.entries < _LEAST_ENTRIES or not name.lower().startswith("readme."):
            continue
        repository = survey.repository
        if repository is None or not repository.is_awesome:
            break
        if os.path.realpath(folder or ".") == repository.root:
            return path
    return None
