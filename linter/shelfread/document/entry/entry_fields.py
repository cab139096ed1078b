"""What entries of both kinds are built from: clean titles, spans, links and the identifiers in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.entry.link_labels import LinkLabel
from shelfread.document.entry.prefix import short_name_end
from shelfread.document.entry.title_line import TitleLine
from shelfread.document.identity import identify
from shelfread.document.model import Citation, Field, LabelledLink
from shelfread.document.plain_text import PlainText, TextLink, TextRange
from shelfread.document.recognizers.organisations import find_organisations
from shelfread.document.years import arxiv_year
from shelfread.markdown.node import Block
from shelfread.taxonomy.vocabulary import Vocabulary

_BRACES = lazy(r"(?P<math>\$[^$]{1,200}\$)|[{}]")
# `Oak Inc.`, `Elm e.V.`, `Tidy Shelves, 2nd ed.`
_ABBREVIATION = lazy(r"\b(?:Co|Corp|Inc|Ltd|(?:\dst|\dnd|\drd|\dth|[Rr]ev\.) ed|[^\W\d_](?:\.[^\W\d_])+)\.\Z")
_PARTED = lazy(r"[*_]{0,3}(?:\s?[:：]\s?|\s[-–—]\s)\S")
_TITLE_START = " \n\t\0*_,;:：，–—\u200b\u200e\u200f"
# The type of a document behind its title in Chinese references (GB/T 7714): `Tidy Shelves[J]`.
_DOCUMENT_TYPE = lazy(r"\s?\[(?:[CDJMNPRS]|(?:DB|EB|J)/OL)\](?:[*\s]|//|\.){0,9}\Z")
_TITLE_EDGE = " \n\t\0*_,;:：，–—-.。\u200b\u200e\u200f"
_WRITTEN_OUT = ("bare", "autolink")


class Habits(NamedTuple):
    """How nearly all lines of a document say who made what they list, and what they call it."""

    names_makers: bool = False  # in emphasis: `[Oak](u) - Sorts books *Ada Stone*`
    ends_with_makers: bool = (
        False  # behind `by`, whatever their names look like: `[Tidy Shelves by ada42](u)`
    )
    names_addresses: bool = True  # behind the address: `https://example.org - Tidy Shelves`
    ends_with_tags: bool = False  # in code: `` [Oak](u) - Sorts books `MIT` ``


class Setting(NamedTuple):
    """Where an entry is read: the document's source, what words are known, its section, and the list's dialect."""

    source: Source
    vocabulary: Vocabulary
    section: int | None  # the index of the section
    dialect: str
    names_speakers: bool = False  # whether the links beside it do: `[Tidy Shelves - Ada Stone](u)`
    habits: Habits = Habits()


def clean_field(plain: PlainText, field: TextRange, braces: bool = False) -> Field:
    """Return a title or name without BibTeX braces outside of formulas, punctuation at its edges and repeated whitespace.

    With `braces`, they stay: those of a tool's name are no BibTeX.
    """
    start, end = field
    text = plain.text
    if not braces and (kind := _DOCUMENT_TYPE.search(text, max(start, end - 20), end)):
        end = kind.start()
    while start < end and text[start] in _TITLE_START and start not in plain.escaped:
        start += 1
    while (
        end > start
        and text[end - 1] in _TITLE_EDGE
        and end - 1 not in plain.escaped
        and not text.endswith(("...", "et al."), start, end)
        and not (text[end - 1] == "." and _ABBREVIATION.search(text, start, end))
    ):
        end -= 1
    if text.endswith((" [", " ("), start, end):
        end -= 2
    start += text.startswith(('"', "“"), start, end) and not set('"”').intersection(text[start + 1 : end])
    value = text[start:end]
    if "{" in value and not braces:
        value = _BRACES.sub(lambda match: match["math"] or "", value)
    return Field(" ".join(value.split()), plain.span(start, end))


def short_name(plain: PlainText, title: TextRange) -> Field | None:
    """Return the short name that a title begins with: EasyScale of `EasyScale: Elastic ...`, TS of `**TS** - Tidy Shelves`."""
    end = short_name_end(plain.text[title.start : title.end])
    bold = next((mark for mark in plain.strong if mark.start <= title.start < mark.end < title.end), None)
    if bold is not None and _PARTED.match(plain.text, bold.end, title.end):
        end = bold.end - title.start
    if end is None:
        return None
    field = clean_field(plain, TextRange(title.start, title.start + end))
    return field if field.value else None


def title_line_span(block: Block) -> Span:
    inlines = block.inlines or (block.blocks[0].inlines if block.kind == "item" and block.blocks else ())
    return Span(inlines[0].start, inlines[-1].end) if inlines else Span(block.start, block.end)


def leading_organisations(title_line: TitleLine) -> list[Field]:
    place = title_line.organisation
    return find_organisations(title_line.plain, *place) if place is not None else []


def entry_links(line: TitleLine, labels: list[LinkLabel], vocabulary: Vocabulary) -> tuple[LabelledLink, ...]:
    """Return the links of a title line, that of the title first, and of the labels of its sub-lines."""
    links: list[LabelledLink] = []
    if line.title_link is not None:
        links.append(unlabelled_link(line.plain, line.title_link, vocabulary))
    elif line.attribution is not None:
        link = unlabelled_link(line.plain, line.attribution, vocabulary)
        links.append(link._replace(role=link.role or vocabulary.roles["paper"]))
    for label in (*line.labels, *labels):
        role = label.role
        if role is vocabulary.role(label.label):
            role = vocabulary.role(label.label, label.link.link.url)
        links.append(LabelledLink(label.label, role, label.link.link))
    listed = {link.link.start for link in links}
    title_end = line.title.end if line.title is not None else 0
    for written in line.plain.links:
        if written.start < title_end or written.link.start in listed:
            continue
        if written.link.form in _WRITTEN_OUT:
            links.append(unlabelled_link(line.plain, written, vocabulary))
        elif _is_cited_by(written, line):
            link = unlabelled_link(line.plain, written, vocabulary)
            links.append(link._replace(role=link.role or vocabulary.roles["paper"]))
    return tuple(links)


def _is_cited_by(link: TextLink, line: TitleLine) -> bool:
    """Return whether the text of a link to elsewhere is the citation: `Tidy Shelves. [arXiv 2022](u)`."""
    cited = line.mentions[0] if line.mentions and link.link.url.startswith("http") else None
    return cited is not None and link.start <= cited.start and cited.end == link.end


def unlabelled_link(plain: PlainText, link: TextLink, vocabulary: Vocabulary) -> LabelledLink:
    """Return a link whose text is not a label. Its role is that of its URL."""
    text = " ".join(plain.text[link.start : link.end].split())
    return LabelledLink(text, vocabulary.role("", link.link.url), link.link)


def entry_identifiers(links: tuple[LabelledLink, ...]) -> dict[str, str]:
    """Return the identifiers in an entry's links by kind. Links to the paper take precedence."""
    identifiers: dict[str, str] = {}
    if len(links) > 1:
        links = tuple(sorted(links, key=lambda link: link.role is None or link.role.id != "paper"))
    for link in links:
        for kind, value in identify(link.link.url).items():
            if kind == "github" and (link.role is None or link.role.id != "code"):
                continue
            identifiers.setdefault(kind, value)
    return identifiers


def assumed_year(citation: Citation | None, identifiers: Mapping[str, str]) -> int | None:
    """Return the year of the arXiv id of a paper without a venue, or with only a preprint server."""
    if citation is None or (citation.venue is not None and citation.venue.kind == "preprint"):
        return arxiv_year(identifiers.get("arxiv", ""))
    return None
