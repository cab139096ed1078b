"""Entries: the parts of a head and of what is nested below it, put in their fields."""

from __future__ import annotations

import re

from shelfread.core.diagnostics import Span
from shelfread.core.support.regex import lazy
from shelfread.document.entry.byline import read_byline
from shelfread.document.entry.labelled_fields import read_labelled_field
from shelfread.document.entry.labels import CONSUMED
from shelfread.document.entry.links import entry_identifiers, entry_links, is_paper_url, unlabelled_link
from shelfread.document.entry.sub_lines import SubLine, SubLineFields, collect_fields, is_label_line
from shelfread.document.entry.title import MAX_NAME_WORDS
from shelfread.document.entry.title_line import TitleLine
from shelfread.document.model import Citation, Entry, Field, LabelledLink
from shelfread.document.plain_text import PlainText, TextRange
from shelfread.document.recognizers.citation import (
    arxiv_year,
    find_mentions,
    find_year,
    may_take_arxiv_year,
    to_citation,
)
from shelfread.markdown.node import Block
from shelfread.taxonomy.vocabulary import Vocabulary

_BRACES = str.maketrans("", "", "{}")
_TITLE_START = " \n\t\0*_,;:–—"
_TITLE_EDGE = " \n\t\0*_,;:–—-.。"
_DESCRIPTION = lazy(
    r"[\s\0]*(?:\([^()]{0,200}\)(?=\s{1,9}[-–—:]))?[\s\0]*"
    r"(?:(?:[-–—－]+|:|：|\||｜|→|~)[\s\0]+|[:：]|[–—](?=\w)|,\s)?[\s\0]*"
)
_COLON = lazy(r":\s|：")
_STOPS_APART = (" .", " ,", " ;", " :", " !", " ?")
_BEFORE_STOP = lazy(r" (?<=\S )([.,;:!?])(?=\s|$)")
# What stands before a colon and says what kind of thing it is.
_KINDS = frozenset("paper survey poster demo book video slides blog link tutorial review note report".split())
_CITED_ID = lazy(r"(\d{4}\.\d{4,5})(?:v\d{1,3})?\b|arxiv[:\s]{1,3}([a-z-]{2,20}/\d{7})", re.IGNORECASE)


def is_paper(head: TitleLine, below: list[SubLine], vocabulary: Vocabulary) -> bool:
    """Whether a head has what only papers have: a citation, a paper's address or label, authors."""
    title = head.title
    if title is None:
        return False
    for mention in head.mentions:
        if mention.venue is not None and (mention.year or mention.start < title.start):
            return True
    for label in head.labels:
        if label.role is not None and label.role.id == "paper":
            return True
    if head.badge is not None:
        return True
    if head.labels and head.shape != "linked" and head.labels[0].link.start > title.start:
        return True
    if "et al" in head.unread[title.end : title.end + 80] or head.leading_authors is not None:
        return True
    if head.title_link is not None:
        return is_paper_url(head.title_link.link.url, vocabulary)
    if head.mentions or (head.year and head.shape in ("emphasis", "strong", "quoted")):
        return True
    return any(_tells_paper(line, vocabulary) for line in below[:3])


def _tells_paper(line: SubLine, vocabulary: Vocabulary) -> bool:
    """Whether a line below a title is what stands below papers only."""
    text = line.plain.text
    stated = read_labelled_field(text)
    if (stated is not None and stated[0] == "authors") or is_label_line(line):
        return True
    if stated is not None and stated[0] == "links":
        return any(is_paper_url(link.link.url, vocabulary) for link in line.plain.links)
    return "et al" in text or bool(find_year(text) and find_mentions(text, vocabulary))


def build_paper(
    head: TitleLine,
    below: list[SubLine],
    block: Block,
    section: int | None,
    dialect: str,
    source: str,
    lines: Span,
    vocabulary: Vocabulary,
) -> Entry:
    """An entry of the kind paper; `lines` are its first and last line, from 1."""
    printed = head.plain
    run = head.title or TextRange(0, 0)
    if head.extended_end is not None:
        run = TextRange(run.start, head.extended_end)
    name = clean_field(printed, head.name) if head.name else _name_of(printed, run)
    said = collect_fields(below, source, vocabulary)
    citation = _citation(head, said)
    authors, affiliations = read_byline(head, run.end)
    links = entry_links(head, said.labels, vocabulary)
    if head.title_link is not None and _is_its_paper(links[0]):
        links = (links[0]._replace(role=vocabulary.roles["paper"]), *links[1:])
    identifiers = entry_identifiers(links)
    if (
        "arxiv" not in identifiers
        and citation is not None
        and (printed_id := _CITED_ID.search(citation.text))
    ):
        identifiers["arxiv"] = printed_id.group(1) or printed_id.group(2)
    year = citation.year if citation else None
    year = year or (head.year[0] if head.year else None) or said.year
    of_id = year is None and may_take_arxiv_year(citation)
    if of_id:
        year = arxiv_year(identifiers.get("arxiv", ""))
    return Entry(
        kind="paper",
        dialect=dialect,
        title=clean_field(printed, run),
        name=name,
        description=None,
        citation=citation,
        year=year,
        authors=tuple(authors or said.authors),
        affiliations=tuple(affiliations or said.affiliations),
        notes=tuple(said.notes),
        links=links,
        identifiers=identifiers,
        section=section,
        span=Span(block.start, block.end),
        title_line=_head_span(block),
        block=block,
        line=lines.start,
        end_line=lines.end,
        year_from_arxiv_id=of_id,
    )


def _is_its_paper(main: LabelledLink) -> bool:
    """Whether a paper's title leads to the paper itself: to no place that has another role."""
    return main.role is None or main.role.id == "review" or main.link.url.endswith(".pdf")


def build_classic(
    head: TitleLine, block: Block, section: int | None, dialect: str, lines: Span, vocabulary: Vocabulary
) -> Entry:
    """An entry of the kind classic: a name, mostly a link, and a text about it."""
    printed = head.plain
    run = head.title or TextRange(0, 0)
    description = None
    links = entry_links(head, [], vocabulary)
    if head.title_link is not None and head.shape == "linked":
        run = TextRange(head.title_link.start, head.title_link.end)
        description = _description(head)
    elif printed.links:
        first = printed.links[0].start
        run = TextRange(run.start, min(run.end, first) if first > run.start else run.end)
        if printed.text.startswith((" - ", " – ", " — "), printed.links[-1].end):
            description = _description(head._replace(after_title=printed.links[-1].end))
        listed = {link.link.start for link in links}
        links += tuple(
            unlabelled_link(printed, link, vocabulary)
            for link in printed.links
            if link.link.start not in listed
        )
    else:
        description = _description(head)
    title = clean_field(printed, run)
    return Entry(
        kind="classic",
        dialect=dialect,
        title=title,
        name=title,
        description=description,
        citation=None,
        year=None,
        authors=(),
        affiliations=(),
        notes=(),
        links=links,
        identifiers=entry_identifiers(links),
        section=section,
        span=Span(block.start, block.end),
        title_line=_head_span(block),
        block=block,
        line=lines.start,
        end_line=lines.end,
    )


def clean_field(printed: PlainText, run: TextRange) -> Field:
    """A title or name without BibTeX braces, marks at its edges and runs of blanks."""
    start, end = run
    text = printed.text
    while start < end and text[start] in _TITLE_START:
        start += 1
    while (
        end > start
        and text[end - 1] in _TITLE_EDGE
        and not (text[end - 1] == "." and text[start:end].endswith("..."))
    ):
        end -= 1
    value = text[start:end]
    if "{" in value:
        value = value.translate(_BRACES)
    return Field(" ".join(value.split()), printed.span(start, end))


def _head_span(block: Block) -> Span:
    inlines = block.inlines or (block.blocks[0].inlines if block.kind == "item" and block.blocks else ())
    return Span(inlines[0].start, inlines[-1].end) if inlines else Span(block.start, block.end)


def _name_of(printed: PlainText, title: TextRange) -> Field | None:
    """The short name that a title begins with: EasyScale of `EasyScale: Elastic ...`."""
    text = printed.text[title.start : title.end]
    match = _COLON.search(text)
    if match is None or not text[match.end() :].strip():
        return None
    words = text[: match.start()]
    if not 0 < len(words.split()) <= MAX_NAME_WORDS:
        return None
    field = clean_field(printed, TextRange(title.start, title.start + match.start()))
    return field if field.value and field.value.casefold() not in _KINDS else None


def _description(head: TitleLine) -> Field | None:
    """A classic entry's text after the separator, as plain text without its labels."""
    rest, printed = head.unread, head.plain
    match = _DESCRIPTION.match(rest, head.after_title)
    start = match.end() if match else head.after_title
    end = len(rest.rstrip(" \n\0"))
    value = " ".join(rest[start:end].replace(CONSUMED, " ").split())
    if any(stop in value for stop in _STOPS_APART):
        value = _BEFORE_STOP.sub(r"\1", value)
    if not any(map(str.isalnum, value)):
        return None
    return Field(value, printed.span(start, end))


def _citation(head: TitleLine, said: SubLineFields) -> Citation | None:
    """The venue that an entry states: the first with a year, else the first."""
    known = [(head.plain, mention) for mention in head.mentions] + said.mentions
    if not known:
        return head.badge
    known.sort(key=lambda one: one[1].venue is None)
    printed, best = next(((place, mention) for place, mention in known if mention.year), known[0])
    return to_citation(printed, best)
