"""The cells of tables, and what each of them holds: a title, a venue, a year, labels, a number."""

from __future__ import annotations

from typing import NamedTuple

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.document.entry.link_labels import LABEL_WORDS
from shelfread.document.model import Citation, Field
from shelfread.document.plain_text import PlainText, TextLink, render_plain_text
from shelfread.document.recognizers import WORDS
from shelfread.document.recognizers.organisations import is_known_organisation
from shelfread.document.recognizers.people import are_authors, is_list_of_people
from shelfread.document.recognizers.unlisted_venues import find_unlisted, find_venues
from shelfread.document.recognizers.venues import (
    PUBLISHERS,
    WORD,
    Mention,
    find_mentions,
    is_citation,
    only_cites,
    rank_mention,
    to_citation,
)
from shelfread.document.years import DATE, find_year, find_year_at_end
from shelfread.markdown.node import Block, Code, Html, Inline, Link, Text
from shelfread.taxonomy.hosts import split_url
from shelfread.taxonomy.vocabulary import Vocabulary

_EDGE = " \t\n[](){}（）【】*_`|,;:."
_NUMBER = lazy(
    r"\W{0,4}\d[\d.,]{0,14}\s?(?:%|(?P<unit>[KMBTkmb]\b)|±\s?[\d.]{1,8})?[^\w(]{0,4}(?:\([^()]{0,30}\))?[^\w]{0,3}"
)
_DECIMAL = lazy(r"\d\.\d|%|±")
_PRICE = lazy(r"[$€£¥₹]")
_ADDRESS = lazy(r"https?://[^\s{}<>]{4,300}")  # but no template: `https://example.org/{shelf}`
_BEFORE_BRACKET = lazy(r"[^(\[（/|\n]{2,60}")
_MAX_CELL, _MAX_PERSON, _MAX_BESIDE = 400, 40, 4
_FIRST_IDEOGRAPH = "\u2e80"


class Cell(NamedTuple):
    """A cell: its inline nodes, their plain text, and whether it spans several rows and begins above this one."""

    inlines: tuple[Inline, ...]
    plain: PlainText
    spans: bool = False
    continues: bool = False


class TableRow(NamedTuple):
    """A table row: its cells and its block."""

    cells: list[Cell]
    block: Block


NO_CELL = Cell((), render_plain_text(()))


def to_cell(inlines: tuple[Inline, ...], spans: bool = False) -> Cell:
    """Return inline nodes as a cell, without the words that one clicks to see the rest: `<summary>More</summary>`."""
    tags = [node.tag if isinstance(node, Html) else "" for node in inlines]
    if "/summary" in tags[:-1] and "summary" in tags:
        inlines = (*inlines[: tags.index("summary")], *inlines[tags.index("/summary") + 1 :])
    inlines = tuple(map(_address_in_code, inlines)) if len(inlines) == 1 else inlines
    return Cell(inlines, render_plain_text(inlines), spans)


def _address_in_code(node: Inline) -> Inline:
    """Return an address that is written as code as a link."""
    if not isinstance(node, Code) or not _ADDRESS.fullmatch(node.value):
        return node
    ticks = (node.end - node.start - len(node.value)) // 2
    span = Span(node.start + ticks, node.start + ticks + len(node.value))
    children = (Text(span.start, span.end, node.value),)
    return Link(node.start, node.end, "bare", node.value, span, span, None, "", False, children)


def cell_at(row: TableRow, index: int | None) -> Cell:
    """Return a row's cell, an empty one if the row is too short."""
    return row.cells[index] if index is not None and index < len(row.cells) else NO_CELL


def cell_kind(cell: Cell, vocabulary: Vocabulary) -> str:
    """Return what a cell holds.

    empty, mark (♣), labels (links whose texts are labels, or pictures), links (several others), linked (a linked
    title), year, score (a number with decimals), number, venue, cited (a venue that nobody knows, and its year), people, person
    (one alone), organisations, name (three words at most) or words.
    """
    plain = cell.plain
    text = plain.text.strip()
    lead = plain.text[: plain.links[0].start] if plain.links else ""
    if plain.links:
        worded = [link for link in plain.links if plain.text[link.start : link.end].strip(_EDGE)]
        labels = [link for link in worded if is_label(plain, link, vocabulary)]
        beside = outside(plain).split()
        are_few = len(beside) <= max(_MAX_BESIDE, len(plain.links))  # words beside the links
        if len(labels) == len(worded) and are_few and not any(map(str.isalnum, lead)):
            return "labels"
        if labels[:1] == worded[:1] and 2 * len(labels) >= len(worded) and not beside:
            return "labels"
        if len(plain.links) >= 3 and not labels and len(beside) < len(plain.links):
            return "links"
    if not any(map(str.isalnum, text)):
        return "labels" if plain.images else "mark" if text.strip("-–—―/. ") else "empty"
    if len(text) <= 60 and _is_date(text, vocabulary):
        return "year"
    if len(text) <= 60 and (number := _NUMBER.fullmatch(text)):
        is_score = _DECIMAL.search(text) and not (number["unit"] or _PRICE.search(text))
        return "score" if is_score else "number"
    if len(text) <= 100 and find_cell_mention(text, vocabulary) is not None:
        return "venue"
    if " " in text and len(text) <= _MAX_CELL and is_list_of_people(text):
        return "people"
    if plain.links and not lead.strip(_EDGE):
        return "linked"
    if find_unlisted(text, "line"):
        return "cited"
    if is_known_organisation(text):
        return "organisations"
    if " " in text and len(text) <= _MAX_PERSON and max(text) < _FIRST_IDEOGRAPH and are_authors(text):
        return "person"
    return "words" if count_words(text) >= 4 else "name"


def count_words(text: str) -> int:
    """Return the number of words of a text; of those in scripts without blanks, three characters make one."""
    return (
        len(text.split())
        if text.isascii()
        else max(len(text.split()), sum(map(_FIRST_IDEOGRAPH.__le__, text)) // 3)
    )


def _is_date(text: str, vocabulary: Vocabulary) -> bool:
    if DATE.fullmatch(text.strip(_EDGE)):
        return True
    words = WORD.findall(text.casefold())
    dated = find_year(text) is not None or not WORDS["month"].isdisjoint(words)
    return dated and only_cites(text) and not find_mentions(text, vocabulary)


def is_label(plain: PlainText, link: TextLink, vocabulary: Vocabulary) -> bool:
    """Return whether a link's text says what the link is, and is no title: `Paper`, an address, a picture."""
    text = plain.text[link.start : link.end].strip(_EDGE)
    if not text or link.link.form in ("bare", "autolink") or text.casefold() in LABEL_WORDS:
        return True
    if len(text) > 40:
        return False
    if vocabulary.role(text) is not None:
        return True
    site = text.split("/")[0].casefold().removeprefix("www.")
    return "." in site and site in split_url(link.link.url)[0]


def find_cell_mention(text: str, vocabulary: Vocabulary) -> Mention | None:
    """Return the venue that a cell states and nothing else: `NSDI`, `CVPR (Oral)`, `2018 on arXiv, NIPS 2019`."""
    mention = find_best_mention(text, vocabulary)
    return (
        mention if mention is not None and (mention.venue is None or is_citation(text, vocabulary)) else None
    )


def find_best_mention(text: str, vocabulary: Vocabulary) -> Mention | None:
    """Return the venue in a cell, if there are several one with a year, and rather than a preprint server."""
    if len(text) > _MAX_CELL:
        return None
    mentions = find_mentions(text, vocabulary)
    if not mentions and (match := _BEFORE_BRACKET.match(text)):  # an acronym counts only if it stands alone
        before = match.group()
        mentions = find_venues(before, vocabulary) or find_venues(before, vocabulary, "short")
    return min(mentions, key=rank_mention, default=None)


def unknown_venue(plain: PlainText, vocabulary: Vocabulary) -> Citation | None:
    """Return the text of a venue's cell as a citation of a venue that is not in the vocabulary."""
    text = plain.text
    if (mention := find_unlisted(text, "line")) is not None:
        return to_citation(plain, mention)
    start, end = len(text) - len(text.lstrip(" \n*_[(")), len(text.rstrip(" \n*_,])"))
    if (second := text.rfind("] [", start, end)) >= 0:
        start = second + len("] [")  # `[16 May] [ACGS, 2024]`
    end += text.startswith(")", end) and text.count("(", start, end) > text.count(")", start, end)
    value = " ".join(text[start:end].split())
    if value.casefold() in LABEL_WORDS:
        return None  # `[Link](u)` among venues that are linked
    is_name = value in PUBLISHERS or (value.isalpha() and value.isupper())
    is_cited = not is_name and is_citation(
        value, vocabulary
    )  # but `PP` and `IFIP` are no pages and organisers
    if len(value) > 120 or len(value.split()) > 14 or is_cited:
        return None
    year_end = find_year_at_end(text[:end])
    year = year_end or find_year(value)
    named = year_end.start if year_end and year_end.start > start else end
    name = Field(" ".join(text[start:named].split()), plain.span(start, named))
    return Citation(value, plain.span(start, end), None, year.year if year else None, name)


def cell_citation(plain: PlainText, vocabulary: Vocabulary) -> Citation | None:
    """Return the venue that a cell names."""
    mention = find_best_mention(plain.text, vocabulary)
    return to_citation(plain, mention) if mention else None


def outside(plain: PlainText) -> str:
    """Return the words of a text without those of its links."""
    parts: list[str] = []
    done = 0
    for link in plain.links:
        if link.start >= done:
            parts.append(plain.text[done : link.start])
            done = link.end
    parts.append(plain.text[done:])
    return "".join(char if char.isalnum() else " " for char in " ".join(parts)[:_MAX_CELL])
