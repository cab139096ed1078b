"""Compares an entry that is read from the new text with what was to be written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shelfread.core.support.named_tuple import NamedTuple
from shelfread.document.export import entry_data
from shelfread.document.identity import fold_url
from shelfread.document.model import Document, Entry
from shelfread.imports.imported_entry import ImportedEntry
from shelfread.imports.insert.write import Way
from shelfread.taxonomy.taxonomy import Taxonomy
from shelfread.taxonomy.words import squash

_LONGEST = 80


class Fault(NamedTuple):
    """A field that is read differently, and how grave that is."""

    weight: int
    message: str


def find_fault(
    found: Entry | None, wanted: ImportedEntry, way: Way, document: Document, taxonomy: Taxonomy
) -> Fault | None:
    """Return the gravest fault of an entry that was written in a way; None if it is read as what it is."""
    if found is None:
        return Fault(9, "it would not be read as an entry")
    data: dict[str, Any] = entry_data(found, document, taxonomy)
    titles = (wanted["title"], wanted["identifiers"].get("github") or "")
    if squash(data["title"]) not in map(squash, titles):
        return Fault(8, f"its title would be read as {_shown(data['title'])}")
    if (fault := _fault_of_links(data, wanted, way)) is not None:
        return fault
    if found.kind != "classic":
        # A venue that the vocabulary does not know may stand where only a known one is read, with its year.
        is_known = wanted["venue"] is not None or wanted["venue_text"] is None
        if "year" in way.states and data["year"] != wanted["year"] and (is_known or data["year"] is not None):
            return Fault(2, f"its year would be read as {_shown(data['year'])}, not as {wanted['year']}")
        if "venue" in way.states and is_known and not (data["venue"] or data["venue_text"]):
            return Fault(2, f"its venue {_shown(wanted['venue'])} would not be read")
    told = data["description"] if "description" in way.states else None
    if told is not None and told.rstrip(".") != wanted["description"].rstrip("."):
        return Fault(1, f"its description would be read as {_shown(told)}")
    return None


def _fault_of_links(data: Mapping[str, Any], wanted: ImportedEntry, way: Way) -> Fault | None:
    read = {fold_url(link["url"]) for link in data["links"] if link["url"]}
    given = {fold_url(link["url"]): link["url"] for link in wanted["links"] if link["url"]}
    written = given.keys() - {fold_url(url) for url in way.dropped}
    if lost := [given[url] for url in given if url in written and url not in read]:
        return Fault(7, f"its link {_shown(lost[0])} would not be read")
    if more := sorted(read - given.keys()):
        return Fault(7, f"a link would be read that it does not have, {_shown(more[0])}")
    return None


def _shown(value: object) -> str:
    text = str(value) if value is not None else "none"
    text = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
    return f"'{text}'" if isinstance(value, str) else text
