"""Entries that do not fit the taxonomy's schema of entries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shelfread.core.diagnostics import RawDiagnostic, RawDiagnostics, Span
from shelfread.document.export import entry_data
from shelfread.document.model import Document, Entry, Field
from shelfread.index.context import RuleContext

_MAX_DESCRIPTION = 300
_MAX_ERROR = 200
_MAX_VALUE = 40


def entry(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report entries whose export does not fit the taxonomy's schema, or that of their concept."""
    taxonomy = context.taxonomy
    if not taxonomy.have_schemas:
        return
    for listed in document.entries:
        data = entry_data(listed, document, taxonomy)
        for validator in taxonomy.entry_validators(data["concept"]):
            for error in validator.iter_errors(data):
                message, values = _describe(error)
                yield RawDiagnostic(_field_span(listed, list(error.absolute_path)), values, message=message)


def _field_span(listed: Entry, path: Sequence[str | int]) -> Span:
    """Return the span of the field at a path of the exported entry, or that of the title if it has none."""
    key = path[0] if path else ""
    index = path[1] if len(path) > 1 and isinstance(path[1], int) else None
    fields: dict[str | int, Sequence[Field]] = {
        "authors": listed.authors, "affiliations": listed.affiliations, "notes": listed.notes
    }  # fmt: skip
    if key == "links" and index is not None:
        return listed.links[index].link.text
    if fields.get(key):
        return fields[key][index or 0].span
    if key in ("venue", "venue_text", "year") and listed.citation is not None:
        return listed.citation.span
    if key == "description" and listed.description is not None:
        return listed.description.span
    if key == "name" and listed.name is not None:
        return listed.name.span
    return listed.title.span


def _describe(error: Any) -> tuple[str, dict[str, str]]:
    """Return the message of a jsonschema ValidationError: the schema's own description, else jsonschema's text."""
    schema_error = error
    while schema_error is not None:
        schema = schema_error.schema
        if isinstance(schema, dict) and (description := schema.get("description")):
            return "described", {"description": str(description)[:_MAX_DESCRIPTION]}
        schema_error = schema_error.parent
    field = "/".join(map(str, error.absolute_path))
    if error.instance is None:
        return "missing", {"field": field}
    value = repr(error.instance)
    if len(value) > _MAX_VALUE and error.message.startswith(value):
        return "long-value", {"field": field, "error": error.message[len(value) :].strip()}
    return ("field" if field else "entry"), {"field": field, "error": error.message[:_MAX_ERROR]}
