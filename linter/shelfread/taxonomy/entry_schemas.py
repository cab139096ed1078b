"""The schemas of entries that hold for a concept: the taxonomy's own, those of broader concepts, and its own one.

Besides the keywords of JSON Schema, a schema names the parts of an entry that `export` does not print: `tags` stand at
the end of a line or below it, `columns` the columns of a table. `order` lists parts in the order in which they stand,
and `optional` what broader schemas require and this one does not.

A `pattern` is run by google-re2, as Python's engine can take exponential time. jsonschema takes long to import, so
import this module where a taxonomy has schemas.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import extend
from referencing import Registry

from shelfread.core.patterns import compile_untrusted

_NOTHING: tuple[object, ...] = (None, "", [])


class EntrySchema(NamedTuple):
    """A schema, and the label of the concept that states it; empty for the taxonomy itself."""

    concept: str
    schema: Mapping[str, Any]
    validator: Any


class EntrySchemas(NamedTuple):
    """All schemas for the entries of a section, the broadest first. Of `tags` and the like the narrowest counts."""

    schemas: tuple[EntrySchema, ...]
    tags: tuple[str, ...]
    columns: tuple[str, ...]
    order: tuple[str, ...]


def make_schemas(stated: Sequence[tuple[str, Mapping[str, Any]]]) -> EntrySchemas:
    """Return the schemas of concepts by their labels, the broadest first; narrower ones replace what these say of a property."""
    last: dict[str, tuple[str, ...]] = {}
    schemas: list[EntrySchema] = []
    replaced: set[str] = set()
    optional: set[str] = set()
    for label, schema in reversed(stated):
        last = {key: tuple(schema[key]) for key in ("tags", "columns", "order") if key in schema} | last
        left = _without(schema, replaced, optional)
        schemas.append(EntrySchema(label, left, entry_validator(left)))
        replaced.update(schema.get("properties", ()))
        optional.update(schema.get("optional", ()))
    return EntrySchemas(
        tuple(reversed(schemas)), last.get("tags", ()), last.get("columns", ()), last.get("order", ())
    )


def _without(
    schema: Mapping[str, Any], properties: Collection[str], required: Collection[str]
) -> dict[str, Any]:
    left = dict(schema)
    if "properties" in schema:
        left["properties"] = {
            key: each for key, each in schema["properties"].items() if key not in properties
        }
    if "required" in schema:
        left["required"] = [name for name in schema["required"] if name not in required]
    return left


def entry_validator(schema: Mapping[str, object]) -> Any:
    """Return a jsonschema validator of entries, for which null and empty is missing, and `items` applies to parts of texts too."""
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
