"""The taxonomy that a command is about, and its forms."""

from __future__ import annotations

import os
from pathlib import Path

from shelfread.core.errors import ConfigError, InputError, TaxonomyError
from shelfread.core.support.strict_yaml import parse
from shelfread.project.inputs import find_config
from shelfread.taxonomy.integrity import Issue
from shelfread.taxonomy.load import load, load_from, vocabulary
from shelfread.taxonomy.merge import bundled_names
from shelfread.taxonomy.problems import find_issues
from shelfread.taxonomy.revision import read_named
from shelfread.taxonomy.skos.read import SYNTAXES, read_rdf, syntax_of
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


def issues_of(name: str) -> list[Issue]:
    """Return the issues of a bundled taxonomy, a file, REV:path, or a file of RDF."""
    syntax = syntax_of(name)
    if syntax and os.path.isfile(name):
        from shelfread.taxonomy.skos.issues import vocabulary_issues
        from shelfread.taxonomy.skos.vocabulary import read_vocabulary

        return vocabulary_issues(read_vocabulary(read_rdf(name, syntax), Path(name).stem))
    return find_issues(read_named(name), vocabulary())


def import_taxonomy(path: str, syntax: str | None) -> str:
    """Return a file of RDF as the text of a taxonomy. Raises TaxonomyError for the first error in it."""
    from shelfread.taxonomy.skos.issues import raise_errors
    from shelfread.taxonomy.skos.vocabulary import read_vocabulary
    from shelfread.taxonomy.yaml_text import remarks_as_comments, taxonomy_text

    syntax = syntax or syntax_of(path)
    if syntax is None:
        raise InputError(f"the name does not say its syntax: add --from {'|'.join(SYNTAXES)}", path)
    found = read_vocabulary(read_rdf(path, syntax), Path(path).stem)
    raise_errors(found, path)
    header = [f"Imported from {Path(path).name} by `shelfread taxonomy import`."]
    facts = {"title": found.title, "language": found.language, "iri": found.iri or None, "entry": found.entry}
    text = taxonomy_text([*header, *remarks_as_comments(found.remarks)], facts, found.kinds)
    try:
        parse(text.encode(), path, TaxonomyError)
    except TaxonomyError as error:
        raise TaxonomyError(f"it is no taxonomy that can be read: {error.message}", path) from None
    return text


def export_taxonomy(given: str | None, config: str | None, isolated: bool) -> Taxonomy:
    """Return the named taxonomy, else that of the configuration. Raises ConfigError if it has nothing to export."""
    taxonomy = load_named(taxonomy_name(given, config, isolated))
    if not (taxonomy.concepts or taxonomy.forms):
        raise ConfigError("no concepts to export: name another taxonomy")
    return taxonomy
