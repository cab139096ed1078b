"""Reads BibTeX and BibLaTeX: Zotero, DBLP, publishers, Google Scholar."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from shelfread.core.extras import need
from shelfread.core.source import Source
from shelfread.core.support.regex import lazy
from shelfread.document.recognizers.years import YEAR
from shelfread.imports.entry import Place, build_entry
from shelfread.imports.latex import to_unicode
from shelfread.imports.model import Import, ImportedEntry, Unread
from shelfread.imports.venue import StatedVenue, read_venue
from shelfread.taxonomy.vocabulary import Vocabulary

if TYPE_CHECKING:
    from bibtexparser.model import Block, Entry

KIND = "bibtex"
_START = lazy(r"^[ \t]*@(?!comment\b|string\b|preamble\b)[A-Za-z]+[ \t]*[{(]", 10)
_OTHERS = lazy(r"(?i)\sand\s+\{?(?:others|et\.? al\.?)\}?\s*$")
_AND = lazy(r"\s+and\s+", 2)
_ARXIV = lazy(r"(?:arxiv[:.\s/]{1,3}(?:abs/)?|\babs/)(\d{4}\.\d{4,5}|[a-z-]{2,20}(?:\.[A-Z]{2})?/\d{7})", 2)
_WEB = lazy(r"https?://[^\s{}\\]+")
_CONTAINERS = (
    "booktitle",
    "journal",
    "journaltitle",
    "eventtitle",
    "maintitle",
    "series",
    "school",
    "institution",
    "howpublished",
    "publisher",
)
_PAPERS = frozenset(
    "article inproceedings conference incollection inbook phdthesis mastersthesis thesis techreport report unpublished".split()
)


def looks_like(text: str) -> bool:
    """Return whether a text has the beginning of an entry."""
    return _START.search(text) is not None


def read(source: Source, vocabulary: Vocabulary) -> Import:
    """Return the entries of a file in order. One that cannot be parsed, or has no title, is left out."""
    need("import", "BibTeX")
    from bibtexparser.entrypoint import parse_string
    from bibtexparser.model import Entry, ParsingFailedBlock

    # The library reports broken entries on standard error too.
    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)
    blocks = parse_string(source.text.replace("\r\n", "\n").replace("\r", "\n")).blocks
    unread: list[Unread] = []
    found: list[tuple[Block, dict[str, str], str]] = []
    for block in blocks:
        if isinstance(block, ParsingFailedBlock):
            kept = block.ignore_error_block
            if not isinstance(kept, Entry):
                unread.append(Unread((block.start_line or 0) + 1, f"a broken entry: {_reason(block.error)}"))
                continue
            block = kept  # only its key, or a field, occurs twice
        if isinstance(block, Entry):
            found.append((block, _fields(block), block.entry_type.lower()))
    parents = _parents(found)
    entries: list[ImportedEntry] = []
    for block, fields, kind in found:
        key = block.key.casefold()  # type: ignore[attr-defined]
        if kind in ("proceedings", "collection") and key in parents:
            continue
        line = (block.start_line or 0) + 1
        place = Place(source.path, line, line + (block.raw or "").rstrip().count("\n"))
        parent = (
            next((fields for other, fields, _ in [parents[crossref]] if other is not block), {})
            if (crossref := fields.get("crossref", "").casefold()) in parents
            else {}
        )
        entry = _entry({**_inherited(parent), **fields}, kind, place, vocabulary)
        if entry is None:
            unread.append(Unread(line, "an entry without a title"))
        else:
            entries.append(entry)
    return Import(entries, sorted(unread))


def _reason(error: Exception) -> str:
    reason = " ".join(str(getattr(error, "abort_reason", error)).split()).rstrip(".")
    if reason.startswith("Unexpected block start"):
        return "it is not closed before the next one begins"
    if "end of file" in reason:
        return "it is not closed"
    return reason[:1].lower() + reason[1:160]


def _fields(entry: Entry) -> dict[str, str]:
    """Return the fields by name in lower case, as the file has them; the first one of a name counts."""
    fields: dict[str, str] = {}
    for field in entry.fields:
        value = str(field.value).strip()
        if value:
            fields.setdefault(field.key.lower(), value)
    return fields


def _parents(
    found: list[tuple[Block, dict[str, str], str]],
) -> dict[str, tuple[Block, dict[str, str], str]]:
    """Return the entries that others name by `crossref`, by key."""
    named = {fields["crossref"].casefold() for _, fields, _ in found if "crossref" in fields}
    return {
        key: item
        for item in found
        if (key := item[0].key.casefold()) in named  # type: ignore[attr-defined]
    }


def _inherited(parent: Mapping[str, str]) -> dict[str, str]:
    taken = {
        key: parent[key] for key in ("year", "date", "series", "publisher", "eventtitle") if key in parent
    }
    if "title" in parent or "booktitle" in parent:
        taken["booktitle"] = parent.get("booktitle") or parent["title"]
    return taken


def _entry(
    fields: Mapping[str, str], kind: str, place: Place, vocabulary: Vocabulary
) -> ImportedEntry | None:
    title = to_unicode(fields.get("title", ""))
    if not any(map(str.isalnum, title)):
        return None
    if subtitle := to_unicode(fields.get("subtitle", "")):
        title = f"{title.rstrip(':')}: {subtitle}"
    found = YEAR.search(fields.get("year", "") or fields.get("date", ""))
    year = int(found[0]) if found else None
    arxiv = _arxiv_id(fields)
    links = [("Paper" if kind in _PAPERS and not _is_code(url) else "", url) for url in _urls(fields)]
    return build_entry(
        title, place, KIND, vocabulary, authors=_people(fields.get("author", "")), venue=_venue(fields, year, vocabulary),
        year=year, doi=to_unicode(fields.get("doi", "")).replace("\\", ""), arxiv=arxiv, links=links,
        et_al=_OTHERS.search(fields.get("author", "")) is not None,
    )  # fmt: skip


def _is_code(url: str) -> bool:
    return "github.com/" in url or "gitlab.com/" in url


def _urls(fields: Mapping[str, str]) -> Iterator[str]:
    url = fields.get("url") or fields.get("howpublished") or fields.get("ee") or ""
    if match := _WEB.search(
        url.replace("\\_", "_")
        .replace("\\%", "%")
        .replace("\\&", "&")
        .replace("\\#", "#")
        .replace("\\~{}", "~")
    ):
        yield match[0].rstrip(".,;")


def _archive(fields: Mapping[str, str]) -> str:
    return (fields.get("archiveprefix") or fields.get("eprinttype") or "").casefold()


def _arxiv_id(fields: Mapping[str, str]) -> str | None:
    if "eprint" in fields and _archive(fields) in ("", "arxiv"):
        return fields["eprint"]
    for key in ("journal", "volume", "note", "howpublished", "number", "eprint"):
        if match := _ARXIV.search(fields.get(key, "")):
            return match[1]
    return None


def _venue(fields: Mapping[str, str], year: int | None, vocabulary: Vocabulary) -> StatedVenue:
    """Return the first container that the vocabulary knows, else the first one as printed."""
    stated: StatedVenue | None = None
    for key in _CONTAINERS:
        text = to_unicode(fields.get(key, ""))
        if not text or "://" in text:
            continue
        venue = read_venue(text, vocabulary, year)
        if venue.venue is not None:
            return venue._replace(text=text)
        if key not in ("series", "publisher", "howpublished"):
            stated = stated or venue._replace(text=text)
    if stated is None and _archive(fields) == "arxiv" and (arxiv := vocabulary.venues.get("arxiv")):
        return StatedVenue(arxiv, arxiv.label, year, True)
    return stated or StatedVenue(None, None, year, True)


def _people(text: str) -> list[str]:
    """Return the people of an author field; `and others` is none."""
    people = _AND.split(_OTHERS.sub("", text.strip()))
    return [to_unicode(person) for person in people if person.strip()]
