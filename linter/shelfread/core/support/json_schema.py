"""Validate a user's file with its JSON schema: report the first error with its place, in plain words.

Importing jsonschema takes longer than a whole run, so only files that users write are validated.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from shelfread.core.errors import UserError
from shelfread.core.support.resources import SCHEMA
from shelfread.core.support.suggest import guess


class Placed(Protocol):
    """Data with the place of each of its values: a YamlFile, a TomlFile."""

    data: Any

    def place(self, keys: Sequence[str | int], key: bool = False) -> tuple[int, int]: ...

    def fail(self, message: str, keys: Sequence[str | int] = (), key: bool = False) -> UserError: ...


def schema(name: str) -> dict[str, Any]:
    """Return a bundled JSON schema: taxonomy, config, rule or entry."""
    import json

    loaded: dict[str, Any] = json.loads((SCHEMA / f"{name}.schema.json").read_text("utf-8"))
    return loaded


def validate(file: Placed, schema_name: str) -> None:
    """Raise the file's error for its first value that does not fit the schema."""
    from jsonschema import Draft202012Validator
    from referencing import Registry

    # An empty registry: no schema is ever fetched.
    validator = Draft202012Validator(schema(schema_name), registry=Registry())
    found = [_describe(error) for error in validator.iter_errors(file.data)]
    if found:
        message, keys, key = min(found, key=lambda error: file.place(error[1], error[2]))
        raise file.fail(message, keys, key)


_Description = tuple[str, list["str | int"], bool]


def _describe(error: Any) -> _Description:
    """Return the message, the path, and whether the key is wrong instead of the value."""
    path: list[str | int] = list(error.absolute_path)
    name = _name(path)
    rule, wanted, given = error.validator, error.validator_value, error.instance
    if rule == "additionalProperties":
        known = list(error.schema.get("properties", ()))
        extra = next(key for key in given if key not in known)
        return f"unknown key '{extra}'{guess(extra, known)}", [*path, extra], True
    if rule == "propertyNames":
        path = [*path, given]
        return f"'{given}' cannot be a key here: {_expected(error)}", path, True
    if rule == "pattern" and error.parent is None and "propertyNames" in error.absolute_schema_path:
        return f"'{given}' cannot be a key here: {_expected(error)}", [*path, given], True
    if rule == "required":
        missing = next(key for key in wanted if key not in given)
        return f"{name} lacks '{missing}'", path, bool(path)
    if rule == "type":
        return f"{name} must be {_type(error.schema)}, not {_kind(given)}", path, False
    if rule in ("enum", "const"):
        values = [str(value) for value in (wanted if rule == "enum" else [wanted])]
        choice = values[0] if len(values) == 1 else f"one of {', '.join(values)}"
        return f"{name} must be {choice}, not '{given}'{guess(str(given), values)}", path, False
    return f"{name} is wrong: {_expected(error)}", path, False


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
    if kinds == ["array"] and isinstance(items, dict) and items.get("type") == "string":
        return "a list of text"
    return " or ".join(_TYPES[kind] for kind in kinds)


_KINDS = {
    bool: "true or false",
    str: "text",
    int: "a number",
    float: "a number",
    list: "a list",
    dict: "a mapping",
}


def _kind(given: object) -> str:
    return _KINDS.get(type(given), "empty")
