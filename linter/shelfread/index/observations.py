"""Observes a file: each observation is a question and the form that answers it; and how papers write their parts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document, Entry, Field
from shelfread.document.plain_text import SHORTCODE
from shelfread.index.conventions import LABEL, Observation, Topic, question
from shelfread.index.line_style import (
    find_labels,
    gaps,
    observe_description_style,
    observe_label_order,
)
from shelfread.markdown.node import Link
from shelfread.taxonomy.hosts import DOI

AUTHORS: Final = Topic("authors")

_DELIMITER = lazy(r"[ \t]{0,3}[,;]?[ \t]{0,3}(?:(?:and|&)[ \t]{1,3})?")
_USUAL = frozenset((", ", ", and ", " and ", " & ", ", & ", "; "))
_ET_AL = lazy(
    r"(?P<before>[,;]?[ \t]{1,3})(?:and[ \t]+)?(?P<word>et\.?[ \t]{0,2}al(?![a-z])|others(?![a-z]))(?P<dot>\.|[*_]{1,3}\.)?",
    re.IGNORECASE,
)
_CONTINUES = frozenset(" \t,;&(")
_MORE_NAMES = lazy(r"[ \t]*(?:\w|[,;&(](?![ \t]?(?:19|20)\d\d\b))|[ \t]+and\b")
TITLE_END: Final = Topic("title-end")

_AFTER = lazy(r"[.。]?[*_\"”’`]{0,6}\]?[.。]?")
_ENDED = "?!…？！.:"
# The stop of a title may stand behind a blank, or a remark: `A Study of Jobs (extended).`
_SPACED_STOP = lazy(r"[ \t]{1,4}(?:\([^()\n]{1,40}\))?[.。]")
# An emoji behind a title is where its stop goes: `A Study of Jobs :fire:.`
_EMOJI = lazy(rf"[ \t]*(?:{SHORTCODE}|[\u2600-\u27bf\u2b50\U0001f300-\U0001faff])")
# `Building Safe A.I.`, `Papers of Examples Inc.`: the full stop is part of the word.
_ABBREVIATION = lazy(r"(?:\b[^\W\d_]|\b(?:Inc|Ltd|Co|Corp|etc|vs|al|Jr|Sr|Vol|No|ed))$")
STOPS = ".。"
VENUE_FORM: Final = Topic("venue-form")

_YEAR = lazy(r"([ \t]{0,3}[,'’‘`´.:(/_-]?[ \t]{0,3})((?:19|20)?\d\d)(?!\d)")
_OPENED = lazy(r"([(（[【])(?:[A-Z][\w&/-]*[ \t]+){0,2}\Z")  # `[`, `[IEEE `
_LONGEST_LEAD = 24
_OPENING = {"(": " (", "（": " (", "[": " [", "【": " ["}


class AuthorForm(NamedTuple):
    """The form in which an entry answers one question about its authors."""

    question: str
    form: str
    span: Span  # of several delimiters, from the first to the last


def find_author_forms(entry: Entry, text: str) -> Iterator[AuthorForm]:
    """Yield the forms of an entry's list of authors; none if a name has a comma or the list was not read to its end."""
    if not entry.authors:
        return
    names = [author.value for author in entry.authors]
    if "," in "".join(names):
        return  # family names first: a comma may be within a name or between two
    last = entry.authors[-1].span.end
    shortened = False
    if text[last : last + 1] in _CONTINUES:
        if match := _ET_AL.match(text, last, last + 24):
            shortened = True
            word = " ".join(match[0][len(match["before"]) :].replace("*", "").replace("_", "").split())
            end = match.end() if match["dot"] in (None, ".") else match.end("word")
            several = "of several" if len(names) > 1 else "of one"
            yield AuthorForm(f"for the others {several}", match["before"] + word, Span(last, end))
        elif last > entry.title.span.start and _MORE_NAMES.match(text, last, last + 24):
            return
    if len(names) > 1:
        yield from _delimiters(entry.authors, names, shortened, text)


def _delimiters(
    authors: Sequence[Field], names: list[str], shortened: bool, text: str
) -> Iterator[AuthorForm]:
    """Yield the delimiter between authors, and the one before the last author unless `et al.` follows."""
    inner = len(names) if shortened else len(names) - 1
    if inner > 1:
        delimiter = _common_delimiter(authors[:inner], names[:inner], text)
        if delimiter is None:
            return
        span = Span(authors[0].span.end, authors[inner - 1].span.start)
        yield AuthorForm("between authors", delimiter, span)
    if not shortened and (delimiter := _common_delimiter(authors[-2:], names[-2:], text)) is not None:
        question = "before the last author" if inner > 1 else "between two authors"
        yield AuthorForm(question, delimiter, Span(authors[-2].span.end, authors[-1].span.start))


def _common_delimiter(authors: Sequence[Field], names: list[str], text: str) -> str | None:
    """Return what is between each two authors, if it is always the same: commas, semicolons, `and`, `&`."""
    first = text[authors[0].span.end : authors[1].span.start]
    if not first or (first not in _USUAL and not _DELIMITER.fullmatch(first)):
        return None
    return first if first.join(names) == text[authors[0].span.start : authors[-1].span.end] else None


def delimiters_within(authors: tuple[Field, ...], span: Span) -> list[Span]:
    """Return the spans of the delimiters in the span of a form; of `et al.`, that span itself."""
    gaps = [Span(author.span.end, following.span.start) for author, following in pairwise(authors)]
    return [gap for gap in gaps if span.start <= gap.start and gap.end <= span.end] or [span]


def find_title_end(entry: Entry, text: str) -> Span | None:
    """Return the span of the closing markup and the full stop after a title; None if the title ends in another way."""
    end = entry.title.span.end
    if not (entry.title_line.start < end <= entry.title_line.end and _is_surely_paper(entry)):
        return None
    title = entry.title.value
    if title[-1:] in _ENDED or text[end - 1 : end] in _ENDED or title[-4:].isdigit():
        return None  # the year of a citation
    match = _AFTER.match(text, end, entry.title_line.end)
    if match is None or _SPACED_STOP.match(text, match.end(), entry.title_line.end):
        return None
    if _EMOJI.match(text, match.end(), entry.title_line.end):
        return None
    if match.end() > end and text[end] in STOPS and _ABBREVIATION.search(text, end - 6, end):
        return None
    return Span(*match.span())


def _is_surely_paper(entry: Entry) -> bool:
    """Return whether an entry is a paper with a proved title, and not a tool with a labelled link among papers."""
    if "title" in entry.guessed | entry.uncertain:
        return False
    if entry.kind != "paper" or entry.citation is not None or entry.authors:
        return entry.kind == "paper"
    return any(label.role is not None and label.role.id == "paper" for label in entry.links)


class VenueForm(NamedTuple):
    """The text between a venue and its year, and the number of the year's digits: `'20`, ` 2020`."""

    group: str  # what is compared with each other: the kind of the name, and the bracket before it
    gap: str
    digits: int
    span: Span  # from the end of the venue's name to that of the year

    @property
    def text(self) -> str:
        return self.gap + "Y" * self.digits


def find_venue_form(entry: Entry, text: str) -> VenueForm | None:
    """Return the form of an entry's citation; None unless a known venue is followed by its year and nothing else."""
    cited = entry.citation
    if cited is None or cited.venue is None or cited.name is None or cited.year is None:
        return None
    name, (start, end) = cited.name.value, cited.name.span
    last = cited.span.end
    match = _YEAR.match(text, end, last) if text[start:end] == name else None
    if match is None or match.end() != last or int(match[2]) % 100 != cited.year % 100:
        return None
    kind = "preprint" if cited.venue.kind == "preprint" else "words" if " " in name else "name"
    opening = _OPENED.search(text, max(0, start - _LONGEST_LEAD), start)
    bracket = _OPENING[opening[1]] if opening is not None else ""
    return VenueForm(f"{kind}{bracket}", match[1], len(match[2]), Span(end, last))


ARXIV_LINK: Final = Topic("arxiv-link")
PUBLISHER_LINK: Final = Topic("publisher-link")

_KINDS = ("abs/", "pdf/")
_PDF = lazy(r"pdf|download|fulltext|full text", re.IGNORECASE)
PUBLISHER = lazy(
    r"https?://(?:link\.springer\.com/(?:chapter|article|book)|(?:[\w-]+\.)?onlinelibrary\.wiley\.com/doi(?:/abs|/full)?)"
    rf"/(?P<doi>{DOI}[^?#]+)$",
    re.IGNORECASE,
)
GAP: Final = Topic("gap")
VENUE_NAME: Final = Topic("venue-name")
ACM_LINK: Final = Topic("acm-link")
SECTION: Final = Topic("section")

_ACM = lazy(r"https?://(?:www\.)?(doi\.org/|dl\.acm\.org/doi/(?:\w+/)?)(?=10\.1145/)", re.IGNORECASE)


def arxiv_form(url: str) -> str | None:
    """Return `abs` for the URL of a paper's page at arXiv, `pdf` for a PDF, else None."""
    host, found, path = url.partition("arxiv.org/")
    kind = path[:4].lower()
    is_paper = bool(found) and kind in _KINDS and host[-4:] in ("s://", "p://", "www.")
    if not is_paper or "?" in path or "#" in path:
        return None
    return "pdf" if path.endswith(".pdf") else kind[:3]


def arxiv_papers(entry: Entry) -> Iterator[tuple[Link, str]]:
    """Yield an entry's link to its paper at arXiv with its form, if it is the only one and not labelled PDF."""
    paper: tuple[Link, str] | None = None
    for label, role, link in entry.links:
        if role is None or role.id != "paper" or (form := arxiv_form(link.url)) is None:
            continue
        if paper is not None or (len(label) <= 40 and _PDF.search(label)):
            return
        paper = link, form
    if paper is not None:
        yield paper


def observe(document: Document) -> Counter[Observation]:
    text = document.source.text
    observations = [each for entry in document.entries for each in _of_entry(entry, text)]
    return Counter([*observations, *_of_document(document)])


def _of_entry(entry: Entry, text: str) -> Iterator[Observation]:
    for kind, gap, _ in gaps(entry, text):
        yield question(GAP, kind), gap
    yield from observe_label_order(entry, text)
    if "arxiv" in entry.identifiers:
        for _, page in arxiv_papers(entry):
            yield question(ARXIV_LINK), page
    if entry.kind != "paper":
        yield from observe_description_style(entry, text)
        return
    cited = entry.citation
    if cited is not None and cited.venue is not None and cited.name is not None:
        yield question(VENUE_NAME, cited.venue.id), cited.name.value
    if (form := find_venue_form(entry, text)) is not None:
        yield question(VENUE_FORM, form.group), form.text
    if (span := find_title_end(entry, text)) is not None:
        yield question(TITLE_END, entry.dialect), text[slice(*span)]
    for credit in find_author_forms(entry, text):
        yield question(AUTHORS, credit.question), credit.form


def _of_document(document: Document) -> Iterator[Observation]:
    for word, _, _ in find_labels(document):
        yield question(LABEL, word.casefold()), word
    for url in (link.url for link in document.links):
        if (form := acm_form(url)) is not None:
            yield question(ACM_LINK), form
        if "//doi.org/10." in url:
            yield question(PUBLISHER_LINK), "doi"
        elif ("doi" in url or "springer" in url) and PUBLISHER.match(url):
            yield question(PUBLISHER_LINK), "page"
    for section in document.sections if document.entries else ():
        yield question(SECTION), section.title


def acm_form(url: str) -> str | None:
    """Return the URL of a paper of ACM up to its DOI; None for other papers, and for 10.5555."""
    match = _ACM.match(url) if "10.1145/" in url else None
    return f"https://{match[1].lower()}" if match else None
