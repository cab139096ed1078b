"""Writes a taxonomy as SKOS in Turtle or JSON-LD, for `shelfread export --format skos`."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.core.support.regex import lazy
from shelfread.taxonomy.taxonomy import Concept, Taxonomy

_SKOS = "http://www.w3.org/2004/02/skos/core#"
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_NOT_IN_IRI = lazy(r"[\x00-\x20<>\"{}|^`\\]")
# Printed as they are, these control a terminal or reorder what it shows.
_CONTROL = lazy(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def turtle(taxonomy: Taxonomy) -> str:
    """Return the concepts as Turtle 1.1. The IRI of the scheme is that of the taxonomy."""
    scheme = _iri(taxonomy.iri)
    statements = [
        "a skos:ConceptScheme",
        f"skos:prefLabel {_literal(taxonomy.title, taxonomy)}",
        *(f"skos:hasTopConcept {_iri(taxonomy.iri + concept.id)}" for concept in _top_concepts(taxonomy)),
    ]
    blocks = [f"@prefix skos: <{_SKOS}> .", _block(scheme, statements)]
    for concept in taxonomy.concepts.values():
        statements = ["a skos:Concept", f"skos:inScheme {scheme}"]
        statements += [f"skos:{name} {_literal(text, taxonomy)}" for name, text in _texts(concept)]
        statements += [f"skos:{name} {_iri(iri)}" for name, iri in _links(concept, taxonomy)]
        blocks.append(_block(_iri(taxonomy.iri + concept.id), statements))
    return "\n\n".join(blocks) + "\n"


def json_ld(taxonomy: Taxonomy) -> dict[str, object]:
    """Return the concepts as JSON-LD 1.1, with the same statements as in Turtle."""
    graph: list[dict[str, object]] = [
        {
            "@id": taxonomy.iri,
            "@type": "skos:ConceptScheme",
            "skos:prefLabel": _value(taxonomy.title, taxonomy),
            "skos:hasTopConcept": [{"@id": taxonomy.iri + concept.id} for concept in _top_concepts(taxonomy)],
        }
    ]
    for concept in taxonomy.concepts.values():
        node: dict[str, list[object]] = {}
        for name, text in _texts(concept):
            node.setdefault(f"skos:{name}", []).append(_value(text, taxonomy))
        for name, iri in _links(concept, taxonomy):
            node.setdefault(f"skos:{name}", []).append({"@id": iri})
        scheme = {"@id": taxonomy.iri}
        graph.append(
            {"@id": taxonomy.iri + concept.id, "@type": "skos:Concept", "skos:inScheme": scheme, **node}
        )
    return {"@context": {"skos": _SKOS}, "@graph": graph}


def _top_concepts(taxonomy: Taxonomy) -> Iterator[Concept]:
    return (concept for concept in taxonomy.concepts.values() if not concept.broader)


def _texts(concept: Concept) -> Iterator[tuple[str, str]]:
    yield "prefLabel", concept.label
    yield from (("altLabel", label) for label in concept.alt_labels)
    yield from (("hiddenLabel", label) for label in concept.hidden_labels)
    if concept.definition:
        yield "definition", concept.definition
    if concept.scope_note:
        yield "scopeNote", concept.scope_note


def _links(concept: Concept, taxonomy: Taxonomy) -> Iterator[tuple[str, str]]:
    if not concept.broader:
        yield "topConceptOf", taxonomy.iri
    yield from (("broader", taxonomy.iri + id) for id in concept.broader)
    yield from (("related", taxonomy.iri + id) for id in concept.related)
    yield from (("exactMatch", iri) for iri in concept.exact_match)


def _block(subject: str, statements: list[str]) -> str:
    return f"{subject} " + " ;\n    ".join(statements) + " ."


def _literal(text: str, taxonomy: Taxonomy) -> str:
    quoted = "".join(_ESCAPES.get(char, char) for char in text)
    return f'"{_escaped(quoted)}"@{taxonomy.language}'


def _value(text: str, taxonomy: Taxonomy) -> dict[str, str]:
    return {"@value": text, "@language": taxonomy.language}


def _iri(iri: str) -> str:
    return "<" + _escaped(_NOT_IN_IRI.sub(lambda match: f"%{ord(match[0]):02X}", iri)) + ">"


def _escaped(text: str) -> str:
    """Return a text with its control characters as numeric escapes of Turtle."""
    return _CONTROL.sub(lambda match: f"\\u{ord(match[0]):04X}", text)
