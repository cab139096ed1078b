"""The lists that PATH names, by project, and the taxonomy that a command is about or that they are compared with."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from shelfread.core.errors import ConfigError, UserError, need
from shelfread.document.model import Document
from shelfread.engine.load_save import load_files
from shelfread.index.context import RuleContext, build_context
from shelfread.mapping.mapped_headings import BundledComparison, choose_bundled
from shelfread.project.files import Project, find_config, find_inputs
from shelfread.taxonomy.chain import bundled_names, read_named
from shelfread.taxonomy.integrity import Issue
from shelfread.taxonomy.load import load, load_from, vocabulary
from shelfread.taxonomy.problems import find_issues
from shelfread.taxonomy.skos import SYNTAXES
from shelfread.taxonomy.taxonomy import Taxonomy


def taxonomy_name(given: str | None, config: str | None, isolated: bool) -> str:
    """Return the name or file that was given, else that of the configuration. Raises ConfigError if there is none."""
    name = given or find_config(config, isolated).taxonomy
    if name is None:
        known = ", ".join(bundled_names())
        raise ConfigError(f"no taxonomy: name {known} or a file, or set 'taxonomy' in the configuration")
    return name


def configured_taxonomy(*, taxonomy: str | None, config: str | None, isolated: bool) -> Taxonomy:
    """Return the named taxonomy, else that of the configuration, else the vocabulary alone."""
    return load(taxonomy or find_config(config, isolated).taxonomy)


def load_named(name: str) -> Taxonomy:
    """Return a bundled taxonomy, or that of a file or of REV:path."""
    return load_from(read_named(name), name)


def syntax_of(path: str) -> str | None:
    """Return the syntax of a file of RDF by the end of its name, or None for other files."""
    return SYNTAXES.get(Path(path).suffix.lower())


def issues_of(name: str, base: str | None) -> list[Issue]:
    """Return the issues of a bundled taxonomy, a file, REV:path, or a file of RDF."""
    syntax = syntax_of(name)
    if syntax and os.path.isfile(name):
        need("skos", "RDF")
        from shelfread.taxonomy.skos.importing import rdf_issues

        return rdf_issues(name, syntax, base)
    return find_issues(read_named(name), vocabulary())


def export_taxonomy(given: str | None, config: str | None, isolated: bool) -> Taxonomy:
    """Return the named taxonomy, else that of the configuration. Raises ConfigError if it has nothing to export."""
    taxonomy = load_named(taxonomy_name(given, config, isolated))
    if not (taxonomy.concepts or taxonomy.forms):
        raise ConfigError("no concepts to export: name another taxonomy")
    return taxonomy


class ProjectLists(NamedTuple):
    """The lists of one project that PATH names, and their taxonomy."""

    project: Project
    documents: Sequence[Document]
    context: RuleContext
    # how many headings each bundled taxonomy knows, if none is configured; the best one is used.
    comparison: BundledComparison | None

    @property
    def taxonomy(self) -> Taxonomy:
        return self.context.taxonomy


def read_lists(
    paths: Sequence[str], *, taxonomy: str | None, config: str | None, isolated: bool, errors: list[UserError]
) -> ProjectLists:
    """Return the lists of the project that PATH names; raises ConfigError for several, and appends an error for each unreadable one."""
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
    if errors and not loaded.documents:
        raise errors.pop(0)
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
