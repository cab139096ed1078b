"""Validation of user files against JSON Schemas: the first error, with its place; jsonschema, slow to import, is only for these."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from shelfread.core.folders import SCHEMA
from shelfread.core.wording import did_you_mean

if TYPE_CHECKING:
    from shelfread.core.yaml_files import YamlFile


def schema(name: str) -> dict[str, Any]:
    """Return a bundled JSON Schema: taxonomy, config, rule or entry."""
    import json

    loaded: dict[str, Any] = json.loads((SCHEMA / f"{name}.schema.json").read_text("utf-8"))
    return loaded


class Mismatch(NamedTuple):
    """What does not match a schema, and the value at `keys` (or its key, if `key`) that is wrong."""

    message: str
    keys: list[str | int]
    key: bool


def validate(file: YamlFile, schema_name: str) -> None:
    """Raise the file's error for the first place that does not match the schema."""
    found = list(mismatches(file.data, schema_name))
    if found:
        raise file.fail(*min(found, key=lambda mismatch: file.place(*mismatch[1:])))


def mismatches(data: Any, schema_name: str) -> Iterator[Mismatch]:
    """Yield everything in a file's data that does not match the schema, in no order."""
    from jsonschema import Draft202012Validator
    from referencing import Registry

    # With an empty registry, no schema is ever downloaded.
    validator = Draft202012Validator(schema(schema_name), registry=Registry())
    for error in validator.iter_errors(data):
        yield from described(error)


def described(error: Any) -> Iterator[Mismatch]:
    """Yield what an error of jsonschema means: one mismatch, or one for each unknown key."""
    path: list[str | int] = list(error.absolute_path)
    rule, wanted, given = error.validator, error.validator_value, error.instance
    if rule == "additionalProperties":
        known = list(error.schema.get("properties", ()))
        for extra in given:
            if extra not in known:
                yield Mismatch(f"unknown key '{extra}'{did_you_mean(extra, known)}", [*path, extra], True)
        return
    yield _mismatch(error, path, _name(path), rule, wanted, given)


def _mismatch(error: Any, path: list[str | int], name: str, rule: str, wanted: Any, given: Any) -> Mismatch:
    of_key = rule == "pattern" and error.parent is None and "propertyNames" in error.absolute_schema_path
    if rule == "propertyNames" or of_key:
        return Mismatch(f"'{given}' is not a valid key here: {_expected(error)}", [*path, given], True)
    if rule == "required":
        missing = next(key for key in wanted if key not in given)
        return Mismatch(f"{name} lacks '{missing}'", path, bool(path))
    if rule == "type":
        kinds = f"{_type(error.schema)}, not {_KINDS.get(type(given), 'empty')}"
        return Mismatch(f"{name} must be {kinds}", path, False)
    if rule in ("enum", "const"):
        values = [str(value) for value in (wanted if rule == "enum" else [wanted])]
        choice = values[0] if len(values) == 1 else f"one of {', '.join(values)}"
        return Mismatch(
            f"{name} must be {choice}, not '{given}'{did_you_mean(str(given), values)}", path, False
        )
    if limit := _LIMITS.get(rule):
        return Mismatch(f"{name} has {len(given):,} {limit.format(wanted=wanted)}", path, False)
    return Mismatch(f"{name} is invalid: {_expected(error)}", path, False)


_LIMITS = {
    "maxLength": "characters, but at most {wanted:,} are allowed",
    "maxItems": "items, but at most {wanted:,} are allowed",
    "maxProperties": "keys, but at most {wanted:,} are allowed",
}


def _expected(error: Any) -> str:
    return str(error.schema.get("description") or error.message)


def _name(path: Sequence[str | int]) -> str:
    if not path:
        return "the file"
    if isinstance(path[-1], int):
        return f"item {path[-1] + 1} of {_name(path[:-1])}"
    return f"'{path[-1]}'"


_TYPES = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping",
    "null": "empty",
}


def _type(part: dict[str, Any]) -> str:
    kinds = part["type"] if isinstance(part["type"], list) else [part["type"]]
    items = part.get("items", {})
    is_text = isinstance(items, dict) and items.get("type") == "string"
    return " or ".join("a list of text" if kind == "array" and is_text else _TYPES[kind] for kind in kinds)


_KINDS = {
    bool: "true or false",
    str: "text",
    int: "a number",
    float: "a number",
    list: "a list",
    dict: "a mapping",
}
