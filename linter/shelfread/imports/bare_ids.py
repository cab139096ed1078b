"""Reads DOIs, arXiv ids and URLs, one a line. They prove an address, and some a venue and a year; no title."""

from __future__ import annotations

from shelfread.core.source import Source
from shelfread.core.support.regex import lazy
from shelfread.imports.entry import Place, build_entry
from shelfread.imports.model import Import, ImportedEntry, Unread
from shelfread.taxonomy.vocabulary import Vocabulary

KIND = "ids"
_LEAD = r"\s*(?:[-*•+]\s+|\d{1,4}[.)]\s+)?"
_DOI = lazy(rf"{_LEAD}(?:doi:?\s?)?(10\.\d{{4,9}}/\S+?)[.,;]?\s*", 2)
_ARXIV = lazy(
    rf"{_LEAD}(?:arxiv:?\s?)?(\d{{4}}\.\d{{4,5}}|[a-z-]{{2,20}}(?:\.[A-Z]{{2}})?/\d{{7}})(?:v\d{{1,3}})?(?:\s\[[\w.-]+\])?[.,;]?\s*",
    2,
)
_URL = lazy(
    rf"{_LEAD}<?((?:https?://|www\.|(?:github\.com|arxiv\.org|doi\.org|dl\.acm\.org)/)[^\s<>]+?)>?[.,;]?\s*",
    2,
)
_COMMENT = lazy(r"\s*(?:#.*)?$")


def looks_like(text: str) -> bool:
    """Return whether nearly all lines of a text are identifiers or URLs."""
    lines = [line for line in text.split("\n") if not _COMMENT.match(line)]
    found = sum(1 for line in lines if address_of(line) is not None)
    return found > 0 and found * 10 >= len(lines) * 8


def read(source: Source, vocabulary: Vocabulary) -> Import:
    """Return an entry for each line; its title is None, as no identifier states it."""
    entries: list[ImportedEntry] = []
    unread: list[Unread] = []
    for index, line in enumerate(source.lines):
        if _COMMENT.match(line):
            continue
        url = address_of(line)
        if url is None:
            unread.append(Unread(index + 1, "no DOI, arXiv id or URL"))
        else:
            entries.append(_entry(url, Place(source.path, index + 1, index + 1), vocabulary))
    return Import(entries, unread)


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


def _entry(url: str, place: Place, vocabulary: Vocabulary) -> ImportedEntry:
    entry = build_entry("", place, KIND, vocabulary, links=[("", url)])
    repository = entry["identifiers"].get("github")
    name = repository.partition("/")[2] if repository else None
    return {**entry, "title": name, "name": name}
