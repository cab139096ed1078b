"""Entries as CSV (RFC 4180), a row each, safe to open in a spreadsheet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from shelfread.report.entries.plain import plain
from shelfread.report.entries.reference import EntryData
from shelfread.taxonomy.vocabulary import Vocabulary

_OWN = ("doi", "arxiv", "github")
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
_QUOTED = ('"', ",", ";")
COLUMNS: Mapping[str, Callable[[EntryData], Any]] = {
    **{name: lambda entry, name=name: entry[name] for name in ("title", "name", "description", "venue", "venue_text", "year")},
    **{name: lambda entry, name=name: "; ".join(entry[name]) for name in ("authors", "affiliations")},
    **{name: lambda entry, name=name: entry["identifiers"].get(name) for name in _OWN},
    "other_identifiers": lambda entry: "; ".join(
        f"{kind}:{value}" for kind, value in entry["identifiers"].items() if value and kind not in _OWN
    ),
    "links": lambda entry: " ".join(_link(link) for link in entry["links"]),
    "notes": lambda entry: "; ".join(entry["notes"]),
    "section": lambda entry: " > ".join(entry["section"]),
    **{name: lambda entry, name=name: entry[name] for name in ("concept", "dialect", "path", "line", "end_line")},
    "uncertain": lambda entry: "; ".join(entry.get("uncertain", ())),
}  # fmt: skip
"""Each column's value of an entry."""


def lines(entries: Iterable[tuple[EntryData, Vocabulary]]) -> Iterator[str]:
    """Yield the rows without their line feeds, so each ends with a carriage return; the first has the columns' names."""
    yield ",".join(COLUMNS) + "\r"
    for entry, _ in entries:
        yield ",".join(_cell(value(entry)) for value in COLUMNS.values()) + "\r"


def _cell(value: Any) -> str:
    """Return a cell; a text that a spreadsheet would take for a formula gets an apostrophe before it."""
    if value is None or isinstance(value, int):
        return "" if value is None else str(value)
    text = plain(value)
    if text.lstrip("'").startswith(_FORMULA):
        text = f"'{text}"
    return '"' + text.replace('"', '""') + '"' if any(char in text for char in _QUOTED) else text


def _link(link: Mapping[str, Any]) -> str:
    """Return a link as `role=URL`, without blanks in it."""
    url = plain(link["url"]).replace(" ", "%20")
    return f"{link['role']}={url}" if link["role"] else url
