"""The schemas of entries that hold for a concept: the taxonomy's own, those of broader concepts, and its own one.

Besides the keywords of JSON Schema, a schema names the parts of an entry that `export` does not print: `tags` are the
code spans at the end of a line, `columns` the columns of a table. `order` lists parts in the order in which they stand.

Schemas are untrusted, so none may run without bounds. `$ref` may lead to the schema's own `$defs` only, the size of the
expanded schema is bounded, and a `pattern` must be one that google-re2 can run: Python's engine can take exponential
time. jsonschema takes long to import, so import this module where a taxonomy has schemas.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from jsonschema import Draft202012Validator, SchemaError, ValidationError
from jsonschema.validators import extend
from referencing import Registry

from shelfread.core.errors import UserError
from shelfread.core.patterns import PatternError, compile_untrusted
from shelfread.core.yaml_files import YamlFile

MAX_SUBSCHEMAS = 5_000
"""The maximum number of subschemas once every $ref is expanded."""
_MAPS_OF_SCHEMAS = ("properties", "patternProperties", "$defs", "dependentSchemas")
_NOTHING: tuple[object, ...] = (None, "", [])
_DATA_KEYWORDS = ("const", "enum", "default", "examples")
_Path = list["str | int"]


class EntrySchema(NamedTuple):
    """A schema, and the label of the concept that states it; empty for the taxonomy itself."""

    concept: str
    schema: Mapping[str, Any]
    validator: Any


class EntrySchemas(NamedTuple):
    """All schemas for the entries of a concept, the broadest first. Of other keywords the narrowest one counts."""

    schemas: tuple[EntrySchema, ...]
    tags: tuple[str, ...]
    columns: tuple[str, ...]
    order: tuple[str, ...]


def make_schemas(stated: Sequence[tuple[str, Mapping[str, Any]]]) -> EntrySchemas:
    """Return the schemas of concepts by their labels, the broadest first."""

    last: dict[str, tuple[str, ...]] = {}
    for _, schema in stated:
        last |= {key: tuple(schema[key]) for key in ("tags", "columns", "order") if key in schema}
    return EntrySchemas(
        tuple(EntrySchema(label, schema, entry_validator(schema)) for label, schema in stated),
        last.get("tags", ()),
        last.get("columns", ()),
        last.get("order", ()),
    )


def schema_errors(file: YamlFile) -> Iterator[UserError]:
    """Yield an error for each entry schema that is invalid or not safe to run."""
    yield from _errors(file, ["entry"], file.data.get("entry"))
    for kind in ("concepts", "forms"):
        for id, term in (file.data.get(kind) or {}).items():
            if term:
                yield from _errors(file, [kind, id, "entry"], term.get("entry"))


def entry_validator(schema: Mapping[str, object]) -> Any:
    """Return a jsonschema validator of entries, whose fields are null or empty if nothing is stated.

    Its patterns are run by google-re2. `required` means that something is stated, and the error's path ends with the
    name of what is not. `items` applies to a text too, as to the values that it has between slashes or commas.
    """
    make: Any = extend
    keywords = {"enum": _enum, "items": _items, "pattern": _pattern, "required": _required}
    return make(Draft202012Validator, keywords)(dict(schema), registry=Registry())


def _pattern(validator: Any, pattern: str, instance: object, schema: object) -> Iterator[Any]:
    if isinstance(instance, str) and not compile_untrusted(pattern).search(instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def _enum(validator: Any, values: list[object], instance: object, schema: object) -> Iterator[Any]:
    if not isinstance(instance, str):
        yield from Draft202012Validator.VALIDATORS["enum"](validator, values, instance, schema)
    elif (
        instance not in values
    ):  # an item may be allowed hundreds of values, and a list have thousands of them
        yield ValidationError("not allowed")


def _required(validator: Any, required: list[str], instance: object, schema: object) -> Iterator[Any]:
    if isinstance(instance, dict):
        for name in required:
            if instance.get(name) in _NOTHING:
                yield ValidationError(f"{name!r} is missing", path=[name])


def _items(validator: Any, items: Any, instance: object, schema: Any) -> Iterator[Any]:
    if isinstance(instance, str):
        for index, value in enumerate(split_values(instance)):
            yield from validator.descend(value, items, path=index)
    else:
        yield from Draft202012Validator.VALIDATORS["items"](validator, items, instance, schema)


def split_values(text: str) -> list[str]:
    """Return the values of a text such as `MIT/Apache-2.0` or `Go, Docker`."""
    return [value for part in text.replace("/", ",").split(",") if (value := part.strip())]


def _errors(file: YamlFile, path: _Path, schema: Any) -> Iterator[UserError]:
    if schema is None:
        return
    for parent, key, value in _keywords(schema, path):
        if key in ("$dynamicRef", "$id", "$anchor", "$dynamicAnchor", "patternProperties"):
            yield file.fail(f"'{key}' is not for entry schemas", [*parent, key], key=True)
        elif key == "$ref" and not str(value).startswith("#/$defs/"):
            yield file.fail("a '$ref' leads to '#/$defs/...' and nowhere else", [*parent, key])
        elif key == "pattern":
            try:
                compile_untrusted(str(value))
            except PatternError as error:
                message = f"no pattern that google-re2 can run: {error}"
                yield file.fail(message, [*parent, key])
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        yield file.fail(f"no JSON Schema: {error.message}", [*path, *error.absolute_path])
    definitions = schema.get("$defs", {}) if isinstance(schema, dict) else {}
    if _count(schema, definitions, {}) > MAX_SUBSCHEMAS:
        yield file.fail(f"more than {MAX_SUBSCHEMAS} parts with '$ref's expanded, or a circular '$ref'", path)


def _keywords(schema: Any, path: _Path) -> Iterator[tuple[_Path, str, Any]]:
    """Yield the path, name and value of every keyword of a schema and its subschemas. Property names are none."""
    if isinstance(schema, list):
        for index, subschema in enumerate(schema):
            yield from _keywords(subschema, [*path, index])
    elif isinstance(schema, dict):
        for key, value in schema.items():
            yield path, key, value
            if key in _MAPS_OF_SCHEMAS and isinstance(value, dict):
                for name, subschema in value.items():
                    yield from _keywords(subschema, [*path, key, name])
            elif key not in _DATA_KEYWORDS:
                yield from _keywords(value, [*path, key])


def _count(schema: Any, definitions: Mapping[str, Any], counts: dict[str, int]) -> int:
    """Return the number of subschemas once every $ref is expanded; more than the maximum for a circular $ref."""
    if isinstance(schema, list):
        return sum(_count(subschema, definitions, counts) for subschema in schema)
    if not isinstance(schema, dict):
        return 0
    total = 1 + sum(_count(value, definitions, counts) for key, value in schema.items() if key != "$defs")
    name = str(schema["$ref"]).removeprefix("#/$defs/") if "$ref" in schema else None
    if name is not None:
        if name not in counts:
            counts[name] = MAX_SUBSCHEMAS + 1  # for a circular $ref
            counts[name] = _count(definitions.get(name), definitions, counts)
        total += counts[name]
    return min(total, MAX_SUBSCHEMAS + 1)
