"""What an import gives: entries, and what could not be read."""

from __future__ import annotations

from typing import Any

from shelfread.core.support.named_tuple import NamedTuple

ImportedEntry = dict[str, Any]
"""An entry as `shelfread export --format json` prints it (schema/entry.schema.json)."""


class Unread(NamedTuple):
    """A part of the input that gives no entry, and why. `line` counts from 1."""

    line: int
    reason: str


class Import(NamedTuple):
    """The entries of an input in order, and its parts that could not be read."""

    entries: list[ImportedEntry]
    unread: list[Unread]
