"""Reads RIS, as publishers, Zotero and EndNote write it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from shelfread.core.errors import need
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.years import find_year
from shelfread.imports.imported_entry import EntryOrigin, ImportedEntry, UnreadPart, build_entry, noted_links
from shelfread.imports.stated_venue import best_venue
from shelfread.taxonomy.taxonomy import Taxonomy
from shelfread.taxonomy.vocabulary import Vocabulary

KIND = "ris"
_TAG = lazy(r"^[ \t]*([A-Z][A-Z0-9])[ \t]{1,4}-(?:[ \t]|$)", 8)
_START = lazy(r"^[ \t]*TY[ \t]{1,4}-", 8)
_URLS = lazy(r";\s*(?=https?://)")  # what parts two of one tag
_TITLES = ("title", "primary_title", "short_title")
_YEARS = ("year", "publication_year", "date")
_CONTAINERS = "secondary_title journal_name alternate_title3 tertiary_title custom3 alternate_title2 alternate_title1 publisher".split()
_MAY_STATE_ARXIV = (*_CONTAINERS, "number", "accession_number", "note", "volume")
_PAPERS = frozenset("JOUR CONF CPAPER CHAP ECHAP EJOUR THES RPRT UNPB INPR GEN PREPRINT MGZN".split())

_THINGS = frozenset("BLOG COMP ELEC WEB".split())


def looks_like(text: str) -> bool:
    """Return whether a text has the beginning of a record."""
    return _START.search(text) is not None


def read(source: Source, taxonomy: Taxonomy) -> Iterator[ImportedEntry | UnreadPart]:
    """Yield the records of a file in order. One without a title is left out."""
    need("import", "RIS")
    from rispy import RisParser

    parser = RisParser(enforce_list_tags=True, delimiter_tags_mapping={})  # a URL may have a semicolon
    for first, lines in _records(source.lines):
        records = parser.parse_lines(iter([*lines, "ER  - "]))
        origin = EntryOrigin(source.path, first, first + len(lines) - 1)
        entry = _entry(records[0], origin, taxonomy.vocabulary) if records else None
        yield entry or UnreadPart(first, "a record without a title")


def _records(lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the records: the first line of each, from 1, and its lines in the exact form, without the last one."""
    start, record = 0, list[str]()
    for index, line in enumerate([*lines, "ER  -"]):
        tag = _TAG.match(line)
        if tag is not None and tag[1] in ("TY", "ER"):
            if record:
                yield start, record
            start, record = index + 1, []
            if tag[1] == "ER":
                continue
        elif not record:
            continue
        if tag is not None:
            record.append(f"{tag[1]}  - {line[tag.end() :].strip()}")
        elif line.strip():
            record.append(f"      {line.strip()}")


def _entry(record: Mapping[str, Any], origin: EntryOrigin, vocabulary: Vocabulary) -> ImportedEntry | None:
    title = next((record[key] for key in _TITLES if record.get(key)), "")
    if not any(map(str.isalnum, title)):
        return None
    stated = find_year(next((record[key] for key in _YEARS if record.get(key)), ""))
    year = stated and stated.year
    kind = record.get("type_of_reference", "").strip()
    urls = [
        url.strip()
        for text in record.get("urls", [])
        for url in _URLS.split(text.strip())
        if url.startswith("http")
    ]
    links = [
        ("Paper" if kind in _PAPERS and vocabulary.role("", url) is None else "", url)
        for url in dict.fromkeys(urls)
    ]
    links = noted_links("; ".join(record.get("notes", [])), links)
    containers = {key: record[key] for key in _CONTAINERS if record.get(key)}
    return build_entry(
        title, origin, KIND, vocabulary, authors=[*record.get("authors", []), *record.get("first_authors", [])],
        venue=best_venue(containers, vocabulary, year, weak=("publisher",)), year=year, doi=record.get("doi"), arxiv=" ".join(record[key] for key in _MAY_STATE_ARXIV if isinstance(record.get(key), str)), links=links,
        description=record.get("abstract") if kind in _THINGS else None,
    )  # fmt: skip
