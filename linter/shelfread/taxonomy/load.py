"""Loads taxonomies from YAML. Bundled ones are trusted (the tests validate them), a list's own are checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from shelfread.core.errors import TaxonomyError
from shelfread.core.support.strict_yaml import YamlFile, read
from shelfread.core.support.yaml_cache import load_cached
from shelfread.taxonomy.concept import Concepts, labels_of, pack_terms
from shelfread.taxonomy.labels import make_labels
from shelfread.taxonomy.merge import (
    BUNDLED,
    VOCABULARY,
    Terms,
    Unsaved,
    bundled_names,
    first,
    in_own_order,
    iris_of,
    is_bundled,
    languages_of,
    merged_terms,
    prefix_of,
    read_chain,
)
from shelfread.taxonomy.near import near_index
from shelfread.taxonomy.prepared import Prepared, load_prepared, packed, unpacked
from shelfread.taxonomy.taxonomy import Affiliation, Taxonomy
from shelfread.taxonomy.vocabulary import Name, Role, Venue, Vocabulary, Years


def load(name_or_path: str | None = None) -> Taxonomy:
    """Return the bundled taxonomy of a name, or that of a file. None returns one with the vocabulary only.

    Raises TaxonomyError, with file, line and column, for a file that does not fit its schema or
    contradicts itself.
    """
    if name_or_path is None:
        return Taxonomy("", vocabulary())
    bundled = name_or_path in bundled_names()
    path = BUNDLED / f"{name_or_path}.yaml" if bundled else Path(name_or_path)
    return _taxonomy(load_prepared(path, partial(_prepare, name_or_path)), name_or_path)


def source_files(name_or_path: str) -> list[str]:
    """Return the files that a taxonomy is made of; none for a bundled one. Raises TaxonomyError as `load`."""
    from shelfread.taxonomy.merge import bundled_names

    if name_or_path in bundled_names():
        return []
    files: list[str] = load_prepared(Path(name_or_path), partial(_prepare, name_or_path))["files"]
    return files


def _taxonomy(data: Prepared, name_or_path: str) -> Taxonomy:
    name = Path(name_or_path).stem
    languages = data["languages"]
    own_words = unpacked(data["vocabulary"]) if data["vocabulary"] else None
    return Taxonomy(
        name=name,
        vocabulary=_vocabulary(own_words["venues"], own_words["links"]) if own_words else vocabulary(),
        title=data["title"] or name,
        iri=data["iri"],
        language=languages[0],
        concepts=Concepts(data["concepts"], data["concept_count"], languages),
        forms=Concepts(data["forms"], data["form_count"], languages),
        affiliations={
            id: Affiliation(id, term["prefLabel"], _labels(term)) for id, term in data["affiliations"].items()
        },
        order=tuple(data["order"]),
        entry=data["entry"],
        have_schemas=data["have_schemas"],
        restricts_links=data["restricts_links"],
        own_concepts=frozenset(data["own_concepts"]),
        packed_places=data["places"],
        packed_iris=data["iris"],
        packed_labels=data["labels"],
        packed_near=data["near"],
    )


def load_from(files: Sequence[YamlFile], name: str) -> Taxonomy:
    """Return the taxonomy of a file and those that it extends, nothing of which is cached."""
    return _taxonomy(_prepared(files, name), name)


def load_text(text: str, path: str) -> Taxonomy:
    """Return the taxonomy that a file would have with another text; raises TaxonomyError as `load` does."""
    return load_from(read_chain(path, Unsaved(path, text)), path)


def _prepare(name_or_path: str) -> Prepared:
    """Return a taxonomy read from its files, which are checked unless they are bundled."""
    return _prepared(read_chain(name_or_path), name_or_path)


def _prepared(files: Sequence[YamlFile], name: str) -> Prepared:
    # A bundled taxonomy is checked by the tests.
    if all(is_bundled(file) for file in files):
        terms = merged_terms(files)
    else:
        from shelfread.taxonomy.check import checked_terms

        terms = checked_terms(files, name, vocabulary())
    terms |= {kind: in_own_order(files, kind, terms[kind]) for kind in ("concepts", "forms")}
    languages = list(dict.fromkeys(languages_of(files)))
    every = [*terms["concepts"].items(), *terms["forms"].items()]
    labels = make_labels((label for id, term in every for label in labels_of(id, term)), languages)
    own = prefix_of(files[0])
    return {
        "files": [file.path for file in files],
        "title": first(files, "title"),
        "iri": own,
        "languages": languages,
        "order": _as_list(first(files, "order")),
        "entry": first(files, "entry"),
        "have_schemas": first(files, "entry") is not None
        or any("entry" in term for kind in ("concepts", "forms") for term in terms[kind].values()),
        "restricts_links": any("links" in term for term in terms["concepts"].values()),
        "concepts": pack_terms(terms["concepts"]),
        "concept_count": len(terms["concepts"]),
        "own_concepts": [
            id for file in files if not is_bundled(file) for id in file.data.get("concepts") or ()
        ],
        "forms": pack_terms(terms["forms"]),
        "form_count": len(terms["forms"]),
        "affiliations": terms["affiliations"],
        "vocabulary": packed({kind: terms[kind] for kind in VOCABULARY}) if terms["links"] else b"",
        "places": packed(_places(files)),
        "iris": packed({id: iri for id, iri in iris_of(files, terms).items() if iri != f"{own}{id}"}),
        "labels": packed(labels.parts),
        "near": packed((*near_index(labels),)),
    }


def _as_list(given: str | list[str] | None) -> list[str]:
    return [given] if isinstance(given, str) else given or []


def _places(files: Sequence[YamlFile]) -> dict[str, tuple[str | None, int, int]]:
    """Return the file, line and column of each concept and form, as the first file states it."""
    places: dict[str, tuple[str | None, int, int]] = {}
    for file in reversed(files):
        for kind in ("forms", "concepts"):
            places |= {id: (file.path, *place) for id, place in file.places(kind).items()}
    return places


@cache
def vocabulary() -> Vocabulary:
    """Return the bundled venues and link roles (cached)."""
    files = [BUNDLED / f"{name}.yaml" for name in VOCABULARY]
    links, venues = load_cached(BUNDLED, files, lambda path: read(path, TaxonomyError).data).values()
    return _vocabulary(venues["venues"], links["links"])


def _vocabulary(venues: Terms, roles: Terms) -> Vocabulary:
    return Vocabulary(
        {id: _venue(id, term) for id, term in venues.items()},
        {
            id: Role(id, term["prefLabel"], _labels(term), tuple(term.get("hosts", ())))
            for id, term in roles.items()
        },
    )


def _labels(term: Mapping[str, Any]) -> tuple[str, ...]:
    return (term["prefLabel"], *term.get("altLabel", ()))


def _venue(id: str, term: Mapping[str, Any]) -> Venue:
    label = term["prefLabel"]
    full_name = term.get("name", label)
    names = term.get("names", {})
    return Venue(
        id=id,
        label=label,
        kind=term.get("kind", "other"),
        labels=tuple(dict.fromkeys((label, full_name, *term.get("altLabel", ()), *names))),
        years=tuple(map(_years, term.get("years", ()))),
        names=tuple(Name(name, *_years(years)[:2]) for name, years in names.items()),
        confidence=term.get("confidence", "high"),
        certain_years=_years(term.get("known", "..")),
        name=full_name,
        published_in=term.get("publishedIn"),
        facts=term,
    )


def _years(given: int | str) -> Years:
    """Parse years: `2004`, `2004..` (from), `..2017` (up to), `1994..2020/2` (every second one)."""
    if isinstance(given, int):
        return Years(given, given)
    first, _, rest = given.partition("..")
    last, _, step = rest.partition("/")
    return Years(int(first) if first else None, int(last) if last else None, int(step) if step else 1)
