"""Writes a taxonomy as SKOS in Turtle or JSON-LD, for `shelfread export --format skos`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from shelfread.core.support.regex import lazy
from shelfread.taxonomy.concept import Concept
from shelfread.taxonomy.taxonomy import Taxonomy

_SKOS = "http://www.w3.org/2004/02/skos/core#"
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_NOT_IN_IRI = lazy(r"[\x00-\x20<>\"{}|^`\\]")
# Printed as they are, these control a terminal or reorder what it shows.
_CONTROL = lazy(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def turtle(taxonomy: Taxonomy) -> str:
    """Return the concepts as Turtle 1.1. The IRI of the scheme is that of the taxonomy."""
    blocks = [f"@prefix skos: <{_SKOS}> ."]
    for scheme in _schemes(taxonomy):
        statements = ["a skos:ConceptScheme", f"skos:prefLabel {_literal(scheme.title, taxonomy.language)}"]
        tops = (concept for concept in scheme.concepts if not concept.broader)
        statements += [f"skos:hasTopConcept {_iri(taxonomy.iri + concept.id)}" for concept in tops]
        blocks.append(_block(_iri(scheme.iri), statements))
    for scheme in _schemes(taxonomy):
        for concept in scheme.concepts:
            statements = ["a skos:Concept", f"skos:inScheme {_iri(scheme.iri)}"]
            texts = _texts(concept, taxonomy)
            statements += [f"skos:{name} {_literal(text, language)}" for name, text, language in texts]
            statements += [f"skos:{name} {_iri(iri)}" for name, iri in _links(concept, taxonomy, scheme.iri)]
            blocks.append(_block(_iri(taxonomy.iri + concept.id), statements))
    return "\n\n".join(blocks) + "\n"


def json_ld(taxonomy: Taxonomy) -> dict[str, object]:
    """Return the concepts as JSON-LD 1.1, with the same statements as in Turtle."""
    graph: list[dict[str, object]] = [
        {
            "@id": scheme.iri,
            "@type": "skos:ConceptScheme",
            "skos:prefLabel": _value(scheme.title, taxonomy.language),
            "skos:hasTopConcept": [
                {"@id": taxonomy.iri + concept.id} for concept in scheme.concepts if not concept.broader
            ],
        }
        for scheme in _schemes(taxonomy)
    ]
    for scheme in _schemes(taxonomy):
        for concept in scheme.concepts:
            node: dict[str, list[object]] = {}
            for name, text, language in _texts(concept, taxonomy):
                node.setdefault(f"skos:{name}", []).append(_value(text, language))
            for name, iri in _links(concept, taxonomy, scheme.iri):
                node.setdefault(f"skos:{name}", []).append({"@id": iri})
            own = {
                "@id": taxonomy.iri + concept.id,
                "@type": "skos:Concept",
                "skos:inScheme": {"@id": scheme.iri},
            }
            graph.append({**own, **node})
    return {"@context": {"skos": _SKOS}, "@graph": graph}


class _Scheme(NamedTuple):
    iri: str
    title: str
    concepts: tuple[Concept, ...]


def _schemes(taxonomy: Taxonomy) -> Iterator[_Scheme]:
    """Yield the scheme of the subjects, and that of the forms if there are any."""
    yield _Scheme(taxonomy.iri, taxonomy.title, tuple(taxonomy.concepts.values()))
    if taxonomy.forms:
        # No id begins with a hyphen.
        yield _Scheme(f"{taxonomy.iri}-forms", f"{taxonomy.title}: forms", tuple(taxonomy.forms.values()))


def _texts(concept: Concept, taxonomy: Taxonomy) -> Iterator[tuple[str, str, str]]:
    """Yield the properties that are texts, and their languages. SKOS has no property for `includes`."""
    for label in concept.labels:
        if label.kind != "includes":
            yield label.kind, label.text, label.language
    included = [label.text for label in concept.labels if label.kind == "includes"]
    if concept.definition:
        yield "definition", concept.definition, taxonomy.language
    if concept.scope_note:
        yield "scopeNote", concept.scope_note, taxonomy.language
    if included:
        yield "scopeNote", f"Includes {', '.join(included)}.", taxonomy.language


def _links(concept: Concept, taxonomy: Taxonomy, scheme: str) -> Iterator[tuple[str, str]]:
    if not concept.broader:
        yield "topConceptOf", scheme
    yield from (("broader", taxonomy.iri + id) for id in concept.broader)
    yield from (("related", taxonomy.iri + id) for id in concept.related)
    yield from concept.matches


def _block(subject: str, statements: list[str]) -> str:
    return f"{subject} " + " ;\n    ".join(statements) + " ."


def _literal(text: str, language: str) -> str:
    quoted = "".join(_ESCAPES.get(char, char) for char in text)
    return f'"{_escaped(quoted)}"@{language}'


def _value(text: str, language: str) -> dict[str, str]:
    return {"@value": text, "@language": language}


def _iri(iri: str) -> str:
    return "<" + _escaped(_NOT_IN_IRI.sub(lambda match: f"%{ord(match[0]):02X}", iri)) + ">"


def _escaped(text: str) -> str:
    """Return a text with its control characters as numeric escapes of Turtle."""
    return _CONTROL.sub(lambda match: f"\\u{ord(match[0]):04X}", text)
