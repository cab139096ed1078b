"""Entries: the parts of a head and of what is nested below it, put in their fields."""

from __future__ import annotations

import re

from shelfread.diagnostic import Span
from shelfread.document.below import Below, Said, is_label_line, read_below, read_tail
from shelfread.document.citation import arxiv_year, find_mentions, find_year
from shelfread.document.head import Head
from shelfread.document.identifiers import identify
from shelfread.document.labels import GONE
from shelfread.document.model import Citation, Entry, Field, LabelledLink
from shelfread.document.printed import Printed, Run
from shelfread.document.title import MAX_NAME_WORDS
from shelfread.syntax.node import Block
from shelfread.taxonomy.vocabulary import Vocabulary

_BRACES = str.maketrans("", "", "{}")
_TITLE_EDGE = " \n\t\0*_,;:–—-.。"
_DESCRIPTION = re.compile(r"[\s\0]*(?:\([^()]*\)(?=\s+[-–—:]))?[\s\0]*(?:(?:[-–—－]+|:|：|\||｜|→|~)[\s\0]+|[:：]|[–—](?=\w)|,\s)?[\s\0]*")
_COLON = re.compile(r":\s|：")
_BEFORE_STOP = re.compile(r"\s+([.,;:!?])(?=\s|$)")
_CITED_ID = re.compile(r"(\d{4}\.\d{4,5})(?:v\d+)?\b|arxiv[:\s]+([a-z-]+/\d{7})", re.IGNORECASE)


def is_paper(head: Head, below: list[Below], vocabulary: Vocabulary) -> bool:
    """Whether a head has what only papers have: a citation, a paper's address or label, authors."""
    if head.title is None:
        return False
    if any(mention.venue is not None and (mention.year or mention.start < head.title.start) for mention in head.mentions):
        return True
    if any(label.role is not None and label.role.id == "paper" for label in head.labels):
        return True
    if head.labels and head.shape != "linked" and head.labels[0].link.start > head.title.start:
        return True
    if "et al" in head.rest[head.title.end : head.title.end + 80]:
        return True
    if head.main is not None:
        return is_paper_address(head.main.link.url, vocabulary)
    if head.mentions or head.year and head.shape in ("emphasis", "strong", "quoted"):
        return True
    for line in below[:3]:
        text = line.head.printed.text
        if "et al" in text or find_year(text) and find_mentions(text, vocabulary) or is_label_line(line.head):
            return True
    return False


def is_paper_address(url: str, vocabulary: Vocabulary) -> bool:
    """Whether papers live at an address: arXiv, a DOI, proceedings ..."""
    role = vocabulary.role("", url)
    return role is not None and role.id in ("paper", "review") or url.endswith(".pdf")


def build_paper(
    head: Head, below: list[Below], block: Block, section: int | None, dialect: str, source: str, lines: Span,
    vocabulary: Vocabulary,
) -> Entry:  # fmt: skip
    """An entry of the kind paper; `lines` are its first and last line, from 1."""
    printed = head.printed
    run = head.title or Run(0, 0)
    named = head.name
    if head.extended is not None:
        run = Run(run.start, head.extended)
    title = clean_field(printed, run)
    name = clean_field(printed, named) if named else _name_of(printed, run)
    said = read_below(below, source, vocabulary)
    citation = _citation(head, said)
    authors, affiliations = read_tail(head, run.end, vocabulary)
    affiliations = affiliations or said.affiliations
    links = _links(head, said, vocabulary)
    if head.main is not None and _is_its_paper(links[0]):
        links = (links[0]._replace(role=vocabulary.roles["paper"]), *links[1:])
    identifiers = identifiers_of(links)
    if "arxiv" not in identifiers and citation is not None and (printed_id := _CITED_ID.search(citation.text)):
        identifiers["arxiv"] = printed_id.group(1) or printed_id.group(2)
    year = citation.year if citation else None
    year = year or (head.year[0] if head.year else None)
    if year is None and (citation is None or citation.venue is not None and citation.venue.kind == "preprint"):
        year = arxiv_year(identifiers.get("arxiv", ""))
    return Entry(
        "paper", dialect, title, name, None, citation, year, tuple(authors or said.authors), tuple(affiliations),
        tuple(said.notes), links, identifiers, section, Span(block.start, block.end), _head_span(block), block,
        lines.start, lines.end,
    )  # fmt: skip


def _is_its_paper(main: LabelledLink) -> bool:
    """Whether a paper's title leads to the paper itself: to no place that has another role."""
    return main.role is None or main.role.id == "review" or main.link.url.endswith(".pdf")


def build_classic(
    head: Head, block: Block, section: int | None, dialect: str, lines: Span, vocabulary: Vocabulary
) -> Entry:
    """An entry of the kind classic: a name, mostly a link, and a text about it."""
    title = clean_field(head.printed, head.title or Run(0, 0))
    links = _links(head, Said([], [], [], [], []), vocabulary)
    if not links:
        links = tuple(
            LabelledLink(" ".join(head.printed.text[link.start : link.end].split()), vocabulary.role("", link.link.url), link.link)
            for link in head.printed.links
        )
    description = _description(head) if head.main is not None or not head.printed.links else None
    return Entry(
        "classic", dialect, title, title, description, None, None, (), (), (), links, identifiers_of(links), section,
        Span(block.start, block.end), _head_span(block), block, lines.start, lines.end,
    )  # fmt: skip


def clean_field(printed: Printed, run: Run) -> Field:
    """A title or name without BibTeX braces, marks at its edges and runs of blanks."""
    start, end = run
    text = printed.text
    while start < end and text[start] in " \n\t\0*_,;:–—":
        start += 1
    while end > start and (text[end - 1] in _TITLE_EDGE) and not text[start:end].endswith("..."):
        end -= 1
    value = text[start:end].translate(_BRACES) if "{" in text[start:end] else text[start:end]
    return Field(" ".join(value.split()), printed.span(start, end))


def _head_span(block: Block) -> Span:
    inlines = block.inlines or (block.blocks[0].inlines if block.kind == "item" and block.blocks else ())
    return Span(inlines[0].start, inlines[-1].end) if inlines else Span(block.start, block.end)


def _name_of(printed: Printed, title: Run) -> Field | None:
    text = printed.text[title.start : title.end]
    match = _COLON.search(text)
    if match is None or not 0 < len(text[: match.start()].split()) <= MAX_NAME_WORDS or not text[match.end() :].strip():
        return None
    field = clean_field(printed, Run(title.start, title.start + match.start()))
    return field if field.value else None


def _description(head: Head) -> Field | None:
    rest, printed = head.rest, head.printed
    match = _DESCRIPTION.match(rest, head.tail)
    start = match.end() if match else head.tail
    end = len(rest.rstrip(" \n\0"))
    value = " ".join(rest[start:end].replace(GONE, " ").split())
    value = _BEFORE_STOP.sub(r"\1", value)
    if not any(map(str.isalnum, value)):
        return None
    return Field(value, printed.span(start, end))


# ------------------------------------------------------------------------------------- links
def _links(head: Head, said: Said, vocabulary: Vocabulary) -> tuple[LabelledLink, ...]:
    found: list[LabelledLink] = []
    if head.main is not None:
        text = head.printed.text[head.main.start : head.main.end]
        role = vocabulary.role("", head.main.link.url)
        found.append(LabelledLink(" ".join(text.split()), role, head.main.link))
    for label in head.labels:
        role = label.role or vocabulary.role("", label.link.link.url)
        found.append(LabelledLink(label.label, role, label.link.link))
    for _, label in said.labels:
        role = label.role or vocabulary.role("", label.link.link.url)
        found.append(LabelledLink(label.label, role, label.link.link))
    return tuple(found)


def identifiers_of(links: tuple[LabelledLink, ...]) -> dict[str, str]:
    """The identifiers that an entry's links hold, the paper's links first."""
    found: dict[str, str] = {}
    for link in sorted(links, key=lambda link: link.role is None or link.role.id != "paper"):
        role = link.role.id if link.role else None
        for kind, value in identify(link.link.url).items():
            if kind == "github" and role not in ("code", None):
                continue
            found.setdefault(kind, value)
    return found


# -------------------------------------------------------------------------- tail and below
def _citation(head: Head, said: Said) -> Citation | None:
    known = [(head.printed, mention) for mention in head.mentions if mention.venue is not None]
    known += said.mentions
    if not known:
        return None
    printed, best = next(((place, mention) for place, mention in known if mention.year), known[0])
    text = printed.text
    return Citation(
        " ".join(text[best.start : best.end].split()),
        printed.span(best.start, best.end),
        best.venue,
        best.year,
        Field(text[best.name_start : best.name_end], printed.span(best.name_start, best.name_end)),
    )


