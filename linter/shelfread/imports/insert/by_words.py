"""Finds the sections in which entries belong by their words, venues and links, as the rule `taxonomy/placement` does."""

from __future__ import annotations

from collections.abc import Sequence

from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.imports.imported_entry import ImportedEntry
from shelfread.imports.insert.sections import Target
from shelfread.index.placement.misplaced import is_sure
from shelfread.index.placement.targets import find_targets
from shelfread.index.placement.term_evidence import gather
from shelfread.markdown.escape import destination, escape
from shelfread.taxonomy.taxonomy import Taxonomy
from shelfread.taxonomy.words import squash

_HEADING = "# New"


def find_by_words(
    document: Document, entries: Sequence[ImportedEntry], taxonomy: Taxonomy
) -> list[Target | None]:
    """Return for each entry the section that surely is its own, else None; the entries are read behind the list once."""
    if not taxonomy.concepts:
        return [None] * len(entries)
    lines = "".join(f"{_line(entry)}\n" for entry in entries)
    text = f"{document.source.text}\n\n{_HEADING}\n\n{lines}"
    behind = read(Source(text, document.source.path), taxonomy.vocabulary)
    first = len(document.entries)
    new = {squash(entry.title.value): first + index for index, entry in enumerate(behind.entries[first:])}
    targets = find_targets(behind, taxonomy)
    evidence = gather(behind, taxonomy, targets)
    found: list[Target | None] = []
    for entry in entries:
        index = new.get(squash(entry["title"]))
        place = evidence.propose(index, new.values()) if index is not None else None
        if index is None or place is None or not is_sure(place):
            found.append(None)
            continue
        term = evidence.term(index, place)
        why = f"'{term.words}' is in its {term.field}; {place.inside} of {place.total} such entries here stand there"
        found.append(Target(place.section, why))
    return found


def _line(entry: ImportedEntry) -> str:
    """Return an entry as a line that is read as what it is."""
    url = next((destination(link["url"]) for link in entry["links"] if link["url"]), "")
    title, description = escape(entry["title"]), entry["description"]
    if description:
        return f"- [{title}]({url}) - {escape(description)}" if url else f"- {title} - {escape(description)}"
    venue = " ".join(str(part) for part in (entry["venue"] or entry["venue_text"], entry["year"]) if part)
    cited = f" ({escape(venue)})" if venue else ""
    return f"- {title}{cited} [[Paper]({url})]" if url else f"- {title}{cited}"
