"""Reads reference lists as papers print them: numbered, author-year, IEEE, APA, run together."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.entry.titles import find_title
from shelfread.document.plain_text import TextRange, render_plain_text
from shelfread.document.recognizers.leading_people import find_leading_people
from shelfread.imports.imported_entry import (
    ARXIV_ID,
    EntryOrigin,
    ImportedEntry,
    UnreadPart,
    build_entry,
    single_spaced,
)
from shelfread.imports.mending import Words, join_broken, part_glued, straighten, words_of
from shelfread.imports.split_references import PrintedReference, split_references
from shelfread.imports.stated_venue import find_last_year, read_venue
from shelfread.markdown.node import Text
from shelfread.taxonomy.taxonomy import Taxonomy
from shelfread.taxonomy.vocabulary import Vocabulary

KIND = "references"
_MARKED = lazy(r"^[ \t|]*\[(?:\d{1,4}|[A-Za-z][\w+]{1,12}\d{2}[a-z]?)\](?![(:\[])\s*[^\W\d_a-z\"“]", 8)
_LINKED = lazy(r"\]\([^)\s]")
_URL = lazy(
    r"(?:\[Online\]\.?\s*)?(?:(?:Available(?:\s(?:at|from|online))?|URL|Retrieved\sfrom|Accessed\sat|Link)\s?:?\s*)?<?(?P<url>https?://[^\s<>\"“”{}|\\^`]+)>?",
    2,
)
_BROKEN_URL = lazy(r"(https?://\S{0,300}[/._=-])\s(?=[\w%~.-]*\d[\w%~./-]*(?:[.\s]|$))")
_DOI = lazy(r"\b(?:doi\s?:?\s?|DOI\s?:?\s?)(?P<doi>10\.\d{4,9}/[^\s,;]+)", 2)
_ARXIV = lazy(
    rf"\b(?:arXiv\s?(?:preprint\s?)?(?:arXiv\s?)?[:\s]\s?|abs/)(?P<id>{ARXIV_ID})",
    2,
)
_ACCESSED = lazy(
    r"[\[(]?\b(?:last\s)?(?:accessed|visited|retrieved)\b(?:\son|\sfrom)?\s?:?\s?(?:[^\[\](){}]{0,20}?\b(?:19|20)\d\d(?:[-/.]\d\d?){0,2})?(?:,?\s(?:from|at))?[\])]?",
    2,
)
_QUOTED = lazy(r"^(?P<open>``|‘|')(?=\w)(?P<title>[^\n]{8,800}?)(?:''|[’'])(?=[\s,.]|$)")
"""A title in quotes that are apostrophes, too."""
_NAME_BREAK = lazy(r"(?<=[^\W\d_])[-‐\u00ad]\s(?=[a-z])")
"""In a name that a line break parted: `Kanagachidamba- resan`; a second name begins with a capital."""


def looks_like(text: str) -> bool:
    """Return whether a text begins its references with marks such as `[1]`, and has no links of Markdown."""
    return _MARKED.search(text) is not None and _LINKED.search(text) is None


def read(source: Source, taxonomy: Taxonomy) -> Iterator[ImportedEntry | UnreadPart]:
    """Yield the references of a text. One without a title is left out."""
    vocabulary = taxonomy.vocabulary
    text = straighten(source.text.replace("\r\n", "\n").replace("\r", "\n"))
    marked = looks_like(text)
    words = words_of(text, vocabulary)
    for reference in split_references(text):
        entry = _entry(reference, words, vocabulary, source.path)
        if entry is None:
            yield UnreadPart(reference.line, "a reference without a title")
        elif marked or entry["authors"] or entry["year"] or entry["venue"] or entry["links"]:
            yield entry
        else:
            reason = "neither authors nor venue, year or address: this is no reference"
            yield UnreadPart(reference.line, reason)


def _entry(
    reference: PrintedReference, words: Words, vocabulary: Vocabulary, path: str | None
) -> ImportedEntry | None:
    """Return the entry that a reference states, or None if it has no title."""
    text, links, doi, arxiv = _without_addresses(
        single_spaced(reference.text.replace("-\n", "- ").replace("\u00ad\n", "\u00ad "))
    )
    authors = find_leading_people(text)
    text = text[authors.end :]
    text, joined = join_broken(text, words)
    text, parted = part_glued(text, words)
    text = _QUOTED.sub(r"“\g<title>”", text.lstrip(" ,."))
    found = find_title(text, 0, render_plain_text((Text(0, len(text), text),)), vocabulary)
    start, end = found.range or TextRange(0, 0)
    title = text[start:end].strip(' ,.:;"“”')
    if not any(map(str.isalpha, title)):
        return None
    rest = text[end:]
    year = authors.year
    venue = read_venue(rest, vocabulary, year or find_last_year(rest))
    people = [_NAME_BREAK.sub("", person) for person in authors.people]
    uncertain = set()
    if not (found.proved and (authors.proved or not authors.people)) or not (joined and parted):
        uncertain.add("title")
    if authors.people and not (authors.proved and authors.complete):
        uncertain.add("authors")
    return build_entry(
        title, EntryOrigin(path, reference.line, reference.end_line), "reference", vocabulary,
        authors=people, venue=venue, year=year, doi=doi, arxiv=arxiv, links=links, uncertain=uncertain,
        et_al=not authors.complete,
    )  # fmt: skip


def _without_addresses(text: str) -> tuple[str, list[tuple[str, str]], str | None, str | None]:
    """Return a reference without its URLs and DOI, its links, its DOI and its arXiv id."""
    links: list[tuple[str, str]] = []
    doi = arxiv = None
    if "://" in text:
        text = _BROKEN_URL.sub(r"\1", text)
        for stated in _URL.finditer(text):
            url = stated["url"].rstrip(".,;:)]'")
            links.append(("", url + ")" if url.count("(") > url.count(")") else url))
        text = _ACCESSED.sub(" ", _URL.sub(" ", text))
    if "doi" in text.casefold() and (match := _DOI.search(text)):
        doi = match["doi"].rstrip(".,;)")
        text = text[: match.start()] + text[match.end() :]
    if match := _ARXIV.search(text):
        arxiv = match["id"]
    return single_spaced(text), links, doi, arxiv
