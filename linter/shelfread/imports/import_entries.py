"""The command `import`: recognises what an input is, and reads it as entries."""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from shelfread.core.errors import InputError
from shelfread.core.patterns import lazy
from shelfread.core.source import MAX_BYTES, Source, read_bytes, too_large
from shelfread.core.wording import counted
from shelfread.document.entry.remarks import find_remarks
from shelfread.document.entry_data import exported_entry
from shelfread.document.identity import address_of_ids
from shelfread.document.non_entries import BARE
from shelfread.document.read import read as read_document
from shelfread.document.unread import find_unread
from shelfread.imports import (
    from_bibtex,
    from_csl_json,
    from_csv,
    from_ids,
    from_page,
    from_references,
    from_ris,
    from_scholar,
)
from shelfread.imports.imported_entry import ImportedEntry, UnreadPart, workshop_name
from shelfread.imports.stated_venue import is_cut
from shelfread.mapping.project_lists import configured_taxonomy
from shelfread.project.files import STDIN
from shelfread.taxonomy.taxonomy import Taxonomy
from shelfread.taxonomy.vocabulary import Vocabulary

_MARKDOWN = lazy(
    r"^(?:#{1,6} \S|[ \t]*[-*+] +\S|[ \t]*\|.*\|[ \t]*$|[ \t]*<(?:table|tr|td|li|details|h\d|a|p)\b)|\]\([^)\s]",
    10,
)

_SECTION = lazy(r"<!-- section: ([^\n]{1,400}?) -->")
_NO_DOI = lazy(r"(?<![\w./])10\.5555/[^\s{}\"',;<>|()]{1,100}")  # that of an address is its own
_SHARE = lazy(r"(?:(?<!\s)\s+)?\(\d{1,3} %\)\s*$")
UNDECIDED = " | ?"  # what ends the sections of a comment until one of them is chosen


class Kind(NamedTuple):
    """A kind of input: what people call it, whether a text looks like it, and the function that reads it."""

    label: str
    looks_like: Callable[[str], bool]
    read: Callable[[Source, Taxonomy], Iterable[ImportedEntry | UnreadPart]]


class Import(NamedTuple):
    """The entries of an input in order, and its parts that could not be read."""

    entries: list[ImportedEntry]
    unread: list[UnreadPart]


class ImportResult(NamedTuple):
    """The entries of an input, what it is, and what could not be read, for people."""

    entries: list[ImportedEntry]
    summary: str
    unread: Sequence[str]
    is_whole: bool  # whether all was read that may have been meant as an entry
    taxonomy: Taxonomy
    chosen: Mapping[int, str]  # the sections that comments of the input choose, by the lines of the entries


def import_entries(
    file: str, kind: str | None, *, taxonomy: str | None, config: str | None, isolated: bool
) -> ImportResult:
    """Return the entries of a file, or of standard input for `-`; raises UserError if there are none."""
    source = _read_source(file)
    subjects = configured_taxonomy(taxonomy=taxonomy, config=config, isolated=isolated)
    name = kind or recognise(source)
    entries, unread = read_import(source, name, subjects, is_guess=kind is None)
    how = "read as" if kind else "recognised"
    summary = f"{source.path}: {how} {KINDS[name].label}: {counted(len(entries), 'entry', 'entries')}"
    if doubtful := sum("uncertain" in entry for entry in entries):
        summary += f", {doubtful} with uncertain fields"
    problems = [f"{source.path}:{part.line}: left out: {part.reason}" for part in unread]
    is_whole = not any(part.is_fault for part in unread)
    return ImportResult(entries, summary, problems, is_whole, subjects, _chosen_sections(source, entries))


def _read_source(file: str) -> Source:
    if file != "-":
        return Source.from_bytes(read_bytes(file), file)
    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise too_large(STDIN)
    return Source.from_bytes(data, STDIN)


def _chosen_sections(source: Source, entries: Sequence[ImportedEntry]) -> dict[int, str]:
    """Return the section that a comment below an entry, of several or none, was left with, by the entry's line."""
    chosen: dict[int, str] = {}
    lines = sorted(entry["line"] for entry in entries)
    for match in _SECTION.finditer(source.text):
        above = bisect_right(lines, source.line_at(match.start()) + 1)
        if above and not match[0].endswith(f"{UNDECIDED} -->"):
            chosen[lines[above - 1]] = _SHARE.sub("", match[1])
    return chosen


def recognise(source: Source) -> str:
    """Return the kind of a text. One that looks like no other kind is a reference list."""
    text = source.text.replace("\r\n", "\n").replace("\r", "\n")
    return next((name for name, kind in KINDS.items() if kind.looks_like(text)), from_references.KIND)


def read_import(source: Source, name: str, taxonomy: Taxonomy, *, is_guess: bool = False) -> Import:
    """Return the entries of a text of a kind, which may be a guess; raises InputError if it has none."""
    if not source.text.strip():
        raise InputError("nothing to import: it is empty", source.path)
    parts = list(KINDS[name].read(source, taxonomy))
    unread = sorted([*(part for part in parts if isinstance(part, UnreadPart)), *_no_dois(source)])
    entries = [part for part in parts if not isinstance(part, UnreadPart)]
    if not entries:
        first = f": {unread[0].reason}" if unread else ""
        hint = " (--from says what it is)" if is_guess else ""
        message = f"read as {KINDS[name].label}, it has no entry{first}{hint}"
        raise InputError(message, source.path, unread[0].line if unread else None)
    return Import(entries, unread)


def _no_dois(source: Source) -> Iterator[UnreadPart]:
    for match in _NO_DOI.finditer(source.text):
        reason = f"the DOI {match[0]}: {from_ids.NO_DOI}"
        yield UnreadPart(source.line_at(match.start()) + 1, reason, is_fault=False)


def _read_markdown(source: Source, taxonomy: Taxonomy) -> Iterator[ImportedEntry | UnreadPart]:
    """Yield the entries of a list, in any dialect, as `export` does, and what no entry holds."""
    # What is not decided is no list for other commands.
    text = source.text.replace(f"{UNDECIDED} -->", f"{' ' * len(UNDECIDED)} -->")
    document = read_document(Source(text, source.path), taxonomy.vocabulary)
    for entry in document.entries:
        exported = exported_entry(entry, document, taxonomy)
        remarks = find_remarks(entry, taxonomy.vocabulary)
        yield {**exported, "notes": [*exported["notes"], *remarks]}
    yield from (UnreadPart(part.line, part.reason, is_fault=False) for part in document.non_entries)
    unread = find_unread(document)
    yield from (UnreadPart(line, BARE) for line in unread.bare)
    yield from (UnreadPart(line, "its links are in no entry") for line in unread.lines)
    for links in unread.links.values():
        for link in links:
            line = source.line_at(link.start) + 1
            yield UnreadPart(line, f"the link {link.url}, which is in no field of its entry")


# In the order in which they are looked for: the strictest first.
KINDS = {
    from_bibtex.KIND: Kind("BibTeX", from_bibtex.looks_like, from_bibtex.read),
    from_ris.KIND: Kind("RIS", from_ris.looks_like, from_ris.read),
    from_csl_json.KIND: Kind("CSL-JSON", from_csl_json.looks_like, from_csl_json.read),
    from_csv.KIND: Kind("CSV", from_csv.looks_like, from_csv.read),
    from_ids.KIND: Kind("identifiers, one a line", from_ids.looks_like, from_ids.read),
    from_scholar.KIND: Kind("Google Scholar results", from_scholar.looks_like, from_scholar.read),
    from_page.KIND: Kind("a copied web page", from_page.looks_like, from_page.read),
    from_references.KIND: Kind("a reference list", from_references.looks_like, from_references.read),
    "markdown": Kind("Markdown", lambda text: _MARKDOWN.search(text) is not None, _read_markdown),
}


def commented_entry(entry: ImportedEntry, vocabulary: Vocabulary, *comments: str) -> ImportedEntry:
    """Return a printable entry with comments, the first of which names the fields that are uncertain."""
    doubts = [f"uncertain: {', '.join(entry['uncertain'])}"] if "uncertain" in entry else []
    return {**printable_entry(entry, vocabulary), "comments": [*doubts, *comments]}


def printable_entry(entry: ImportedEntry, vocabulary: Vocabulary) -> ImportedEntry:
    """Return an entry as lists write it: linked by its ids if not at all, the usual name of its venue or workshop, its address for a title unknown."""
    links = [link for link in entry["links"] if link["url"]]
    if not links and (url := address_of_ids(entry["identifiers"])):
        links = [{"label": "Paper", "role": "paper", "url": url}]
    venue = workshop_name(entry, vocabulary) or entry["venue"] or entry["venue_text"]
    printable = {**entry, "links": links, "venue_text": None if venue and is_cut(venue) else venue}
    if entry["title"] is not None:
        return printable
    known = entry["identifiers"]
    if known.get("doi") or known.get("arxiv"):
        return {**printable, "title": known.get("doi") or f"arXiv:{known['arxiv']}"}
    url = links[0]["url"]
    return {**printable, "title": url, "name": None if links[0]["role"] == "paper" else url}
