"""Checks the names in the schemas of entries: the fields, link roles, tags and columns that they demand."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from shelfread.core.support.suggest import did_you_mean
from shelfread.taxonomy.integrity import Places, Term
from shelfread.taxonomy.issue import Issue, error

FIELDS = (
    "title name description venue venue_text year authors affiliations notes identifiers links section concept dialect"
    " path line end_line"
).split()
"""What `export` prints of each entry."""


def name_issues(
    entry: Mapping[str, Any] | None,
    kinds: Mapping[str, Mapping[str, Term]],
    roles: Collection[str],
    places: Places,
) -> Iterator[Issue]:
    """Yield what schemas name that no entry has, and parts with a name that is taken."""
    schemas = [
        (("entry",), entry),
        *(
            ((kind, id, "entry"), term.get("entry"))
            for kind in ("concepts", "forms")
            for id, term in kinds[kind].items()
        ),
    ]
    stated = [(path, schema) for path, schema in schemas if schema]
    parts = {name for _, schema in stated for key in ("tags", "columns") for name in schema.get(key, ())}
    known = {*FIELDS, *roles, *parts}
    for path, schema in stated:
        for name, place in _names(schema, ("tags", "columns")):
            if name in FIELDS or name in roles:
                what = "a field" if name in FIELDS else "a link role"
                message = f"'{name}' is the name of {what} already: choose another one"
                yield error("entry-name", places.error(message, (*path, *place)))
        for name, place in _names(schema, ("required", "order", "properties")):
            if name not in known:
                message = f"no field, link role, tag or column '{name}'{did_you_mean(name, known)}"
                yield error("entry-name", places.error(message, (*path, *place), place[0] == "properties"))


def _names(schema: Mapping[str, Any], keys: Sequence[str]) -> Iterator[tuple[str, tuple[str | int, ...]]]:
    """Yield the names that a schema states, each with its path."""
    for key in keys:
        given = schema.get(key, ())
        if isinstance(given, Mapping):
            yield from ((name, (key, name)) for name in given)
        else:
            yield from ((name, (key, index)) for index, name in enumerate(given))
