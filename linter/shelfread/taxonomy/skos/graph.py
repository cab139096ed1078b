"""Taxonomies as graphs of RDF in the terms of SKOS, and graphs as Turtle and JSON-LD, with statements in the order of adding."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from io import BytesIO
from typing import Any

from rdflib import DCTERMS, OWL, RDF, SKOS, Graph, Literal, Namespace, URIRef
from rdflib.plugins.serializers.jsonld import Converter
from rdflib.plugins.serializers.turtle import TurtleSerializer
from rdflib.plugins.shared.jsonld.context import Context

from shelfread.core.patterns import lazy
from shelfread.taxonomy.concept import Concept
from shelfread.taxonomy.taxonomy import Taxonomy

# The namespace of what taxonomies have and SKOS has not.
OWN = Namespace("urn:shelfread:terms#")

ID = OWN["id"]  # a concept: its id in the taxonomy, if its IRI does not end with it
INCLUDES = OWN["includes"]  # a concept: the name of a narrower subject that has no concept of its own
POSITION = OWN["position"]  # a concept: its place in the order of sections, from 1. A graph has no order.
LINKS = OWN["links"]  # a concept: the ids of the link roles that its entries may have, separated by blanks
ENTRY = OWN["entry"]  # a concept or the scheme: the JSON Schema of its entries, as JSON text
# A concept that is not to be used any more: the id of the one that replaces it, an empty text if there is
# none.
RETIRED = OWN["retired"]
FORMS_OF = OWN["formsOf"]  # the scheme of the forms: that of the subjects

_NOT_IN_IRI = lazy(r"[\x00-\x20<>\"{}|^`\\]")
# What ends with a character that controls a terminal or reorders what it shows, or begins a command to a
# runner that shows the text in a log.
_UNSAFE = lazy(
    r"(?m)[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\U000e0000-\U000e007f]"
    r"|(?<=##)\[|^ *:(?=:)"
)


def turtle(graph: Graph) -> str:
    text = BytesIO()
    _InOrder(graph).serialize(text)
    # They only stand where Turtle takes a numeric escape: in IRIs and in texts.
    return _UNSAFE.sub(_escaped, text.getvalue().decode().strip()) + "\n"


def _escaped(match: re.Match[str]) -> str:
    sign = ord(match[0][-1])
    return match[0][:-1] + (f"\\u{sign:04X}" if sign < 0x10000 else f"\\U{sign:08X}")


def json_ld(graph: Graph) -> dict[str, Any]:
    """Return a graph as JSON-LD 1.1, with the same statements as in Turtle."""
    prefixes = {prefix: str(namespace) for prefix, namespace in graph.namespaces()}
    converter = Converter(Context(prefixes), use_native_types=True, use_rdf_type=False)
    nodes: dict[str, Any] = {}
    for subject in _subjects(graph):
        converter.process_subject(graph, subject, nodes)
    return {"@context": prefixes, "@graph": list(nodes.values())}


def taxonomy_graph(*taxonomies: Taxonomy) -> Graph:
    """Return taxonomies as schemes with their concepts; those of a taxonomy that one extends keep their IRIs."""
    graph = Graph(bind_namespaces="none")
    graph.bind("skos", SKOS)
    graph.bind("shelfread", OWN)
    terms = [term for each in taxonomies for kind in (each.concepts, each.forms) for term in kind.values()]
    if any(term.retired is not None for term in terms):
        graph.bind("owl", OWL)
        graph.bind("dcterms", DCTERMS)
    for taxonomy in taxonomies:
        _add(taxonomy, graph)
    return graph


def _add(taxonomy: Taxonomy, graph: Graph) -> None:
    main = iri_of(taxonomy.iri)
    schemes = [(main, taxonomy.title, taxonomy.concepts)]
    if taxonomy.forms:
        # No id begins with a hyphen.
        schemes.append((iri_of(f"{taxonomy.iri}-forms"), f"{taxonomy.title}: forms", taxonomy.forms))
    for scheme, title, concepts in schemes:
        graph.add((scheme, RDF.type, SKOS.ConceptScheme))
        graph.add((scheme, SKOS.prefLabel, Literal(title, taxonomy.language)))
        if scheme != main:
            graph.add((scheme, FORMS_OF, main))
        elif taxonomy.entry is not None:
            graph.add((scheme, ENTRY, Literal(json.dumps(taxonomy.entry))))
        for concept in concepts.values():
            if not concept.broader:
                graph.add((scheme, SKOS.hasTopConcept, iri_of(taxonomy.iri_of(concept.id))))
    for scheme, _, concepts in schemes:
        for position, concept in enumerate(concepts.values(), 1):
            subject = iri_of(taxonomy.iri_of(concept.id))
            graph.add((subject, RDF.type, SKOS.Concept))
            graph.add((subject, SKOS.inScheme, scheme))
            graph.add((subject, POSITION, Literal(position)))
            for property, value in _statements(concept, taxonomy, scheme):
                graph.add((subject, property, value))


def _statements(
    concept: Concept, taxonomy: Taxonomy, scheme: URIRef
) -> Iterator[tuple[URIRef, URIRef | Literal]]:
    """Yield the properties of a concept with their values, in the order in which they are written."""
    if not taxonomy.iri_of(concept.id).endswith(concept.id):
        yield ID, Literal(concept.id)
    for label in concept.labels:
        yield INCLUDES if label.kind == "includes" else SKOS[label.kind], Literal(label.text, label.language)
    for key, text, language in concept.texts:
        yield SKOS[key], Literal(text, language)
    if concept.retired is not None:
        yield OWL.deprecated, Literal(True)
        yield RETIRED, Literal(concept.retired)
        if concept.retired:
            yield DCTERMS.isReplacedBy, iri_of(taxonomy.iri_of(concept.retired))
    if concept.roles is not None:
        yield LINKS, Literal(" ".join(concept.roles))
    if concept.entry is not None:
        yield ENTRY, Literal(json.dumps(concept.entry))
    if not concept.broader:
        yield SKOS.topConceptOf, scheme
    for key, ids in (("broader", concept.broader), ("related", concept.related)):
        for id in ids:
            yield SKOS[key], iri_of(taxonomy.iri_of(id))
    for key, iri in concept.matches:
        yield SKOS[key], iri_of(iri)


def _subjects(graph: Graph) -> list[Any]:
    """Return what has a class, by classes and in the order in which it was added."""
    return list(dict.fromkeys(graph.subjects(RDF.type)))


def iri_of(iri: str) -> URIRef:
    """Return a node for an IRI, of which what no IRI may contain is escaped."""
    return URIRef(_NOT_IN_IRI.sub(lambda match: f"%{ord(match[0]):02X}", iri))


class _InOrder(TurtleSerializer):
    """Writes statements in the order in which they were added to the graph."""

    def orderSubjects(self) -> list[Any]:  # noqa: N802
        return _subjects(self.store)

    def sortProperties(self, properties: Any) -> list[Any]:  # noqa: N802
        return list(properties)
