"""Reads reference lists as papers print them: numbered, author-year, IEEE, APA, run together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import accumulate, pairwise
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.entry.titles import find_title
from shelfread.document.plain_text import TextRange, render_plain_text
from shelfread.document.recognizers.leading_people import find_leading_people
from shelfread.imports.imported_entry import (
    EntryOrigin,
    ImportedEntry,
    UnreadPart,
    build_entry,
    single_spaced,
)
from shelfread.imports.mending import Words, join_broken, part_glued, straighten, words_of
from shelfread.imports.stated_venue import find_last_year, read_venue, with_plain_arxiv_ids, without_arxiv_ids
from shelfread.markdown.node import Text
from shelfread.taxonomy.hosts import DOI
from shelfread.taxonomy.taxonomy import Taxonomy
from shelfread.taxonomy.vocabulary import Vocabulary

KIND = "references"
_MARKED = lazy(r"^[ \t|]*\[(?:\d{1,4}|[A-Za-z][\w+]{1,12}\d{2}[a-z]?)\](?![(:\[])\s*[^\W\d_a-z\"“]", 8)
_LINKED = lazy(r"\]\([^)\s]")
_URL = lazy(
    r"(?:\[Online\]\.?\s*)?(?:(?:Available(?:\s(?:at|from|online))?|URL|Retrieved\sfrom|Accessed\sat|Link)\s?:?\s*)?<?(?P<url>https?://[^\s<>\"“”{}|\\^`]+)>?",
    2,
)
_BROKEN_URL = lazy(r"(https?://\S{0,300}[/._=-])\s(?=(?:[^\W\d]|[%~.-])*\d[\w%~./-]*(?:[.\s]|$))")
_DOI = lazy(rf"\bdoi\s?:?\s?(?P<doi>{DOI}[^\s,;]+)", 2)
_ACCESSED = lazy(
    r"[\[(]?\b(?:last\s)?(?:accessed|visited|retrieved)\b(?:\son|\sfrom)?\s?:?\s?(?:[^\[\](){}]{0,20}?\b(?:19|20)\d\d(?:[-/.]\d\d?){0,2})?(?:,?\s(?:from|at))?[\])]?",
    2,
)
# A title in quotes that are apostrophes, too.
_QUOTED = lazy(r"^(?P<open>``|‘|')(?=\w)(?P<title>[^\n]{8,800}?)(?:''|[’'])(?=[\s,.]|$)")
# What is left without an arXiv id of what is printed in no other venue.
_NO_NAME = lazy(r"(?i)(?:arxiv\s?)?(?:e-?)?(?:preprint|prints?)?|[\W\d_]*[a-z]?")
# In a name that a line break parted: `Kanagachidamba- resan`; a second name begins with a capital.
_NAME_BREAK = lazy(r"(?<=[^\W\d_])[-‐\u00ad]\s(?=[a-z])")


def looks_like(text: str) -> bool:
    """Return whether a text begins its references with marks such as `[1]`, and has no links of Markdown."""
    return _MARKED.search(text) is not None and _LINKED.search(text) is None


def read(source: Source, taxonomy: Taxonomy) -> Iterator[ImportedEntry | UnreadPart]:
    """Yield the references of a text. One without a title is left out."""
    vocabulary = taxonomy.vocabulary
    text = straighten(source.text.replace("\r\n", "\n").replace("\r", "\n"))
    marked = looks_like(text)
    words = words_of(text, vocabulary)
    for reference in _split(text):
        entry = _entry(reference, words, vocabulary, source.path)
        if entry is None:
            yield UnreadPart(reference.line, "a reference without a title")
        elif marked or entry["authors"] or entry["year"] or entry["venue"] or entry["links"]:
            yield entry
        else:
            reason = "neither authors nor venue, year or address: this is no reference"
            yield UnreadPart(reference.line, reason)


def _entry(
    reference: _Printed, words: Words, vocabulary: Vocabulary, path: str | None
) -> ImportedEntry | None:
    """Return the entry that a reference states, or None if it has no title."""
    text, links, doi = _without_addresses(
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
    stated = year or find_last_year(rest)
    venue = read_venue(without_arxiv_ids(rest), vocabulary, stated)
    if venue.text is None or _NO_NAME.fullmatch(venue.text):
        venue = read_venue(rest, vocabulary, stated)
    people = [_NAME_BREAK.sub("", person) for person in authors.people]
    uncertain = set()
    if not (found.proved and (authors.proved or not authors.people)) or not (joined and parted):
        uncertain.add("title")
    if authors.people and not (authors.proved and authors.complete):
        uncertain.add("authors")
    return build_entry(
        title, EntryOrigin(path, reference.line, reference.end_line), "reference", vocabulary,
        authors=people, venue=venue, year=year, doi=doi, arxiv=text, links=links, uncertain=uncertain,
        et_al=not authors.complete,
    )  # fmt: skip


def _without_addresses(text: str) -> tuple[str, list[tuple[str, str]], str | None]:
    """Return a reference without its URLs and DOI, its links and its DOI."""
    links: list[tuple[str, str]] = []
    doi = None
    if "://" in text:
        text = _BROKEN_URL.sub(r"\1", text)
        for stated in _URL.finditer(text):
            url = stated["url"].rstrip(".,;:)]'")
            links.append(("", url + ")" if url.count("(") > url.count(")") else url))
        text = _ACCESSED.sub(" ", _URL.sub(" ", text))
    if "doi" in text.casefold() and (match := _DOI.search(text)):
        doi = match["doi"].rstrip(".,;)")
        text = text[: match.start()] + text[match.end() :]
    return single_spaced(with_plain_arxiv_ids(text)), links, doi


# -------------------------------------------------------------------------------------------- one reference from the next
_BRACKETED = lazy(r"(?<![\w\]])\[(\d{1,4})\](?=\s*\S)")
_KEYED = lazy(r"^[ \t|]*\[[A-Za-z][\w+*’' .&-]{1,30}?\d{2,4}[a-z]?\][ \t]*(?=\S)", 8)
_NUMBERED = lazy(r"^[ \t|]*(\d{1,4})[.)](?!\d)[ \t]*(?=[^\W\d_]|[\"“])", 8)
_IN_PARENTHESES = lazy(r"^[ \t|]*\((\d{1,4})\)[ \t]*(?=\S)", 8)
_BULLETED = lazy(r"^[ \t]*[•◦▪‣●·*–-][ \t]+(?=\S)", 8)
_BLANK_LINES = lazy(r"\n[ \t]*\n\s*")
_HEADING = lazy(
    r"^[ \t#*\d.]*(?:references?|bibliography|literature(?: cited)?|works cited|参考文献|literatur(?:verzeichnis)?)[ \t*:]*$",
    10,
)
_LONE_NUMBER = lazy(r"^[ \t]*(?:\d{1,4}|[ivxl]{1,6}|page \d+(?: of \d+)?|- \d+ -)[ \t]*$", 2)
_STAMP = lazy(r"^\s*arXiv:\d{4}\.\d{4,5}v\d+\s+\[")
_AFTER_STOP = lazy(r"(?:[.\])]\s{1,3}|\n[ \t|]*)\Z")
_EDGE = " \t\n|"
_INDENT = lazy(r"^(?:\t| {2,})\S")
# A line that begins with a capital is a reference if it has more words: enough for authors and a title.
_FEWEST_WORDS = 5
# With more than a few lines before the first number, numbers are no marks of references.
_MOST_WORDS_BEFORE = 80
_LONGEST = 8  # blank lines part references that have at most so many lines on average
_ENDS = lazy(r"[.\])\d/]\s*$")
_DIGITS = lazy(r"\d+")
_PAGE_MARK = "\x0c"


class _Printed(NamedTuple):
    """A reference as printed, and its lines in the input, from 1."""

    text: str
    line: int
    end_line: int


def _without_page_marks(text: str) -> str:
    """Return a text with a mark in place of what a page repeats: its number, header and stamp, and the list's heading."""
    lines = text.split("\n")
    if len(lines) < 3:
        return _HEADING.sub("", text)
    repeated = Counter(_DIGITS.sub("#", line.strip()) for line in lines if 8 < len(line.strip()) < 120)
    for index, line in enumerate(lines):
        bare = line.strip()
        if not bare:
            continue
        running = len(bare) < 120 and repeated[_DIGITS.sub("#", bare)] > 1 and not _BRACKETED.match(bare)
        if _LONE_NUMBER.match(line) or _STAMP.match(line) or _HEADING.match(line) or running:
            lines[index] = _PAGE_MARK
    return "\n".join(lines)


def _split(text: str) -> list[_Printed]:
    """Return the references of a text, without their numbers, each with its lines."""
    text = _without_page_marks(text)
    starts = _numbered(text) or _marked(text) or list(_paragraphs(text))
    text = text.replace(_PAGE_MARK, " ")
    references: list[_Printed] = []
    line, counted = 1, 0
    for (_, body), (end, _) in pairwise([*starts, (len(text), 0)]):
        raw = text[body:end].rstrip(_EDGE)
        written = raw.lstrip(_EDGE)
        if written:
            first = body + len(raw) - len(written)
            line += text[counted:first].count("\n")
            counted = first
            references.append(_Printed(written, line, line + written.count("\n")))
    return references


def _numbered(text: str) -> list[tuple[int, int]]:
    """Return where references with rising numbers begin: `[1]` anywhere, `1.` and `(1)` at the start of a line."""
    for pattern, least in ((_BRACKETED, 1), (_NUMBERED, 1), (_IN_PARENTHESES, 2)):
        chain: list[tuple[int, int]] = []
        number = 0
        for match in pattern.finditer(text):
            value = int(match[1])
            if not chain:
                lead = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
                if pattern is _BRACKETED and lead.strip(_EDGE + _PAGE_MARK):
                    continue
            elif value != number + 1 and not (
                value == 1 and _AFTER_STOP.search(text[max(match.start() - 8, 0) : match.start()])
            ):
                continue
            number = value
            chain.append(match.span())
        if len(chain) >= least and len(text[: chain[0][0]].split()) <= _MOST_WORDS_BEFORE:
            return chain
    return []


def _marked(text: str) -> list[tuple[int, int]]:
    for pattern in (_KEYED, _BULLETED):
        spans = [match.span() for match in pattern.finditer(text)]
        if len(spans) > 1 or (spans and not text[: spans[0][0]].strip()):
            return spans
    return []


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """Yield where references begin that no mark parts: at blank lines, at hanging indents, or line by line."""
    lines = text.split("\n")
    starts = accumulate((len(line) + 1 for line in lines), initial=0)
    written = [line for line in lines if line.strip() and line != _PAGE_MARK]
    indented = sum(_INDENT.match(line) is not None for line in written)
    hanging = 0 < indented < len(written)
    parted = len(_BLANK_LINES.findall(text.strip())) * _LONGEST > len(written)
    previous = ""
    fresh = True
    for start, line in zip(starts, lines, strict=False):
        if line == _PAGE_MARK:
            continue  # between two lines it parts nothing
        if not line.strip():
            fresh = True
            continue
        if previous and line.lstrip()[:1].islower() and not _ENDS.search(previous):
            fresh = False  # it goes on behind the end of a page
        if hanging:
            begins = fresh or not _INDENT.match(line)
        else:
            begins = fresh or (
                not parted
                and bool(_ENDS.search(previous))
                and (
                    bool(find_leading_people(line).people)
                    or (line[:1].isupper() and len(line.split()) > _FEWEST_WORDS)
                )
            )
        if begins:
            yield start, start + len(line) - len(line.lstrip())
        previous, fresh = line, False
