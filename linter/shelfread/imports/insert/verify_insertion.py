"""Verifies what is inserted: each entry is read as what it is, and the list is the old one apart from them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from shelfread.core.diagnostics import MARKUP, Edit
from shelfread.core.errors import InputError
from shelfread.core.support.line_diff import GONE, align
from shelfread.document.entry_data import entry_data
from shelfread.document.identity import fold_url
from shelfread.document.model import Document, Entry
from shelfread.fixes.verify.conservation import find_damage
from shelfread.imports.imported_entry import ImportedEntry
from shelfread.imports.insert.entry_ways import Way
from shelfread.taxonomy.label_forms import squash
from shelfread.taxonomy.taxonomy import Taxonomy

_LONGEST = 80
_NUMBER = re.compile(r"^([ \t>]*)(\d{1,9})(?=[.)](?:[ \t]|$))")


def find_fault(
    entry: Entry | None, wanted: ImportedEntry, way: Way, document: Document, taxonomy: Taxonomy
) -> str | None:
    """Return what is read differently of an entry that was written in a way, the gravest first; None if nothing is."""
    if entry is None:
        return "it would not be read as an entry"
    data: dict[str, Any] = entry_data(entry, document, taxonomy)
    titles = (wanted["title"], wanted["identifiers"].get("github") or "")
    if squash(data["title"]) not in map(squash, titles):
        return f"its title would be read as {_shown(data['title'])}"
    if (fault := _fault_of_links(data, wanted, way)) is not None:
        return fault
    if entry.kind != "classic":
        # A venue that the vocabulary does not know may stand where only a known one is read, with its year.
        is_known = wanted["venue"] is not None or wanted["venue_text"] is None
        if "year" in way.states and data["year"] != wanted["year"] and (is_known or data["year"] is not None):
            return f"its year would be read as {_shown(data['year'])}, not as {wanted['year']}"
        if "venue" in way.states and is_known and not (data["venue"] or data["venue_text"]):
            return f"its venue {_shown(wanted['venue'])} would not be read"
    description = data["description"] if "description" in way.states else None
    if description is not None and description.rstrip(".") != wanted["description"].rstrip("."):
        return f"its description would be read as {_shown(description)}"
    return None


def _fault_of_links(data: Mapping[str, Any], wanted: ImportedEntry, way: Way) -> str | None:
    read = {fold_url(link["url"]) for link in data["links"] if link["url"]}
    given = {fold_url(link["url"]): link["url"] for link in wanted["links"] if link["url"]}
    written = given.keys() - {fold_url(url) for url in way.dropped}
    if lost := [given[url] for url in given if url in written and url not in read]:
        return f"its link {_shown(lost[0])} would not be read"
    if more := sorted(read - given.keys()):
        return f"a link would be read that it does not have, {_shown(more[0])}"
    return None


def _shown(value: object) -> str:
    text = str(value) if value is not None else "none"
    text = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
    return f"'{text}'" if isinstance(value, str) else text


def verify_insertion(before: Document, after: Document) -> None:
    """Raise InputError if anything but the inserted lines and the numbers of lists changed."""
    source, path = before.source, before.source.path
    old = [_NUMBER.sub(r"\1#", line) for line in source.lines]
    new = [_NUMBER.sub(r"\1#", line) for line in after.source.lines]
    aligned = align(old, new)
    kept = [line for line in aligned if line != GONE]
    if len(kept) != len(old):
        lost = next(line for line in range(len(old)) if line not in set(kept))
        raise InputError("nothing is inserted, because this line would change", path, lost + 1)
    edits: list[Edit] = []
    pending = ""
    last = -1
    for number, line in enumerate(aligned):
        text = after.source.lines[number]
        if line == GONE:
            pending += text + source.newline
            continue
        if pending:
            edits.append(Edit.insert(source.starts[line], pending))
            pending = ""
        if text != source.lines[line]:
            was, now = _NUMBER.match(source.lines[line]), _NUMBER.match(text)
            if was and now:
                start = source.starts[line]
                edits.append(Edit(start + was.start(2), start + was.end(2), now[2], MARKUP))
        last = line
    if pending:
        edits.append(
            Edit.insert(len(source.text) if last == len(old) - 1 else source.starts[last + 1], pending)
        )
    if damage := find_damage(before.tree, source.text, after.tree, after.source.text, edits):
        raise InputError(f"nothing is inserted, because more would change: {damage}", path)
