"""Reads CSL-JSON, as Zotero, pandoc and Crossref write it, and the JSON of `shelfread export`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from shelfread.core.errors import InputError
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.years import YEAR
from shelfread.imports.imported_entry import EntryOrigin, ImportedEntry, UnreadPart, build_entry, noted_links
from shelfread.imports.stated_venue import StatedVenue, best_venue
from shelfread.taxonomy.taxonomy import Taxonomy
from shelfread.taxonomy.vocabulary import Vocabulary

KIND = "csl-json"
_START = lazy(r"\s*[\[{]\s*(?:[\[{\"\]}])")
_BLANKS = lazy(r"[\s,]*")
_TAGS = lazy(r"</?(?:i|b|sub|sup|span|sc|em|strong)\b[^<>]*>")
_CONTAINERS = "container-title event-title event container-title-short collection-title publisher".split()
_MAY_STATE_ARXIV = ("note", "container-title", "number", "archive_location")
_DATES = "issued published published-print published-online event-date original-date".split()


def looks_like(text: str) -> bool:
    """Return whether a text begins as JSON."""
    return _START.match(text) is not None


def read(source: Source, taxonomy: Taxonomy) -> Iterator[ImportedEntry | UnreadPart]:
    """Yield the items of a file in order; raises InputError, with its line, for text that is no JSON."""
    for item, line, end_line in _items(source):
        entry = None
        if isinstance(item, dict):
            read_item = _exported if "dialect" in item else _entry
            entry = read_item(item, EntryOrigin(source.path, line, end_line), taxonomy.vocabulary)
        yield entry or UnreadPart(line, "an item without a title")


def _items(source: Source) -> Iterator[tuple[Any, int, int]]:
    """Yield the items of an array, of `items` in an object, or of objects one after the other, with their lines."""
    text = source.text
    decoder = json.JSONDecoder()
    offset = _skip(text, 0)
    line, counted = 1, 0
    while offset < len(text):
        if text[offset] in "[]":
            offset = _skip(text, offset + 1)
            continue
        try:
            item, end = decoder.raw_decode(text, offset)
        except json.JSONDecodeError as error:
            reason = f"invalid JSON: {error.msg[:1].lower()}{error.msg[1:]}"
            raise InputError(reason, source.path, *source.position(error.pos)) from None
        except RecursionError:
            raise InputError("invalid JSON: nested too deeply", source.path, line) from None
        line += text.count("\n", counted, offset)
        end_line = line + text.count("\n", offset, end)
        counted = offset
        is_listing = isinstance(item, dict) and isinstance(item.get("items"), list)
        for inner in item["items"] if is_listing else [item]:
            yield inner, line, end_line
        offset = _skip(text, end)


def _skip(text: str, offset: int) -> int:
    blanks = _BLANKS.match(text, offset)
    return blanks.end() if blanks else offset


def _entry(item: Mapping[str, Any], origin: EntryOrigin, vocabulary: Vocabulary) -> ImportedEntry | None:
    title = _TAGS.sub("", _text(item.get("title")))
    if not any(map(str.isalnum, title)):
        return None
    year = _year(item)
    url, doi = _text(item.get("URL")), _text(item.get("DOI"))
    stated = [_text(item.get(key)) for key in _MAY_STATE_ARXIV]
    if "arxiv" in f"{_text(item.get('publisher'))} {_text(item.get('archive'))}".casefold():
        stated += (f"arXiv:{_text(item.get(key))}" for key in ("number", "archive_location"))
    links = [("" if vocabulary.role("", url) else "Paper", url)] if url.startswith("http") else []
    custom = item.get("custom")
    if isinstance(custom, dict):
        links = _given_links(custom.get("links")) or links
    links = noted_links("; ".join(_text(item.get(key)) for key in ("note", "annote")), links)
    return build_entry(
        title, origin, KIND, vocabulary, authors=_people(item.get("author")), venue=_venue(item, year, vocabulary), year=year,
        doi=doi, arxiv=" ".join(stated), links=links, description=_text(item.get("abstract")) if item.get("type") in ("software", "webpage") else None,
    )  # fmt: skip


def _text(value: object) -> str:
    """Return a string, or the first one of an array as Crossref gives."""
    if isinstance(value, list):
        value = value[0] if value else ""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) else ""


def _year(item: Mapping[str, Any]) -> int | None:
    for key in _DATES:
        date = item.get(key)
        if isinstance(date, dict):
            parts = date.get("date-parts")
            first = parts[0] if isinstance(parts, list) and parts else None
            stated = _text(first) or _text(date.get("raw")) or _text(date.get("literal"))
        else:
            stated = _text(date)
        if match := YEAR.search(stated):
            return int(match[0])
    return None


def _people(given: object) -> Iterator[str]:
    for person in given if isinstance(given, list) else []:
        if not isinstance(person, dict):
            continue
        texts = {key: _text(value) for key, value in person.items()}
        family = " ".join(filter(None, map(texts.get, ("non-dropping-particle", "family"))))
        first = " ".join(filter(None, map(texts.get, ("given", "dropping-particle"))))
        if family and first:
            yield ", ".join(filter(None, (family, first, texts.get("suffix"))))
        else:
            yield family or first or texts.get("literal") or texts.get("name") or ""


def _venue(item: Mapping[str, Any], year: int | None, vocabulary: Vocabulary) -> StatedVenue:
    values = {key: item.get(key) for key in _CONTAINERS}
    texts = {
        key: _text(value.get("name") if isinstance(value, dict) else value) for key, value in values.items()
    }
    stated = {key: text for key, text in texts.items() if text}
    return best_venue(stated, vocabulary, year, weak=("publisher",))


def _given_links(links: object) -> list[tuple[str, str]]:
    return [
        (_text(link.get("label")), _text(link.get("url")))
        for link in (links if isinstance(links, list) else ())
        if isinstance(link, dict) and _text(link.get("url"))
    ]


def _exported(item: Mapping[str, Any], origin: EntryOrigin, vocabulary: Vocabulary) -> ImportedEntry | None:
    """Return an entry of `shelfread export`, at its place in this file."""
    title = _text(item.get("title"))
    if not title:
        return None
    identifiers, year = item.get("identifiers"), item.get("year")
    known = identifiers if isinstance(identifiers, dict) else {}
    text = _text(item.get("venue_text")) or _text(item.get("venue"))
    venue = best_venue({"venue": text} if text else {}, vocabulary, year if isinstance(year, int) else None)
    origin = origin._replace(section=_strings(item.get("section")))
    return build_entry(
        title, origin, _text(item["dialect"]) or KIND, vocabulary, authors=_strings(item.get("authors")), venue=venue, year=venue.year,
        doi=_text(known.get("doi")), arxiv=f"arXiv:{_text(known.get('arxiv'))}", links=_given_links(item.get("links")),
        notes=_strings(item.get("notes")), description=_text(item.get("description")) or None, name=_text(item.get("name")) or None,
        et_al=item.get("et_al") is True, affiliations=_strings(item.get("affiliations")),
    )  # fmt: skip


def _strings(value: object) -> list[str]:
    return [text for text in value if isinstance(text, str)] if isinstance(value, list) else []
