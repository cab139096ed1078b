"""The JSON Schemas of entries that a taxonomy brings along: a stranger's, so nothing in them may hang.

`$ref` leads to the schema's own `$defs` alone, what they expand to is bounded, and a `pattern` is run by
google-re2 or refused: Python's own engine can be made to run for ever.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from shelfread.core.support.regex import PatternError, compile_untrusted
from shelfread.core.support.strict_yaml import YamlFile

MAX_PARTS = 5_000
"""Parts of a schema once every $ref is expanded."""

_HELD = ("properties", "patternProperties", "$defs", "dependentSchemas")
_LITERAL = ("const", "enum", "default", "examples")
_Path = list["str | int"]


def check_schemas(file: YamlFile) -> None:
    """Raise the file's error for an entry schema that is none, or that would not be safe to run."""
    _check(file, ["entry"], file.data.get("entry"))
    for id, term in (file.data.get("concepts") or {}).items():
        if term:
            _check(file, ["concepts", id, "entry"], term.get("entry"))


def entry_validator(schema: Mapping[str, object]) -> Any:
    """A jsonschema validator of exported entries; its patterns are run by google-re2."""
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend
    from referencing import Registry

    make: Any = extend
    return make(Draft202012Validator, {"pattern": _pattern})(dict(schema), registry=Registry())


def _pattern(validator: Any, pattern: str, instance: object, part: object) -> Iterator[Any]:
    from jsonschema import ValidationError

    if isinstance(instance, str) and not compile_untrusted(pattern).search(instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def _check(file: YamlFile, place: _Path, schema: Any) -> None:
    if schema is None:
        return
    from jsonschema import Draft202012Validator, SchemaError

    for path, key, value in _keywords(schema, place):
        if key in ("$dynamicRef", "$id", "$anchor", "$dynamicAnchor", "patternProperties"):
            raise file.fail(f"'{key}' is not for entry schemas", [*path, key], key=True)
        if key == "$ref" and not str(value).startswith("#/$defs/"):
            raise file.fail("a '$ref' leads to '#/$defs/...' and nowhere else", [*path, key])
        if key == "pattern":
            _check_pattern(file, [*path, key], value)
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as wrong:
        raise file.fail(f"no JSON Schema: {wrong.message}", [*place, *wrong.absolute_path]) from None
    definitions = schema.get("$defs", {}) if isinstance(schema, dict) else {}
    if _parts(schema, definitions, {}) > MAX_PARTS:
        raise file.fail(f"more than {MAX_PARTS} parts with its '$ref's expanded, or one without end", place)


def _check_pattern(file: YamlFile, path: _Path, pattern: object) -> None:
    try:
        compile_untrusted(str(pattern))
    except PatternError as wrong:
        raise file.fail(f"no pattern that google-re2 can run: {wrong}", path) from None


def _keywords(part: Any, path: _Path) -> Iterator[tuple[_Path, str, Any]]:
    """Every keyword of a schema and of the schemas in it; names of properties are none."""
    if isinstance(part, list):
        for at, one in enumerate(part):
            yield from _keywords(one, [*path, at])
    elif isinstance(part, dict):
        for key, value in part.items():
            yield path, key, value
            if key in _HELD and isinstance(value, dict):
                for name, one in value.items():
                    yield from _keywords(one, [*path, key, name])
            elif key not in _LITERAL:
                yield from _keywords(value, [*path, key])


def _parts(part: Any, definitions: Mapping[str, Any], known: dict[str, int]) -> int:
    """How many parts there are once every $ref is what it stands for; too many for a ring."""
    if isinstance(part, list):
        return sum(_parts(one, definitions, known) for one in part)
    if not isinstance(part, dict):
        return 0
    total = 1 + sum(_parts(value, definitions, known) for key, value in part.items() if key != "$defs")
    name = str(part["$ref"]).removeprefix("#/$defs/") if "$ref" in part else None
    if name is not None:
        if name not in known:
            known[name] = MAX_PARTS + 1  # what a ring comes back to
            known[name] = _parts(definitions.get(name), definitions, known)
        total += known[name]
    return min(total, MAX_PARTS + 1)
