"""The command `import`: what a curator has at hand, as entries."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from shelfread.core.source import MAX_BYTES, Source, read_bytes, too_large
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.core.support.plurals import counted
from shelfread.imports.model import ImportedEntry
from shelfread.imports.recognise import KINDS, read_import, recognise
from shelfread.imports.venue import is_cut
from shelfread.mapping.named_taxonomies import configured_taxonomy
from shelfread.project.inputs import STDIN
from shelfread.taxonomy.taxonomy import Taxonomy


class ImportResult(NamedTuple):
    """The entries of an input, what it is, and what could not be read, for people."""

    entries: list[ImportedEntry]
    summary: str
    problems: Sequence[str]
    taxonomy: Taxonomy


def import_entries(
    file: str, kind: str | None, *, taxonomy: str | None, config: str | None, isolated: bool
) -> ImportResult:
    """Return the entries of a file, or of standard input for `-`; raises UserError if there are none."""
    source = _read(file)
    subjects = configured_taxonomy(taxonomy=taxonomy, config=config, isolated=isolated)
    found_kind = kind or recognise(source)
    found = read_import(source, found_kind, subjects, is_guess=kind is None)
    how = "read as" if kind else "recognised"
    doubtful = sum(1 for entry in found.entries if entry.get("uncertain"))
    summary = (
        f"{source.path}: {how} {KINDS[found_kind].label}: {counted(len(found.entries), 'entry', 'entries')}"
    )
    if doubtful:
        summary += f", {doubtful} with uncertain fields"
    problems = [f"{source.path}:{part.line}: left out: {part.reason}" for part in found.unread]
    return ImportResult(found.entries, summary, problems, subjects)


def _read(file: str) -> Source:
    if file != "-":
        return Source.from_bytes(read_bytes(file), file)
    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise too_large(STDIN)
    return Source.from_bytes(data, STDIN)


def printable_entry(entry: ImportedEntry) -> ImportedEntry:
    """Return an entry as lists and bibliographies write it.

    Without labels that have no link, with the venue's usual name, without a name that is cut off with `…`. A title that is not
    known is the identifier, and an address that is no paper's is its own name.
    """
    links = [link for link in entry["links"] if link["url"]]
    venue = entry["venue"] or entry["venue_text"]
    printable = {**entry, "links": links, "venue_text": None if venue and is_cut(venue) else venue}
    if entry["title"] is not None:
        return printable
    known = entry["identifiers"]
    if known.get("doi") or known.get("arxiv"):
        return {**printable, "title": known.get("doi") or f"arXiv:{known['arxiv']}"}
    url = links[0]["url"]
    return {**printable, "title": url, "name": None if links[0]["role"] == "paper" else url}
