"""The statements about a taxonomy in terms of SKOS, in whichever syntax they are written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TypeAlias

from shelfread.core.support.named_tuple import NamedTuple
from shelfread.taxonomy.concept import Concept
from shelfread.taxonomy.skos.names import ENTRY, FORMS_OF, ID, INCLUDES, LINKS, POSITION
from shelfread.taxonomy.taxonomy import Taxonomy


class Iri(NamedTuple):
    """A resource."""

    iri: str


class Text(NamedTuple):
    """A literal, in a language unless it is for programs."""

    text: str
    language: str | None = None


Value: TypeAlias = Iri | Text | int


class Resource(NamedTuple):
    """A scheme or a concept: its IRI, its class, and its properties with their values."""

    iri: str
    type: str
    statements: list[tuple[str, Value]]


class _Scheme(NamedTuple):
    iri: str
    title: str
    concepts: tuple[Concept, ...]
    entry: object
    is_of_forms: bool


def resources(taxonomy: Taxonomy) -> Iterator[Resource]:
    """Yield the schemes of a taxonomy and its concepts, in their order.

    All concepts are in its scheme. Those of a taxonomy that it extends keep the IRIs that they have there.
    """
    schemes = list(_schemes(taxonomy))
    for scheme in schemes:
        tops = (concept for concept in scheme.concepts if not concept.broader)
        statements: list[tuple[str, Value]] = [("skos:prefLabel", Text(scheme.title, taxonomy.language))]
        if scheme.is_of_forms:
            statements.append((FORMS_OF, Iri(taxonomy.iri)))
        if scheme.entry is not None:
            statements.append((ENTRY, Text(json.dumps(scheme.entry))))
        statements += [("skos:hasTopConcept", Iri(taxonomy.iri_of(concept.id))) for concept in tops]
        yield Resource(scheme.iri, "skos:ConceptScheme", statements)
    for scheme in schemes:
        for position, concept in enumerate(scheme.concepts, 1):
            statements = [("skos:inScheme", Iri(scheme.iri)), (POSITION, position)]
            if not taxonomy.iri_of(concept.id).endswith(concept.id):
                statements.append((ID, Text(concept.id)))
            statements += _texts(concept)
            statements += ((name, Iri(iri)) for name, iri in _links(concept, taxonomy, scheme.iri))
            yield Resource(taxonomy.iri_of(concept.id), "skos:Concept", statements)


def _schemes(taxonomy: Taxonomy) -> Iterator[_Scheme]:
    """Yield the scheme of the subjects, and that of the forms if there are any."""
    title = taxonomy.title
    yield _Scheme(taxonomy.iri, title, tuple(taxonomy.concepts.values()), taxonomy.entry, False)
    if taxonomy.forms:
        # No id begins with a hyphen.
        forms = tuple(taxonomy.forms.values())
        yield _Scheme(f"{taxonomy.iri}-forms", f"{title}: forms", forms, None, True)


def _texts(concept: Concept) -> Iterator[tuple[str, Value]]:
    for label in concept.labels:
        name = INCLUDES if label.kind == "includes" else f"skos:{label.kind}"
        yield name, Text(label.text, label.language)
    for key, text, language in concept.texts:
        yield f"skos:{key}", Text(text, language)
    if concept.roles is not None:
        yield LINKS, Text(" ".join(concept.roles))
    if concept.entry is not None:
        yield ENTRY, Text(json.dumps(concept.entry))


def _links(concept: Concept, taxonomy: Taxonomy, scheme: str) -> Iterator[tuple[str, str]]:
    if not concept.broader:
        yield "skos:topConceptOf", scheme
    yield from (("skos:broader", taxonomy.iri_of(id)) for id in concept.broader)
    yield from (("skos:related", taxonomy.iri_of(id)) for id in concept.related)
    yield from ((f"skos:{kind}", iri) for kind, iri in concept.matches)
