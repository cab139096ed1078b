"""What stands below a title line, and behind the title in it: people, places, citations, labels, notes."""

from __future__ import annotations

import re
from typing import NamedTuple

from shelfread.diagnostic import Span
from shelfread.document.citation import Mention, find_mentions, is_citation
from shelfread.document.head import Head
from shelfread.document.labels import GONE, Label, has_words
from shelfread.document.model import Field
from shelfread.document.people import are_authors, are_organisations, split_authors
from shelfread.document.printed import Printed, Run
from shelfread.syntax.node import Block, Inline
from shelfread.taxonomy.vocabulary import Vocabulary

# `... Nathan Kallus. JASA, 2020.`: a venue that the vocabulary does not have.
_UNKNOWN_VENUE = re.compile(
    r"\.\s+(?P<whole>(?P<name>[A-Z][\w&:. -]{1,60}?),?\s+(?P<year>(?:19|20)\d\d))\.?\s*$"
)
_PIECE = re.compile(r"[^\0\n|｜]+")
_BY = re.compile(r"^[\s,.;:|(\[-]*(?:by\s+)?", re.IGNORECASE)
_JOIN = re.compile(r"\s*(?:&|,|/)\s*")
_EMPTY_BRACKETS = re.compile(r"[(\[{][\0\s.,;}]*[)\]]")
_LAST_YEAR = re.compile(r"\(?(?:19|20)\d\d\)?[\s.]*$")
_TWO_LETTERS = re.compile(r"[^\W\d_]{2}")


class Below(NamedTuple):
    """A further paragraph or a sub-bullet of an item, its first line taken apart."""

    block: Block
    inlines: tuple[Inline, ...]
    head: Head


class Said(NamedTuple):
    """What the lines below say."""

    mentions: list[tuple[Printed, Mention]]
    authors: list[Field]
    affiliations: list[Field]
    notes: list[Field]
    labels: list[tuple[Printed, Label]]


def is_label_line(head: Head) -> bool:
    """Whether a line is nothing but the labels of the entry above it, its paper's among them."""
    papers = (label.role is not None and label.role.id == "paper" for label in head.labels)
    return any(papers) and not has_words(head.rest)


def read_tail(head: Head, after: int, vocabulary: Vocabulary) -> tuple[list[Field], list[Field]]:
    """The authors and affiliations that follow (or, in a citation, precede) the title in its own line."""
    printed, rest = head.printed, head.rest
    for mention in head.mentions:
        rest = rest[: mention.start] + GONE * (mention.end - mention.start) + rest[mention.end :]
    authors: list[Field] = []
    affiliations: list[Field] = []
    spans = [Run(max(run.start, after), run.end) for run in (*printed.emphasis, *printed.strong) if run.end > after]
    spans += [Run(after + match.start(), after + match.end()) for match in _PIECE.finditer(rest[after:])]
    if head.title is not None and head.shape == "quoted" and head.title.start > 3:
        spans.append(Run(0, head.title.start - 1))
    for run in spans:
        text = rest[run.start : run.end].replace(GONE, " ")
        stripped = _BY.sub("", text)
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


def read_below(below: list[Below], source: str, vocabulary: Vocabulary) -> Said:
    said = Said([], [], [], [], [])
    for number, line in enumerate(below):
        if not line.inlines:
            continue
        head = line.head
        printed = head.printed
        if head.labels and not has_words(head.rest):
            said.labels.extend((printed, label) for label in head.labels)
            continue
        text = printed.text
        if number == 0 and are_organisations(text) and not (text.count(",") > 1 and are_authors(text, least=3)):
            for part in _JOIN.split(text.strip()):
                start = text.find(part)
                said.affiliations.append(Field(part, printed.span(start, start + len(part))))
            continue
        if _read_people_and_venue(printed, head, said, vocabulary):
            continue
        span = Span(line.inlines[0].start, line.inlines[-1].end)
        said.notes.append(Field(source[span.start : span.end].strip(), span))
    return said


def _read_people_and_venue(printed: Printed, head: Head, said: Said, vocabulary: Vocabulary) -> bool:
    """Take a line that is authors, a citation, or both; False where it is neither."""
    text = head.rest
    mentions = find_mentions(text, vocabulary)
    rest = text
    for mention in mentions:
        rest = rest[: mention.start] + GONE * (mention.end - mention.start) + rest[mention.end :]
    if not mentions and (unknown := _UNKNOWN_VENUE.search(text)) and are_authors(text[: unknown.start()], least=1):
        mentions = [Mention(*unknown.span("whole"), None, *unknown.span("name"), int(unknown["year"]))]
        rest = rest[: unknown.start("whole")] + GONE * len(unknown["whole"]) + rest[unknown.end("whole") :]
    bare = _EMPTY_BRACKETS.sub(" ", rest).replace(GONE, " ")
    bare = _LAST_YEAR.sub("", bare.strip(" .,;*"))
    if mentions and (is_citation(text, vocabulary) or not _TWO_LETTERS.search(bare)):
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
