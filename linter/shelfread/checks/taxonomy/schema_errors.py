"""The errors of JSON Schema in plain words, and what a value that is not allowed should be."""

from __future__ import annotations

from typing import Any

from shelfread.core.diagnostics import Applicability, Edit, RawDiagnostic, Span
from shelfread.taxonomy.label_forms import squash
from shelfread.taxonomy.problems import FIELDS

_MAX_DESCRIPTION = 300
_MAX_ERROR = 200
_MAX_VALUE = 40
_MIN_RATIO = 70
_MAX_VALUES = 12
"""The most allowed values that a message names."""


def describe(error: Any, concept: str, is_part: bool, span: Span, text: str) -> RawDiagnostic:
    """Return the diagnostic of a jsonschema ValidationError of an entry.

    `concept` is the label of the concept that states the schema, empty for the taxonomy itself; `is_part` says whether
    it is about a tag, a cell or a link role; `span` is what is wrong. The schema's own description is the message, if
    there is one.
    """
    rule, given, path = error.validator, error.instance, list(error.absolute_path)
    name = next((part for part in reversed(path) if isinstance(part, str)), "")
    is_missing = rule == "required" or given is None
    description = None if rule == "required" else _description(error)
    if description is not None:
        found = RawDiagnostic(span, {"description": description[:_MAX_DESCRIPTION]}, message="described")
    elif is_missing:
        what = name.replace("_", " ") if is_part or name in FIELDS or len(path) > 1 else f"{name} link"
        found = RawDiagnostic(
            span, {"what": what, "concept": concept}, message="demanded" if concept else "missing"
        )
    elif rule in ("enum", "const") and isinstance(given, str):
        wanted = error.validator_value if rule == "enum" else [error.validator_value]
        return _not_allowed(name, given, list(map(str, wanted)), is_part, span, text)
    elif rule == "pattern":
        values = {
            "name": name,
            "value": given[:_MAX_VALUE],
            "pattern": str(error.validator_value)[:_MAX_ERROR],
        }
        found = RawDiagnostic(span, values, message="pattern")
    elif rule == "maxLength":
        values = {"name": name, "length": len(given), "most": error.validator_value}
        found = RawDiagnostic(span, values, message="too-long")
    else:
        found = _in_words_of_jsonschema(error, "/".join(map(str, path)), span)
    return (
        found if is_missing or not isinstance(given, str) else found._replace(span=_within(span, given, text))
    )


def _not_allowed(
    name: str, given: str, wanted: list[str], is_part: bool, span: Span, text: str
) -> RawDiagnostic:
    """Return the diagnostic of a value that is not one of those allowed: with the one that it is but for its spelling."""
    span = _within(span, given, text)
    same_case = [value for value in wanted if value.casefold() == given.casefold()]
    same = same_case or [value for value in wanted if squash(value) and squash(value) == squash(given)]
    near = same[0] if len(same) == 1 else _nearest(given, wanted)
    more = f" and {len(wanted) - _MAX_VALUES} more" if len(wanted) > _MAX_VALUES else ""
    values = {
        "name": name,
        "value": given[:_MAX_VALUE],
        "allowed": ", ".join(wanted[:_MAX_VALUES]) + more,
        "near": near,
    }
    is_proven = is_part and len(same) == 1 and text[slice(*span)] == given
    edits = (Edit.reword(span, given, same[0]),) if is_proven else ()
    applicability = Applicability.SAFE if same_case else Applicability.UNSAFE
    return RawDiagnostic(span, values, edits, applicability, message="similar" if near else "not-allowed")


def _nearest(given: str, wanted: list[str]) -> str | None:
    from rapidfuzz.fuzz import ratio
    from rapidfuzz.process import extractOne

    found = extractOne(
        given[:_MAX_VALUE], wanted, scorer=ratio, processor=str.casefold, score_cutoff=_MIN_RATIO
    )
    return found[0] if found else None


def _within(span: Span, value: str, text: str) -> Span:
    """Return the span of a value within that of a part of several, such as `Apache` of `MIT/Apache`."""
    start = text.find(value, *span)
    return Span(start, start + len(value)) if value and start >= 0 else span


def _description(error: Any) -> str | None:
    """Return the description of the schema that is not fitted, or of one that it is a branch of."""
    while error is not None:
        schema = error.schema
        if isinstance(schema, dict) and (description := schema.get("description")):
            return str(description)
        error = error.parent
    return None


def _in_words_of_jsonschema(error: Any, field: str, span: Span) -> RawDiagnostic:
    """Return the diagnostic with jsonschema's own message, without a long value at its beginning."""
    value, message = repr(error.instance), str(error.message)
    if field and len(value) > _MAX_VALUE and message.startswith(value):
        return RawDiagnostic(
            span, {"field": field, "error": message[len(value) :].strip()[:_MAX_ERROR]}, message="long-value"
        )
    return RawDiagnostic(
        span, {"field": field, "error": message[:_MAX_ERROR]}, message="field" if field else "entry"
    )
