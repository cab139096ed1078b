"""Reads RIS, as publishers, Zotero and EndNote write it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from shelfread.core.extras import need
from shelfread.core.source import Source
from shelfread.core.support.regex import lazy
from shelfread.document.recognizers.years import YEAR
from shelfread.imports.entry import Place, build_entry
from shelfread.imports.model import Import, ImportedEntry, Unread
from shelfread.imports.venue import StatedVenue, read_venue
from shelfread.taxonomy.vocabulary import Vocabulary

KIND = "ris"
_TAG = lazy(r"^[ \t]*([A-Z][A-Z0-9])[ \t]{1,4}-(?:[ \t]|$)", 8)
_START = lazy(r"^[ \t]*TY[ \t]{1,4}-", 8)
_TITLES = ("title", "primary_title", "short_title")
_CONTAINERS = (
    "secondary_title",
    "journal_name",
    "alternate_title3",
    "tertiary_title",
    "custom3",
    "alternate_title2",
    "alternate_title1",
)
_PAPERS = frozenset("JOUR CONF CPAPER CHAP ECHAP EJOUR THES RPRT UNPB INPR GEN PREPRINT MGZN".split())


def looks_like(text: str) -> bool:
    """Return whether a text has the beginning of a record."""
    return _START.search(text) is not None


def read(source: Source, vocabulary: Vocabulary) -> Import:
    """Return the records of a file in order. One without a title is left out."""
    need("import", "RIS")
    from rispy import RisParser

    parser = RisParser(enforce_list_tags=True)
    entries: list[ImportedEntry] = []
    unread: list[Unread] = []
    for first, lines in _records(source.lines):
        records = parser.parse_lines(iter([*lines, "ER  - "]))
        place = Place(source.path, first, first + len(lines) - 1)
        entry = _entry(records[0], place, vocabulary) if records else None
        if entry is None:
            unread.append(Unread(first, "a record without a title"))
        else:
            entries.append(entry)
    return Import(entries, unread)


def _records(lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the records: the first line of each, from 1, and its lines in the exact form, without the last one."""
    start, record = 0, list[str]()
    for index, line in enumerate(lines):
        tag = _TAG.match(line)
        if tag is not None and tag[1] == "TY":
            if record:
                yield start, record
            start, record = index + 1, []
        elif tag is not None and tag[1] == "ER":
            if record:
                yield start, record
            record = []
            continue
        elif not record:
            continue
        if tag is not None:
            record.append(f"{tag[1]}  - {line[tag.end() :].strip()}")
        elif line.strip():
            record.append(f"      {line.strip()}")
    if record:
        yield start, record


def _entry(record: Mapping[str, Any], place: Place, vocabulary: Vocabulary) -> ImportedEntry | None:
    title = next((record[key] for key in _TITLES if record.get(key)), "")
    if not any(map(str.isalnum, title)):
        return None
    found = YEAR.search(record.get("year") or record.get("publication_year") or record.get("date") or "")
    year = int(found[0]) if found else None
    is_paper = record.get("type_of_reference", "").strip() in _PAPERS
    urls = [url.strip() for url in record.get("urls", []) if url.strip().startswith("http")]
    links = [
        ("Paper" if is_paper and vocabulary.role("", url) is None else "", url) for url in dict.fromkeys(urls)
    ]
    return build_entry(
        title, place, KIND, vocabulary, authors=[*record.get("authors", []), *record.get("first_authors", [])],
        venue=_venue(record, year, vocabulary), year=year, doi=record.get("doi"), links=links,
    )  # fmt: skip


def _venue(record: Mapping[str, Any], year: int | None, vocabulary: Vocabulary) -> StatedVenue:
    stated: StatedVenue | None = None
    for key in _CONTAINERS:
        if text := record.get(key):
            venue = read_venue(text, vocabulary, year)
            if venue.venue is not None:
                return venue._replace(text=text)
            stated = stated or venue._replace(text=text)
    return stated or StatedVenue(None, None, year, True)
