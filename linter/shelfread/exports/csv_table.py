"""Entries as CSV (RFC 4180), a row each, safe to open in a spreadsheet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from shelfread.exports.cited_work import EntryData, plain
from shelfread.taxonomy.vocabulary import Vocabulary

_OWN = ("doi", "arxiv", "github")
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
_QUOTED = ('"', ",", ";")
COLUMNS = (
    *("title", "name", "description", "venue", "venue_text", "year", "authors", "affiliations"),
    *(*_OWN, "other_identifiers", "links", "notes", "section"),
    *("concept", "dialect", "path", "line", "end_line", "uncertain"),
)


def csv(entries: Iterable[tuple[EntryData, Vocabulary]]) -> Iterator[str]:
    """Yield the rows without their line feeds, so each ends with a carriage return; the first has the columns' names."""
    yield ",".join(COLUMNS) + "\r"
    for entry, _ in entries:
        yield ",".join(cell(_value(entry, column)) for column in COLUMNS) + "\r"


def _value(entry: EntryData, column: str) -> Any:
    """Return what an entry has in a column; several values are joined by `; `."""
    identifiers = entry["identifiers"]
    if column in _OWN:
        return identifiers.get(column)
    if column == "other_identifiers":
        return "; ".join(f"{kind}:{id}" for kind, id in identifiers.items() if id and kind not in _OWN)
    if column == "links":
        return " ".join(_link(link) for link in entry["links"])
    if column == "section":
        return " > ".join(entry["section"])
    value = entry.get(column)
    return "; ".join(value) if isinstance(value, list | tuple) else value


def cell(value: Any) -> str:
    """Return a cell; a text that a spreadsheet would take for a formula gets an apostrophe before it."""
    if value is None or isinstance(value, int):
        return "" if value is None else str(value)
    text = plain(value)
    if text.lstrip("'").startswith(_FORMULA):
        text = f"'{text}"
    return (
        '"' + text.replace('"', '""') + '"'
        if text[:1] == ":" or any(char in text for char in _QUOTED)
        else text
    )


def _link(link: Mapping[str, Any]) -> str:
    """Return a link as `role=URL`, without blanks in it."""
    url = plain(link["url"]).replace(" ", "%20")
    return f"{link['role']}={url}" if link["role"] else url
