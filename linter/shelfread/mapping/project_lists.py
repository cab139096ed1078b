"""The lists that PATH names, by project, with the taxonomy that they are compared with."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple

from shelfread.core.errors import ConfigError, UserError
from shelfread.document.model import Document
from shelfread.engine.load import load_files
from shelfread.index.context import RuleContext, build_context
from shelfread.mapping.mapped_headings import BundledComparison, choose_bundled
from shelfread.mapping.named_taxonomies import syntax_of
from shelfread.project.files import Project
from shelfread.project.named_inputs import find_inputs
from shelfread.taxonomy.chain import bundled_names
from shelfread.taxonomy.load import load
from shelfread.taxonomy.taxonomy import Taxonomy


class ProjectLists(NamedTuple):
    """The lists of one project that PATH names, and their taxonomy."""

    project: Project
    documents: Sequence[Document]
    context: RuleContext
    comparison: BundledComparison | None
    """How many headings each bundled taxonomy knows, if none is configured; the best one is used."""

    @property
    def taxonomy(self) -> Taxonomy:
        return self.context.taxonomy


def read_lists(
    paths: Sequence[str],
    *,
    taxonomy: str | None,
    config: str | None,
    isolated: bool,
    errors: list[UserError],
) -> ProjectLists:
    """Return the lists of the project that PATH names; appends an error for each unreadable file to `errors`.

    Raises ConfigError if PATH names lists of several projects, or a taxonomy.
    """
    for path in paths:
        _refuse_taxonomy(path)
    projects, wrong = find_inputs(paths, config, isolated, {})
    errors += wrong
    named = [project for project in projects if project.reported]
    if len(named) > 1 and not taxonomy:
        configs = [str(project.config.path) for project in named if project.config.path]
        raise ConfigError(f"lists of {len(named)} projects ({', '.join(configs)}): name those of one")
    if not named:
        raise errors.pop(0) if errors else ConfigError("no lists: name Markdown files, or a folder with some")
    project = named[0]._replace(
        reported=tuple(path for each in named for path in each.reported),
        others=tuple(dict.fromkeys(path for each in named for path in each.others)),
    )
    name = taxonomy or project.config.taxonomy
    subjects = load(name)
    loaded = load_files(project.reported, project.others, subjects.vocabulary)
    errors += (loaded.errors[path] for path in project.reported if path in loaded.errors)
    documents = list(loaded.documents.values())
    context = build_context(loaded.facts, subjects, project.config.slugs)
    if subjects.concepts or (name is not None and name not in bundled_names()):
        return ProjectLists(project, documents, context, None)
    comparison = choose_bundled(documents, context)
    context = build_context(loaded.facts, load(comparison.best), project.config.slugs)
    return ProjectLists(project, documents, context, comparison)


def _refuse_taxonomy(path: str) -> None:
    """Raise ConfigError for the name or the file of a taxonomy, which would be read as an empty list."""
    if syntax_of(path):
        raise ConfigError("not a list: 'shelfread taxonomy import' makes a taxonomy of it", path)
    is_name = path in bundled_names() and not os.path.lexists(path)
    if is_name or path.lower().endswith((".yaml", ".yml")):
        raise ConfigError(f"not a list: name a taxonomy with --taxonomy {path}", path)
