"""Entries: the parts of a head and of what is nested below it, put in their fields."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from shelfread.diagnostic import Span
from shelfread.document.citation import Mention, arxiv_year, find_mentions, find_year, is_citation
from shelfread.document.head import GONE, MAX_NAME_WORDS, Head, Label, read_head
from shelfread.document.identifiers import identify
from shelfread.document.model import Citation, Entry, Field, LabelledLink
from shelfread.document.people import are_authors, are_organisations, split_authors
from shelfread.document.printed import Printed, Run, print_inlines
from shelfread.syntax.node import Block, Inline
from shelfread.taxonomy.vocabulary import Vocabulary

_BRACES = str.maketrans("", "", "{}")
_TITLE_EDGE = " \n\t\0*_,;:–—-.。"
_DESCRIPTION = re.compile(r"[\s\0]*(?:(?:[-–—－]+|:|：|\||｜|→|~)[\s\0]+|[:：]|[–—](?=\w)|,\s)?[\s\0]*")
# `... Nathan Kallus. JASA, 2020.`: a venue that the vocabulary does not have.
_UNKNOWN_VENUE = re.compile(r"\.\s+(?P<whole>(?P<name>[A-Z][\w&:. -]{1,60}?),?\s+(?P<year>(?:19|20)\d\d))\.?\s*$")
_CITED_ID = re.compile(r"(\d{4}\.\d{4,5})(?:v\d+)?\b|arxiv[:\s]+([a-z-]+/\d{7})", re.IGNORECASE)


class Below(NamedTuple):
    """What stands below a title line: its further paragraphs and sub-bullets, each a line."""

    block: Block
    inlines: tuple[Inline, ...]


class _Lines(NamedTuple):
    """What the lines below say."""

    mentions: list[tuple[Printed, Mention]]
    authors: list[Field]
    affiliations: list[Field]
    notes: list[Field]
    labels: list[tuple[Printed, Label]]


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
    if head.main is not None:
        return is_paper_address(head.main.link.url, vocabulary)
    if head.mentions or head.year and head.shape in ("emphasis", "strong", "quoted"):
        return True
    for line in below[:3]:
        printed = print_inlines(line.inlines)
        if find_mentions(printed.text, vocabulary) and find_year(printed.text) or "et al" in printed.text:
            return True
        if _label_line(printed, vocabulary):
            return True
    return False


def is_paper_address(url: str, vocabulary: Vocabulary) -> bool:
    """Whether papers live at an address: arXiv, a DOI, proceedings ..."""
    role = vocabulary.role("", url)
    return role.id in ("paper", "review") if role is not None else url.endswith(".pdf")


def _label_line(printed: Printed, vocabulary: Vocabulary) -> bool:
    head = read_head(printed, vocabulary)
    return bool(head.labels) and not re.sub(r"[\W_]+", "", head.rest) and any(
        label.role is not None and label.role.id == "paper" for label in head.labels
    )


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
    said = _read_below(below, source, vocabulary)
    citation = _citation(head, said)
    authors, affiliations = _read_tail(head, run.end, vocabulary)
    affiliations = affiliations or said.affiliations
    links = _links(head, said, vocabulary)
    if head.main is not None and (links[0].role is None or links[0].role.id == "review"):
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


def build_classic(
    head: Head, block: Block, section: int | None, dialect: str, source: str, lines: Span, vocabulary: Vocabulary,
    notes: Iterable[Field] = (),
) -> Entry:  # fmt: skip
    """An entry of the kind classic: a name that is a link, and a text about it."""
    printed = head.printed
    title = clean_field(printed, head.title or Run(0, 0))
    links = _links(head, _Lines([], [], [], [], []), vocabulary)
    return Entry(
        "classic", dialect, title, title, _description(head), None, None, (), (), tuple(notes), links,
        identifiers_of(links), section, Span(block.start, block.end), _head_span(block), block, lines.start, lines.end,
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
    match = re.search(r":\s|：", text)
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
    value = re.sub(r"\s+([.,;:!?])(?=\s|$)", r"\1", value)
    if not re.search(r"\w", value):
        return None
    return Field(value, printed.span(start, end))


# ------------------------------------------------------------------------------------- links
def _links(head: Head, said: _Lines, vocabulary: Vocabulary) -> tuple[LabelledLink, ...]:
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
def _citation(head: Head, said: _Lines) -> Citation | None:
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


def _read_tail(head: Head, after: int, vocabulary: Vocabulary) -> tuple[list[Field], list[Field]]:
    """The authors and affiliations that follow (or, in a citation, precede) the title in its own line."""
    printed, rest = head.printed, head.rest
    for mention in head.mentions:
        rest = rest[: mention.start] + GONE * (mention.end - mention.start) + rest[mention.end :]
    authors: list[Field] = []
    affiliations: list[Field] = []
    spans = [Run(max(run.start, after), run.end) for run in (*printed.emphasis, *printed.strong) if run.end > after]
    spans += [Run(after + match.start(), after + match.end()) for match in re.finditer(r"[^\0\n|｜]+", rest[after:])]
    if head.title is not None and head.shape == "quoted" and head.title.start > 3:
        spans.append(Run(0, head.title.start - 1))
    for run in spans:
        text = rest[run.start : run.end].replace(GONE, " ")
        stripped = re.sub(r"^[\s,.;:|(\[-]*(?:by\s+)?", "", text, flags=re.IGNORECASE)
        if not authors and are_authors(stripped):
            start = run.start + len(text) - len(stripped)
            authors = _people(printed, rest, start, run.end)
        elif not affiliations and 1 < len(stripped.strip(" ()[].,*@")) < 80:
            bare = stripped.strip(" ()[].,*")
            before = rest[: run.start].rstrip(" ")[-1:]
            if (bare.startswith("@") or before in ("|", "｜", "(", "（")) and are_organisations(bare.lstrip("@").removesuffix(" etc")):
                start = rest.find(bare, run.start)
                affiliations = [Field(bare.lstrip("@"), printed.span(start, start + len(bare)))]
    return authors, affiliations


def _people(printed: Printed, rest: str, start: int, end: int) -> list[Field]:
    people: list[Field] = []
    at = start
    for person in split_authors(rest[start:end].replace(GONE, " ")):
        found = rest.find(person, at, end)
        if found >= 0:
            people.append(Field(person, printed.span(found, found + len(person))))
            at = found + len(person)
    return people


def _read_below(below: list[Below], source: str, vocabulary: Vocabulary) -> _Lines:
    said = _Lines([], [], [], [], [])
    for number, line in enumerate(below):
        if not line.inlines:
            continue
        printed = print_inlines(line.inlines)
        head = read_head(printed, vocabulary)
        words = re.sub(r"[\W_]+", "", head.rest)
        if head.labels and not words:
            said.labels.extend((printed, label) for label in head.labels)
            continue
        text = printed.text
        if number == 0 and are_organisations(text) and not (text.count(",") > 1 and are_authors(text, least=3)):
            for part in re.split(r"\s*(?:&|,|/)\s*", text.strip()):
                start = text.find(part)
                said.affiliations.append(Field(part, printed.span(start, start + len(part))))
            continue
        if _read_people_and_venue(printed, head, said, vocabulary):
            continue
        span = Span(line.inlines[0].start, line.inlines[-1].end)
        said.notes.append(Field(source[span.start : span.end].strip(), span))
    return said


def _read_people_and_venue(printed: Printed, head: Head, said: _Lines, vocabulary: Vocabulary) -> bool:
    """Take a line that is authors, a citation, or both; False where it is neither."""
    text = head.rest
    mentions = find_mentions(text, vocabulary)
    rest = text
    for mention in mentions:
        rest = rest[: mention.start] + GONE * (mention.end - mention.start) + rest[mention.end :]
    if not mentions and (unknown := _UNKNOWN_VENUE.search(text)) and are_authors(text[: unknown.start()], least=1):
        mentions = [Mention(*unknown.span("whole"), None, *unknown.span("name"), int(unknown["year"]))]
        rest = rest[: unknown.start("whole")] + GONE * len(unknown["whole"]) + rest[unknown.end("whole") :]
    bare = re.sub(r"[(\[{][\0\s.,;}]*[)\]]", " ", rest).replace(GONE, " ")
    bare = re.sub(r"\(?(?:19|20)\d\d\)?[\s.]*$", "", bare.strip(" .,;*"))
    if mentions and (is_citation(text, vocabulary) or not re.search(r"[^\W\d_]{2}", bare)):
        said.mentions.extend((printed, mention) for mention in mentions)
        said.labels.extend((printed, label) for label in head.labels)
        return True
    if are_authors(bare, least=2) or mentions and are_authors(bare, least=0):
        if not said.authors:
            said.authors.extend(_people(printed, rest, 0, len(rest)))
        said.mentions.extend((printed, mention) for mention in mentions)
        said.labels.extend((printed, label) for label in head.labels)
        return True
    return False
