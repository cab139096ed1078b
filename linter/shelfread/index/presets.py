"""Which presets hold for each file of a project."""

from __future__ import annotations

import os

from shelfread.index.context import RuleContext

_MIN_ENTRIES = 10
"""In a file with fewer entries the share of papers of the whole project counts."""


def find_presets(context: RuleContext) -> dict[str, tuple[str, ...]]:
    """Return the presets of each file: core, papers and awesome as detected, taxonomy if the project has one."""
    files = context.project.facts
    entries = sum(facts.entries for facts in files.values())
    papers = sum(facts.papers for facts in files.values())
    taxonomy = ["taxonomy"] if context.taxonomy.concepts or context.taxonomy.entry else []
    readme = _awesome_readme(context)
    presets: dict[str, tuple[str, ...]] = {}
    for path, facts in files.items():
        own = facts.entries >= _MIN_ENTRIES or entries == 0
        share = facts.papers / max(facts.entries, 1) if own else papers / max(entries, 1)
        awesome = facts.awesome or path == readme
        detected = [*(["papers"] if share >= 0.5 else []), *(["awesome"] if awesome else [])]
        presets[path] = ("core", *detected, *taxonomy)
    return presets


def _awesome_readme(context: RuleContext) -> str | None:
    """Return the readme of a repository whose name says that it is an awesome list, if the readme does not."""
    for path, facts in context.project.facts.items():
        folder, name = os.path.split(path)
        if facts.awesome or facts.entries < _MIN_ENTRIES or not name.lower().startswith("readme."):
            continue
        repository = context.disk.repository(context.project_folder())
        if repository is None or not repository.is_awesome:
            break
        if context.disk.real_path(folder) == repository.root:
            return path
    return None
