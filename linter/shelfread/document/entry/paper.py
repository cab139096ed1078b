"""Builds entries of the kind paper from their title lines and sub-lines."""

from __future__ import annotations

import re

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.document.entry.byline import read_byline
from shelfread.document.entry.classic import further_links
from shelfread.document.entry.entry_fields import (
    Setting,
    assumed_year,
    clean_field,
    entry_identifiers,
    entry_links,
    leading_organisations,
    short_name,
    title_line_span,
)
from shelfread.document.entry.link_labels import CONSUMED, blank_out
from shelfread.document.entry.prefix import names_nothing, names_something
from shelfread.document.entry.remarks import is_prose, links_behind_stop, with_remark
from shelfread.document.entry.sub_lines import SubLine, SubLineFields, collect_fields, labelled_title
from shelfread.document.entry.title_line import TitleLine
from shelfread.document.identity import is_paper_url
from shelfread.document.model import Citation, Entry, Field, LabelledLink
from shelfread.document.plain_text import PlainText, TextRange
from shelfread.document.recognizers.venues import is_citation, rank_mention, to_citation
from shelfread.markdown.node import Block
from shelfread.taxonomy.hosts import DOI
from shelfread.taxonomy.vocabulary import Vocabulary

_REMARK = lazy(
    r"(?:[\s\0*]*\([^()\0]{0,40}\b\d{4}\b[^()\0]{0,40}\))?[\s\0*]*(?:[:：]|\s[-–—]+)\s*(?P<remark>[^\s\0][^\n]*)"
)
_LEADS_TO_VENUE = lazy(
    r"[\s.,;:(|–—-]*(?:(?:\b(?:[Pp]ublished|[Pp]resented|[Aa]ppeared|[Aa]ccep\w{1,5}|[Tt]o appear) (?:in|at|on|by|to)|\b[Ii]n|\b[Aa]t)(?: the)?)?\s*$"
)
_DOI = lazy(rf"/{DOI}")  # in the address of a page
_STATED_DOI = lazy(rf"\bdoi\s?:\s?(?P<doi>{DOI}[^\s\0<>\[\]]{{2,100}})", re.IGNORECASE)
_CITED_ID = lazy(r"(\d{4}\.\d{4,5})(?:v\d{1,3})?\b|arxiv[:\s]{1,3}([a-z-]{2,20}/\d{7})", re.IGNORECASE)


def build_paper(
    title_line: TitleLine, sub_lines: list[SubLine], block: Block, setting: Setting, end_line: int = 0
) -> Entry:
    """Return an entry of the kind paper. `end_line` is its last line, from 1, or 0 for that of `block`."""
    vocabulary = setting.vocabulary
    plain = title_line.plain
    title = title_line.title or TextRange(0, 0)
    title_proved = title_line.title_proved
    if title_line.extended_end is not None:
        end, title_proved = title_line.extended_end
        title = TextRange(title.start, end)
    name = clean_field(plain, title_line.name) if title_line.name else short_name(plain, title)
    name = name if name is not None and name.value else None
    stated_title = clean_field(plain, title)
    if title_line.name is None and (below := labelled_title(stated_title, sub_lines)) is not None:
        stated_title, name = below, stated_title
    fields = collect_fields(sub_lines, setting.source.text, vocabulary)
    byline = read_byline(title_line, title.end)
    name = name or byline.name
    links = _links(title_line, title, fields, vocabulary)
    citation = _citation(title_line, fields)
    identifiers = _identifiers(plain, links, citation)
    year = citation.year if citation else None
    year = year or (title_line.year.year if title_line.year else None) or fields.year
    kind = citation.name if citation is not None and citation.venue is None else None
    if kind is not None and kind.value.isalpha() and names_nothing(kind.value):  # a badge `2025 Survey`
        citation = None
        fields.notes.append(kind)
    assumed = assumed_year(citation, identifiers)
    if assumed is not None and year is not None and identifiers["arxiv"].startswith(f"{year}."):
        citation, year = citation and citation._replace(year=None), None  # `arXiv 2011`: a month of 2020
    assumed = assumed if year is None else None
    linked_to = title_line.title_link.link.end if title_line.title_link is not None else 0
    are_behind = any(author.span.start >= linked_to for author in byline.authors)
    says_more = not are_behind and title_line.extended_end is None
    prose = _remark(title_line, vocabulary) if says_more else None
    guessed = set(byline.guessed)
    if not byline.authors:
        guessed |= fields.guessed & {"authors"}
    if not byline.affiliations:
        guessed |= fields.guessed & {"affiliations"}
    if not title_proved:
        guessed.add("title")
    if title_line.name is None and name is not None and not names_something(name.value):
        guessed.add("name")
    entry = Entry(
        kind="paper",
        dialect=setting.dialect,
        title=stated_title,
        name=name,
        citation=citation,
        year=assumed if year is None else year,
        authors=tuple(byline.authors or fields.authors),
        affiliations=tuple(byline.affiliations or fields.affiliations or leading_organisations(title_line)),
        notes=tuple(fields.notes),
        description=prose,
        links=links,
        identifiers=identifiers,
        section=setting.section,
        span=Span(block.start, block.end),
        title_line=title_line_span(block),
        block=block,
        line=block.first + 1,
        end_line=end_line or block.last,
        year_from_arxiv_id=assumed is not None,
        guessed=frozenset(guessed),
    )
    is_annotated = fields.authors or fields.affiliations  # then what stands below them are notes
    text = fields.summary
    if text is None and not is_annotated and fields.text is not None and is_prose(fields.text.value):
        text = fields.text
    if prose is None and text is not None:
        entry = with_remark(entry, vocabulary)  # what its own line says comes first
    if text is not None and entry.description is None:
        notes = tuple(note for note in fields.notes if not note.span.start <= text.span.start < note.span.end)
        entry = entry._replace(description=text, notes=notes)
    return entry


def _links(
    title_line: TitleLine, title: TextRange, fields: SubLineFields, vocabulary: Vocabulary
) -> tuple[LabelledLink, ...]:
    """Return the links of an entry, that of its title first.

    It leads to the paper itself where its URL has no other role, and no other link is called so.
    """
    plain, links = title_line.plain, entry_links(title_line, fields.labels, vocabulary)
    if title_line.title_link is not None:
        first, paper = links[0], vocabulary.roles["paper"]
        is_elsewhere = any(link.role is paper and link.label == paper.label for link in links[1:])
        is_free = first.role is None and not (is_elsewhere and not is_paper_url(first.link.url, vocabulary))
        if is_free or (first.role and first.role.id == "review") or first.link.url.endswith(".pdf"):
            links = (first._replace(role=paper), *links[1:])
    beside = {
        link.link.start
        for link in plain.links
        if not title.start <= link.start < title.end
        and not title_line.unread.startswith(CONSUMED, link.start)
    }
    links += tuple(link for link in further_links(plain, links, vocabulary) if link.link.start in beside)
    return _with_paper(links, vocabulary)


def _identifiers(
    plain: PlainText, links: tuple[LabelledLink, ...], citation: Citation | None
) -> dict[str, str]:
    """Return the identifiers of an entry: those in its links, the arXiv id it cites, the DOI it states."""
    identifiers = entry_identifiers(links)
    if "arxiv" not in identifiers and (cited := _CITED_ID.search(citation.text if citation else "")):
        identifiers["arxiv"] = cited[1] or cited[2]
    if "doi" not in identifiers and (stated := _STATED_DOI.search(plain.text)):
        identifiers["doi"] = stated["doi"].rstrip(".,;)")
    return identifiers


def _with_paper(links: tuple[LabelledLink, ...], vocabulary: Vocabulary) -> tuple[LabelledLink, ...]:
    """Return the links of an entry; without another link to the paper, OpenReview's page or that of a DOI is the paper."""
    roles = [link.role.id if link.role is not None else "" for link in links]
    if "paper" in roles:
        return links
    for index, (role, link) in enumerate(zip(roles, links, strict=True)):
        is_review = role == "review" and "openreview.net/" in link.link.url
        if is_review or (not role and _DOI.search(link.link.url)):
            return (*links[:index], link._replace(role=vocabulary.roles["paper"]), *links[index + 1 :])
    return links


def _before_citation(title_line: TitleLine, start: int, text: str) -> str:
    """Return the text at an offset of a line without the citation that it ends with: `Sorts books - in KDD 2019`."""
    for mention in title_line.mentions:
        first, last = mention.start - start, mention.end - start
        if mention.year and 0 < first < len(text) and not text[last:].strip(" .)]"):
            return _LEADS_TO_VENUE.sub("", text[:first])
    return text.strip()


def _remark(title_line: TitleLine, vocabulary: Vocabulary) -> Field | None:
    """Return what a list remarks on a marked paper behind a colon or dash: `[Tidy Shelves](u): worth reading`."""
    link, title = title_line.title_link, title_line.title
    if title is None or title_line.shape not in ("linked", "strong"):
        return None
    unread = blank_out(title_line.unread, [], links_behind_stop(title_line.plain))
    match = _REMARK.match(unread, link.end if link else title.end)
    if match is None:
        return None
    text = _before_citation(title_line, match.start("remark"), match["remark"].partition(CONSUMED)[0])
    text = text.rstrip(" ,;([|-–—")
    words = text.split()
    lower = sum(1 for word in words if len(word) > 2 and word.islower())
    is_sentence = text[:1].isupper() and text.endswith(".") and 0 < len(words) <= 2 * lower
    is_said = lower > 1 or is_sentence or text.startswith(("A ", "An ", "The "))
    if not is_said or is_citation(text, vocabulary):
        return None
    start = match.start("remark")
    return Field(" ".join(text.split()), title_line.plain.span(start, start + len(text)))


def _citation(title_line: TitleLine, fields: SubLineFields) -> Citation | None:
    """Return the citation of an entry: the first known venue with a year, else the first mention."""
    mentions = [(title_line.plain, mention) for mention in title_line.mentions] + fields.mentions
    if not mentions:
        return title_line.badge or fields.badge
    return to_citation(*min(mentions, key=lambda item: rank_mention(item[1])))
