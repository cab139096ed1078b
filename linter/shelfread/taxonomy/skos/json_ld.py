"""Writes a taxonomy as JSON-LD 1.1."""

from __future__ import annotations

from shelfread.taxonomy.skos.names import PREFIXES
from shelfread.taxonomy.skos.resources import Iri, Resource, Value, resources
from shelfread.taxonomy.taxonomy import Taxonomy


def json_ld(taxonomy: Taxonomy) -> dict[str, object]:
    """Return the concepts as JSON-LD, with the same statements as in Turtle."""
    return {"@context": PREFIXES, "@graph": list(map(_node, resources(taxonomy)))}


def _node(resource: Resource) -> dict[str, object]:
    node: dict[str, list[object]] = {}
    for name, value in resource.statements:
        node.setdefault(name, []).append(_value(value))
    return {"@id": resource.iri, "@type": resource.type, **node}


def _value(value: Value) -> object:
    if isinstance(value, Iri):
        return {"@id": value.iri}
    if isinstance(value, int):
        return value
    return {"@value": value.text, "@language": value.language} if value.language else value.text
