"""The schemas of entries that hold for a concept: the taxonomy's own, those of broader concepts, and its own one.

Besides the keywords of JSON Schema, a schema names the parts of an entry that `export` does not print: `tags` are the
code spans at the end of a line, `columns` the columns of a table. `order` lists parts in the order in which they stand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from shelfread.core.support.named_tuple import NamedTuple


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
    from shelfread.taxonomy.entry import entry_validator

    last: dict[str, tuple[str, ...]] = {}
    for _, schema in stated:
        last |= {key: tuple(schema[key]) for key in ("tags", "columns", "order") if key in schema}
    return EntrySchemas(
        tuple(EntrySchema(label, schema, entry_validator(schema)) for label, schema in stated),
        last.get("tags", ()),
        last.get("columns", ()),
        last.get("order", ()),
    )
