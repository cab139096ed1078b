"""Reads DOIs, arXiv ids and URLs, one a line. They prove an address, and some a venue and a year; no title."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.imports.imported_entry import EntryOrigin, ImportedEntry, UnreadPart, build_entry
from shelfread.imports.stated_venue import ARXIV_ID
from shelfread.taxonomy.hosts import DOI
from shelfread.taxonomy.taxonomy import Taxonomy

KIND = "ids"
NO_DOI = (
    "it is none, ACM numbers papers of other publishers so"  # why one that begins with 10.5555/ is not taken
)
_LEAD = r"\s*(?:[-*•+]\s+|\d{1,4}[.)]\s+)?"
_DOI = lazy(rf"{_LEAD}(?:doi:?\s?)?({DOI}\S+?)[.,;]?\s*", 2)
_ARXIV = lazy(rf"{_LEAD}(?:arxiv:?\s?)?({ARXIV_ID})(?:v\d{{1,3}})?(?:\s\[[\w.-]+\])?[.,;]?\s*", 2)
_URL = lazy(
    rf"{_LEAD}<?((?:https?://|www\.|(?:github\.com|arxiv\.org|doi\.org|dl\.acm\.org)/)[^\s<>]+?)>?[.,;]?\s*",
    2,
)
_COMMENT = lazy(r"\s*(?:#.*)?$")


def looks_like(text: str) -> bool:
    """Return whether nearly all lines of a text are identifiers or URLs."""
    lines = [line for line in text.split("\n") if not _COMMENT.match(line)]
    addresses = sum(address_of(line) is not None for line in lines)
    return addresses > 0 and addresses * 10 >= len(lines) * 8


def read(source: Source, taxonomy: Taxonomy) -> Iterator[ImportedEntry | UnreadPart]:
    """Yield an entry for each line; its title is None, unless it is that of a repository, as no identifier states it."""
    for number, line in enumerate(source.lines, start=1):
        url = address_of(line)
        if url is not None:
            entry = build_entry(
                "", EntryOrigin(source.path, number, number), KIND, taxonomy.vocabulary, links=[("", url)]
            )
            repository = entry["identifiers"]["github"]
            name = repository.partition("/")[2] if repository else None
            yield {**entry, "title": name, "name": name}
        elif not _COMMENT.match(line):
            yield UnreadPart(number, "no DOI, arXiv id or URL")


def address_of(line: str) -> str | None:
    """Return the URL that a line states, or that its identifier has."""
    if len(line) > 2000:
        return None
    if match := _URL.fullmatch(line):
        return match[1] if "://" in match[1] else f"https://{match[1]}"
    if match := _DOI.fullmatch(line):
        return f"https://doi.org/{match[1]}"
    match = _ARXIV.fullmatch(line)
    return f"https://arxiv.org/abs/{match[1]}" if match else None
