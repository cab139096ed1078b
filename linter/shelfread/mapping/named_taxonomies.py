"""The taxonomy that a command is about: a bundled one, a file, a file of RDF, or that of the configuration."""

from __future__ import annotations

import os
from pathlib import Path

from shelfread.core.errors import ConfigError, InputError
from shelfread.core.extras import need
from shelfread.project.named_inputs import find_config
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


def issues_of(name: str, base: str | None = None) -> list[Issue]:
    """Return the issues of a bundled taxonomy, a file, REV:path, or a file of RDF."""
    syntax = syntax_of(name)
    if syntax and os.path.isfile(name):
        need("skos", "RDF")
        from shelfread.taxonomy.skos.importing import Part, rdf_issues

        return rdf_issues(name, Part(syntax, base))
    return find_issues(read_named(name), vocabulary())


def import_taxonomy(path: str, syntax: str | None, base: str | None = None, root: str | None = None) -> str:
    """Return a file of RDF, or its part from a concept `root` on, as the text of a taxonomy. Raises TaxonomyError for the first error in it."""
    syntax = syntax or syntax_of(path)
    if syntax is None:
        choices = "|".join(dict.fromkeys(SYNTAXES.values()))
        raise InputError(f"the name does not say its syntax: add --from {choices}", path)
    need("skos", "RDF")
    from shelfread.taxonomy.skos.importing import Part, import_rdf

    return import_rdf(path, Part(syntax, base, root))


def export_taxonomy(given: str | None, config: str | None, isolated: bool) -> Taxonomy:
    """Return the named taxonomy, else that of the configuration. Raises ConfigError if it has nothing to export."""
    taxonomy = load_named(taxonomy_name(given, config, isolated))
    if not (taxonomy.concepts or taxonomy.forms):
        raise ConfigError("no concepts to export: name another taxonomy")
    return taxonomy
