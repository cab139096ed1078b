"""What stands below a title line: people, places, citations, labels, notes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from shelfread.core.diagnostics import Span
from shelfread.core.support.regex import lazy
from shelfread.document.entry.labelled_fields import read_labelled_field
from shelfread.document.entry.labels import CONSUMED, Label, blank_out, find_labels, has_words
from shelfread.document.entry.prefix import shift
from shelfread.document.entry.title_line import TitleLine
from shelfread.document.model import Field
from shelfread.document.plain_text import PlainText, render_plain_text
from shelfread.document.recognizers.citation import (
    Mention,
    blank_mentions,
    find_mentions,
    find_unlisted_venue,
    find_year,
    is_citation,
)
from shelfread.document.recognizers.organisations import are_organisations, find_organisations
from shelfread.document.recognizers.people import are_authors, find_people, people_and_organisations
from shelfread.markdown.node import Block, Inline
from shelfread.taxonomy.vocabulary import Vocabulary

# `... Nathan Kallus. JASA, 2020.`: a venue that the vocabulary does not have.
_UNKNOWN_VENUE = lazy(
    r".*\.\s{1,9}(?P<whole>(?P<name>[A-Z][\w&:. -]{1,60}?),?\s{1,9}(?P<year>(?:19|20)\d\d))\.?\s{0,9}$"
)
_EMPTY_BRACKETS = lazy(r"[(\[{][\0\s.,;}]*[)\]]")
_LAST_YEAR = lazy(r"\(?(?:19|20)\d\d\)?[\s.]{0,9}$")
_TWO_LETTERS = lazy(r"[^\W\d_]{2}")


class SubLine(NamedTuple):
    """A further paragraph or a sub-bullet of an item: its line with its labels, and the rest without them."""

    block: Block
    inlines: tuple[Inline, ...]
    plain: PlainText
    labels: list[Label]
    unread: str


@dataclass(slots=True)
class SubLineFields:
    """What the lines below say."""

    mentions: list[tuple[PlainText, Mention]] = field(default_factory=list)
    authors: list[Field] = field(default_factory=list)
    affiliations: list[Field] = field(default_factory=list)
    notes: list[Field] = field(default_factory=list)
    labels: list[tuple[PlainText, Label]] = field(default_factory=list)
    year: int | None = None


def parse_sub_line(block: Block, vocabulary: Vocabulary) -> SubLine | None:
    """The first line of a block below a title; None where it is no text."""
    first = block if block.kind == "paragraph" else block.blocks[0] if block.blocks else None
    if first is None or first.kind != "paragraph":
        return None
    printed = render_plain_text(first.inlines)
    if not printed.links:
        return SubLine(block, first.inlines, printed, [], printed.text)
    labels, cited = find_labels(printed, vocabulary, False)
    return SubLine(block, first.inlines, printed, labels, blank_out(printed.text, labels, cited))


def is_label_line(line: TitleLine | SubLine) -> bool:
    """Whether a line is nothing but the labels of the entry above it, its paper's among them."""
    papers = (label.role is not None and label.role.id == "paper" for label in line.labels)
    return any(papers) and not has_words(line.unread)


def collect_fields(below: list[SubLine], source: str, vocabulary: Vocabulary) -> SubLineFields:
    """Take the lines below a title, each as what it is; what is nothing else is a note."""
    said = SubLineFields()
    for number, line in enumerate(below):
        if not line.inlines:
            continue
        if line.labels and not has_words(line.unread):
            said.labels.extend((line.plain, label) for label in line.labels)
        elif not (
            _read_field(line, said, vocabulary)
            or _read_people_and_places(line, said, vocabulary)
            or (number == 0 and _read_organisations(line.plain, said))
            or _read_people_and_venue(line, said, vocabulary)
        ):
            span = Span(line.inlines[0].start, line.inlines[-1].end)
            said.notes.append(Field(source[span.start : span.end].strip(), span))
    return said


def _read_field(line: SubLine, said: SubLineFields, vocabulary: Vocabulary) -> bool:
    """Take a line that says what it holds: `Authors: ...`, `Link: ...`."""
    printed = line.plain
    found = read_labelled_field(printed.text)
    if found is None:
        return False
    kind, begin = found
    value = printed.text[begin:]
    if kind == "links" and printed.links:
        word = printed.text[:begin].strip(" :：*_-")
        for link in printed.links:
            label = printed.text[link.start : link.end].strip()
            role = vocabulary.role(label) if len(label) < 40 else None
            said.labels.append((printed, Label(label or word, role or vocabulary.role(word), link)))
        return True
    if kind == "authors" and not said.authors:
        if are_organisations(value) and not are_authors(value):
            said.affiliations += find_organisations(printed, begin, len(printed.text))
        elif are_authors(value, least=0):
            said.authors += find_people(printed, printed.text, begin, len(printed.text))
        else:
            return False
        return True
    if kind == "affiliations":
        said.affiliations += find_organisations(printed, begin, len(printed.text))
        return True
    if kind in ("venue", "links"):
        unknown = find_unlisted_venue(value, sure=True)
        mentions = find_mentions(value, vocabulary) or ([unknown] if unknown else [])
        said.mentions += [(printed, shift(mention, begin)) for mention in mentions]
        return bool(mentions)
    if kind == "year" and (year := find_year(value)):
        said.year = year[0]
        return True
    return False


def _read_people_and_places(line: SubLine, said: SubLineFields, vocabulary: Vocabulary) -> bool:
    """Take a line that names people and their organisations, and perhaps the venue."""
    if said.authors or len(line.unread) > 2000:
        return False
    mentions = find_mentions(line.unread, vocabulary)
    rest = _EMPTY_BRACKETS.sub(
        lambda match: CONSUMED * len(match.group()), blank_mentions(line.unread, mentions, CONSUMED)
    )
    found = people_and_organisations(line.plain, rest.replace(CONSUMED, " ").rstrip(" .*"))
    if found is None:
        return False
    said.authors, said.affiliations = found
    said.mentions += [(line.plain, mention) for mention in mentions]
    said.labels += [(line.plain, label) for label in line.labels]
    return True


def _read_organisations(printed: PlainText, said: SubLineFields) -> bool:
    """Take a first line that is organisations and nothing else."""
    text = printed.text
    if not are_organisations(text) or (text.count(",") > 1 and are_authors(text, least=3)):
        return False
    said.affiliations += find_organisations(printed, 0, len(text))
    return True


def _read_people_and_venue(line: SubLine, said: SubLineFields, vocabulary: Vocabulary) -> bool:
    """Take a line that is authors, a citation, or both; False where it is neither."""
    printed, text = line.plain, line.unread
    mentions = find_mentions(text, vocabulary)
    unknown = None if mentions or len(text) > 2000 else _UNKNOWN_VENUE.match(text)
    if unknown and are_authors(text[: unknown.start("whole")], least=1):
        mentions = [Mention(*unknown.span("whole"), None, *unknown.span("name"), int(unknown["year"]))]
    rest = blank_mentions(text, mentions, CONSUMED)
    bare = _EMPTY_BRACKETS.sub(" ", rest).replace(CONSUMED, " ")
    bare = _LAST_YEAR.sub("", bare.strip(" .,;*"))
    cites = mentions and (is_citation(text, vocabulary) or not _TWO_LETTERS.search(bare))
    if not cites and not are_authors(bare, least=0 if mentions else 2):
        return False
    if not cites and not said.authors:
        said.authors += find_people(printed, rest, 0, len(rest))
        if not mentions and said.year is None and (year := find_year(text)):
            said.year = year[0]
    said.mentions += [(printed, mention) for mention in mentions]
    said.labels += [(printed, label) for label in line.labels]
    return True
