"""Writes a taxonomy as Turtle 1.1."""

from __future__ import annotations

from shelfread.core.support.regex import lazy
from shelfread.taxonomy.skos.names import PREFIXES
from shelfread.taxonomy.skos.resources import Iri, Resource, Value, resources
from shelfread.taxonomy.taxonomy import Taxonomy

_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_NOT_IN_IRI = lazy(r"[\x00-\x20<>\"{}|^`\\]")
# Printed as they are, these control a terminal or reorder what it shows.
_CONTROL = lazy(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def turtle(taxonomy: Taxonomy) -> str:
    """Return the concepts as Turtle. The IRI of the scheme is that of the taxonomy."""
    prefixes = "\n".join(f"@prefix {name}: <{iri}> ." for name, iri in PREFIXES.items())
    return "\n\n".join([prefixes, *map(_block, resources(taxonomy))]) + "\n"


def _block(resource: Resource) -> str:
    statements = [f"a {resource.type}", *(f"{name} {_value(value)}" for name, value in resource.statements)]
    return f"{_iri(resource.iri)} " + " ;\n    ".join(statements) + " ."


def _value(value: Value) -> str:
    if isinstance(value, Iri):
        return _iri(value.iri)
    if isinstance(value, int):
        return str(value)
    quoted = "".join(_ESCAPES.get(char, char) for char in value.text)
    return f'"{_escaped(quoted)}"' + (f"@{value.language}" if value.language else "")


def _iri(iri: str) -> str:
    return "<" + _escaped(_NOT_IN_IRI.sub(lambda match: f"%{ord(match[0]):02X}", iri)) + ">"


def _escaped(text: str) -> str:
    """Return a text with its control characters as numeric escapes of Turtle."""
    return _CONTROL.sub(lambda match: f"\\u{ord(match[0]):04X}", text)
