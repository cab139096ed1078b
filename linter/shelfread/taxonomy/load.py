"""Loads taxonomies: what was prepared of their files, or else the files, for which alone what prepares them is imported."""

from __future__ import annotations

import marshal
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from shelfread.core.errors import TaxonomyError
from shelfread.core.folders import TAXONOMIES
from shelfread.core.yaml_files import LARGE, YamlFile, load_cached, read
from shelfread.taxonomy.concept import Concepts
from shelfread.taxonomy.taxonomy import Affiliation, Taxonomy
from shelfread.taxonomy.vocabulary import VOCABULARY_FILES, Role, Terms, Venues, Vocabulary


def load(name_or_path: str | None = None) -> Taxonomy:
    """Return the bundled taxonomy of a name, that of a file, or without either the vocabulary; raises TaxonomyError."""
    if name_or_path is None:
        return Taxonomy("", vocabulary())
    return _taxonomy(_prepared(name_or_path), name_or_path)


def source_files(name_or_path: str) -> list[str]:
    """Return the files that a taxonomy is made of; none for a bundled one. Raises TaxonomyError as `load`."""
    from shelfread.taxonomy.chain import bundled_names

    files: list[str] = [] if name_or_path in bundled_names() else _prepared(name_or_path)["files"]
    return files


def load_from(files: Sequence[YamlFile], name: str) -> Taxonomy:
    """Return the taxonomy of a file and those that it extends, nothing of which is cached."""
    from shelfread.taxonomy.prepare import prepare

    return _taxonomy(prepare(files, name, vocabulary), name)


def load_text(text: str, path: str) -> Taxonomy:
    """Return the taxonomy that a file would have with another text; raises TaxonomyError as `load` does."""
    from shelfread.taxonomy.chain import read_chain, read_file

    def read_path(other: Path) -> YamlFile | None:
        return YamlFile(text, path, TaxonomyError, times=LARGE) if other == Path(path) else read_file(other)

    return load_from(read_chain(path, read_path), path)


def _prepared(name_or_path: str) -> dict[str, Any]:
    from shelfread.taxonomy.chain import bundled_names, read_chain
    from shelfread.taxonomy.prepared import load_prepared

    def read_anew() -> dict[str, Any]:
        from shelfread.taxonomy.prepare import prepare

        return prepare(read_chain(name_or_path), name_or_path, vocabulary)

    bundled = name_or_path in bundled_names()
    path = TAXONOMIES / f"{name_or_path}.yaml" if bundled else Path(name_or_path)
    return load_prepared(path, read_anew)


def _taxonomy(data: Mapping[str, Any], name_or_path: str) -> Taxonomy:
    name = Path(name_or_path).stem
    languages = data["languages"]
    own_words = marshal.loads(data["vocabulary"]) if data["vocabulary"] else None
    return Taxonomy(
        name=name,
        vocabulary=_vocabulary(own_words["venues"], own_words["links"]) if own_words else vocabulary(),
        title=data["title"] or name,
        iri=data["iri"],
        language=languages[0],
        concepts=Concepts(data["concepts"], languages),
        forms=Concepts(data["forms"], languages),
        affiliations={
            id: Affiliation(id, term["prefLabel"], _labels(term)) for id, term in data["affiliations"].items()
        },
        order=tuple(data["order"]),
        entry=data["entry"],
        closed=data["closed"],
        have_schemas=data["have_schemas"],
        restricts_links=data["restricts_links"],
        own_concepts=frozenset(data["own_concepts"]),
        parts=data["parts"],
    )


@cache
def vocabulary() -> Vocabulary:
    """Return the bundled venues and link roles (cached)."""
    files = [TAXONOMIES / f"{name}.yaml" for name in VOCABULARY_FILES]
    links, venues = load_cached(TAXONOMIES, files, lambda path: read(path, TaxonomyError).data).values()
    return _vocabulary(venues["venues"], links["links"])


def _vocabulary(venues: Terms, roles: Terms) -> Vocabulary:
    return Vocabulary(
        Venues(venues),
        {
            id: Role(id, term["prefLabel"], _labels(term), tuple(term.get("hosts", ())))
            for id, term in roles.items()
        },
    )


def _labels(term: Mapping[str, Any]) -> tuple[str, ...]:
    return (term["prefLabel"], *term.get("altLabel", ()))
