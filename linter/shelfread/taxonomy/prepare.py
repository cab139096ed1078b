"""Prepares taxonomies from YAML. Bundled ones are trusted (the tests validate them), a list's own are checked."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from shelfread.core.yaml_files import YamlFile
from shelfread.taxonomy.chain import first, is_bundled, languages_of, prefix_of
from shelfread.taxonomy.concept import labels_of, make_labels
from shelfread.taxonomy.merge import in_own_order, iris_of, merged_terms, renamed_concepts
from shelfread.taxonomy.near_labels import near_index
from shelfread.taxonomy.vocabulary import VOCABULARY_FILES, Vocabulary


def prepare(files: Sequence[YamlFile], name: str, vocabulary: Callable[[], Vocabulary]) -> dict[str, Any]:
    """Return the taxonomy of a file and those that it extends, checked unless bundled; raises TaxonomyError with its place."""
    # A bundled taxonomy is checked by the tests.
    if all(is_bundled(file) for file in files):
        terms = merged_terms(files)
    else:
        from shelfread.taxonomy.problems import checked_terms

        terms = checked_terms(files, name, vocabulary())
    renamed = renamed_concepts(files)
    terms |= {
        kind: {
            id: _matching(term, renamed[id]) if id in renamed else term
            for id, term in in_own_order(files, kind, terms[kind]).items()
        }
        for kind in ("concepts", "forms")
    }
    kept: Callable[[Any], bytes] = marshal.dumps
    languages = list(dict.fromkeys(languages_of(files)))
    every = [*terms["concepts"].items(), *terms["forms"].items()]
    own_concepts = [id for file in files if not is_bundled(file) for id in file.data.get("concepts") or ()]
    every_label = (label for id, term in every for label in labels_of(id, term))
    labels = make_labels(every_label, languages, frozenset(own_concepts))
    own = prefix_of(files[0])
    order: str | list[str] | None = first(files, "order")
    return {
        "files": [file.path for file in files],
        "title": first(files, "title"),
        "iri": own,
        "languages": languages,
        "order": [order] if isinstance(order, str) else order or [],
        "entry": first(files, "entry"),
        "closed": first(files, "closed") is True,
        "have_schemas": first(files, "entry") is not None
        or any("entry" in term for kind in ("concepts", "forms") for term in terms[kind].values()),
        "restricts_links": any("links" in term for term in terms["concepts"].values()),
        "concepts": kept(terms["concepts"]),
        "own_concepts": own_concepts,
        "forms": kept(terms["forms"]),
        "affiliations": terms["affiliations"],
        "vocabulary": kept({kind: terms[kind] for kind in VOCABULARY_FILES}) if terms["links"] else b"",
        "places": _places(files),
        "iris": {id: iri for id, iri in iris_of(files, terms).items() if iri != f"{own}{id}"},
        "parts": {"labels": kept(labels.parts), "near": kept((*near_index(labels),))},
    }


def _matching(term: Mapping[str, Any], iri: str) -> dict[str, Any]:
    """Return a term as a concept of its own that is the same as another one."""
    own = {key: value for key, value in term.items() if key != "iri"}
    return {**own, "exactMatch": [*term.get("exactMatch", ()), iri]}


def _places(files: Sequence[YamlFile]) -> dict[str, tuple[str | None, int, int]]:
    """Return the file, line and column of each concept and form, as the first file states it."""
    places: dict[str, tuple[str | None, int, int]] = {}
    for file in reversed(files):
        for kind in ("forms", "concepts"):
            for id in file.data.get(kind) or ():
                places[id] = file.path, *file.place([kind, id], key=True)
    return places
