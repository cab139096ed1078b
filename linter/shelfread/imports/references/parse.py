"""Reads one reference: authors, title, venue, year, identifiers."""

from __future__ import annotations

from shelfread.core.support.named_tuple import NamedTuple
from shelfread.core.support.regex import lazy
from shelfread.imports.entry import Place, build_entry, one_line
from shelfread.imports.mending import Words, join_broken, part_glued
from shelfread.imports.model import ImportedEntry
from shelfread.imports.references.authors import find_authors
from shelfread.imports.references.title import find_title
from shelfread.imports.venue import find_last_year, read_venue
from shelfread.taxonomy.vocabulary import Vocabulary

_URL = lazy(
    r"(?:\[Online\]\.?\s*)?(?:(?:Available(?:\s(?:at|from|online))?|URL|Retrieved\sfrom|Accessed\sat|Link)\s?:?\s*)?<?(?P<url>https?://[^\s<>\"“”{}|\\^`]+)>?",
    2,
)
_BROKEN_URL = lazy(r"(https?://\S{0,300}[/._=-])\s(?=[\w%~.-]*\d[\w%~./-]*(?:[.\s]|$))")
_DOI = lazy(r"\b(?:doi\s?:?\s?|DOI\s?:?\s?)(?P<doi>10\.\d{4,9}/[^\s,;]+)", 2)
_ARXIV = lazy(
    r"\b(?:arXiv\s?(?:preprint\s?)?(?:arXiv\s?)?[:\s]\s?|abs/)(?P<id>\d{4}\.\d{4,5}|[a-z-]{2,12}(?:\.[A-Z]{2})?/\d{7})",
    2,
)
_ACCESSED = lazy(
    r"[\[(]?\b(?:last\s)?(?:accessed|visited|retrieved)\b(?:\son|\sfrom)?\s?:?\s?(?:[^\[\](){}]{0,20}?\b(?:19|20)\d\d(?:[-/.]\d\d?){0,2})?(?:,?\s(?:from|at))?[\])]?",
    2,
)
_LEAST = 12
"""The length of the shortest reference."""


class Reference(NamedTuple):
    """A reference as printed, and its lines in the input, from 1."""

    text: str
    line: int
    end_line: int


def read_reference(
    reference: Reference, words: Words, vocabulary: Vocabulary, path: str | None
) -> ImportedEntry | None:
    """Return the entry that a reference states, or None if it has no title."""
    text, links, doi, arxiv = _without_addresses(
        one_line(reference.text.replace("-\n", "- ").replace("\u00ad\n", "\u00ad "))
    )
    authors = find_authors(text)
    text = text[authors.end :]
    text, joined = join_broken(text, words)
    text, parted = part_glued(text, words)
    found = find_title(text, 0, vocabulary, in_commas=authors.proved)
    title = found.title.strip(' ,.:;"“”')
    if not any(map(str.isalpha, title)):
        return None
    rest = text[found.rest :]
    year = authors.year or found.year
    venue = read_venue(rest, vocabulary, year or find_last_year(rest))
    people = [_whole_name(person) for person in authors.people]
    uncertain = set()
    if not (found.proved and (authors.proved or not authors.people)) or not (joined and parted):
        uncertain.add("title")
    if authors.people and not (authors.proved and authors.complete):
        uncertain.add("authors")
    return build_entry(
        title, Place(path, reference.line, reference.end_line), "reference", vocabulary,
        authors=people, venue=venue, year=year, doi=doi, arxiv=arxiv, links=links, uncertain=uncertain,
        et_al=not authors.complete,
    )  # fmt: skip


_NAME_BREAK = lazy(r"(?<=[^\W\d_])[-‐\u00ad]\s(?=[a-z])")


def _whole_name(person: str) -> str:
    """Return a name that a line break parted: `Kanagachidamba- resan`; a second name begins with a capital."""
    return _NAME_BREAK.sub("", person)


def _without_addresses(text: str) -> tuple[str, list[tuple[str, str]], str | None, str | None]:
    """Return a reference without its URLs and DOI, its links, its DOI and its arXiv id."""
    links: list[tuple[str, str]] = []
    doi = arxiv = None
    if "://" in text:
        text = _BROKEN_URL.sub(r"\1", text)
        for match in _URL.finditer(text):
            url = match["url"].rstrip(".,;:)]'")
            links.append(("", url + ")" if url.count("(") > url.count(")") else url))
        text = _ACCESSED.sub(" ", _URL.sub(" ", text))
    if "doi" in text.casefold() and (found := _DOI.search(text)):
        doi = found["doi"].rstrip(".,;)")
        text = text[: found.start()] + text[found.end() :]
    if found := _ARXIV.search(text):
        arxiv = found["id"]
    return one_line(text), links, doi, arxiv
