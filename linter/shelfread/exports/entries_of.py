"""The command `export`: lists and their entries as data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from shelfread.core.errors import UserError
from shelfread.document.export import exported_entry
from shelfread.document.model import Document
from shelfread.engine.load import read_document
from shelfread.mapping.named_taxonomies import export_taxonomy
from shelfread.project.exclusions import GENERATED
from shelfread.project.inputs import find_inputs
from shelfread.taxonomy.load import load
from shelfread.taxonomy.taxonomy import Taxonomy
from shelfread.taxonomy.vocabulary import Vocabulary


def export_documents(
    paths: Sequence[str],
    *,
    taxonomy: str | None,
    config: str | None,
    isolated: bool,
    unsaved: Mapping[str, bytes],
    errors: list[UserError],
) -> Iterator[tuple[Document, Taxonomy]]:
    """Yield all lists in order, each with its taxonomy; appends an error for each unreadable file to `errors`.

    Generated lists are exported too.
    """
    projects, wrong = find_inputs(paths, config, isolated, unsaved)
    errors += wrong
    for project in projects:
        subjects = load(taxonomy or project.config.taxonomy)
        generated = (file.path for file in project.skipped if file.reason == GENERATED)
        for path in sorted((*project.reported, *generated)):
            try:
                document = read_document(path, subjects.vocabulary, unsaved.get(path))
            except UserError as error:
                errors.append(error)
            else:
                yield document, subjects


def export_entries(
    lists: Iterable[tuple[Document, Taxonomy]],
) -> Iterator[tuple[dict[str, Any], Vocabulary]]:
    """Yield the entries of lists in order, as `shelfread export --format json` prints them, with their vocabulary."""
    for document, taxonomy in lists:
        for entry in document.entries:
            yield exported_entry(entry, document, taxonomy), taxonomy.vocabulary


def export_subjects(
    lists: Iterable[tuple[Document, Taxonomy]], name: str | None, config: str | None, isolated: bool
) -> tuple[list[Taxonomy], list[tuple[dict[str, Any], str]]]:
    """Return the taxonomies of lists, and the entries whose section names a concept, each with its concept's IRI.

    Without lists the taxonomy is the named one, else that of the configuration. Raises ConfigError if none has concepts.
    """
    entries: list[tuple[dict[str, Any], str]] = []
    taxonomies: dict[str, Taxonomy] = {}
    for document, taxonomy in lists:
        if taxonomy.concepts:
            taxonomies[taxonomy.iri] = taxonomy
        data = (exported_entry(entry, document, taxonomy) for entry in document.entries)
        entries += (
            (entry, taxonomy.iri_of(entry["concept"])) for entry in data if entry["concept"] is not None
        )
    return list(taxonomies.values()) or [export_taxonomy(name, config, isolated)], entries
