"""The title line of an item, taken apart: lead, name, title, label links, and what follows the title."""

from __future__ import annotations

import re
from typing import NamedTuple

from shelfread.document.citation import DATE, Mention, find_mentions, find_year, index_of, is_citation
from shelfread.document.labels import GONE, MARKS, OPENING, Label, blank, find_labels
from shelfread.document.printed import Printed, PrintedLink, Run
from shelfread.document.title import extended_end, find_title
from shelfread.syntax.node import Inline, Link
from shelfread.taxonomy.vocabulary import Vocabulary

# A citation follows its title closely; further on there is prose.
_CITED_WITHIN = 400
# What may open a lead, end a title early, or be no part of a name.
_NOT_PLAIN_NAME = re.compile(r"^[^\w]|[\s.,:;-]$|[.?!,;]\s|\s[-–—|]\s|[\n\[\](){}（）【】\"“”]")
_YEAR_IN_BRACKETS = re.compile(
    r"[(\[（]\s*(?:[\w&.'’-]+[ ,]+){0,4}?((?:19[5-9]|20[0-3])\d)(?:[-./]\d{1,2}){0,2}\s*[)\]）]"
    r"|[,.|]\s*((?:19[5-9]|20[0-3])\d)\s*\.?\s*$"
)


class Head(NamedTuple):
    """What a title line holds; ranges are of `printed.text`, `rest` is it with all that was read gone."""

    printed: Printed
    rest: str
    shape: str
    """linked, strong, emphasis, quoted, plain or none"""
    title: Run | None
    name: Run | None
    main: PrintedLink | None
    """The link that the title is, or is in."""
    labels: list[Label]
    mentions: list[Mention]
    """The venues and years that lead and tail name; those with a year first."""
    year: tuple[int, int, int] | None
    """A year without a venue, and its range."""
    tail: int
    """Where what follows the title begins."""
    extended: int | None
    """The title's end where a linked name is but its beginning: `[Orca](u): A Serving System`."""


def read_head(printed: Printed, vocabulary: Vocabulary, named: bool = False) -> Head:
    """Take a printed line apart; nothing is lost: what no field takes stays in `rest`.

    `named` says that a link which leads the line names a thing, though its words could be a label (`GitLab`).
    """
    text = printed.text
    labels, cited = find_labels(printed, vocabulary, named) if printed.links else ([], [])
    rest = blank(text, labels, cited) if labels or cited else text
    mentions = [
        _shift(mention, link.start)
        for link in cited
        for mention in find_mentions(text[link.start : link.end], vocabulary)
    ]
    start, name, lead_mentions, year = _read_lead(rest, vocabulary)
    mentions += lead_mentions
    shape, title, stated, main = find_title(rest, start, printed, vocabulary)
    tail = title.end if title else start
    if title is not None:
        if main is not None and main.end > tail and main.start <= title.start:
            tail = main.end
        after = rest[title.end : title.end + _CITED_WITHIN].replace(GONE, "|")
        mentions += [_shift(mention, title.end) for mention in find_mentions(after, vocabulary)]
        if year is None and not any(mention.year for mention in mentions):
            found = _year_in_brackets(after) if shape == "linked" else find_year(after[:200])
            year = (found[0], found[1] + title.end, found[2] + title.end) if found else None
    if len(mentions) > 1:
        mentions.sort(key=_by_weight)
    extended = extended_end(rest, title, main, printed, vocabulary)
    return Head(printed, rest, shape, title, name or stated, main, labels, mentions, year, tail, extended)


def quick_head(inlines: tuple[Inline, ...], printed: Printed, vocabulary: Vocabulary) -> Head | None:
    """The head of the commonest line, `[Name](url) - Description.`, if it plainly is one: as read_head has it."""
    if len(printed.links) != 1 or not isinstance(inlines[0], Link):
        return None
    main = printed.links[0]
    if any(run.start < main.end for run in printed.strong) or any(run.start < main.end for run in printed.emphasis):
        return None
    text = printed.text
    if main.start or not main.end or _NOT_PLAIN_NAME.search(text, 0, main.end):
        return None
    if len(text) > main.end and not text.startswith((" - ", " – ", " — "), main.end):
        return None
    if "et al" in text or vocabulary.role(text[: main.end]) is not None:
        return None
    if not index_of(vocabulary).isdisjoint(text):
        return None
    return Head(printed, text, "linked", Run(0, main.end), None, main, [], [], None, main.end, None)


def _by_weight(mention: Mention) -> tuple[bool, bool]:
    """What has a year says more than what has none, a venue more than a preprint server."""
    return mention.year is None, mention.venue is not None and mention.venue.kind == "preprint"


def _shift(mention: Mention, by: int) -> Mention:
    return mention._replace(
        start=mention.start + by, end=mention.end + by, name_start=mention.name_start + by, name_end=mention.name_end + by
    )


def _year_in_brackets(text: str) -> tuple[int, int, int] | None:
    """A year that stands alone in brackets or at the end: in a description's prose it would say nothing."""
    match = _YEAR_IN_BRACKETS.search(text)
    if match is None:
        return None
    group = 1 if match.group(1) else 2
    return int(match.group(group)), match.start(group), match.end(group)


def _read_lead(
    rest: str, vocabulary: Vocabulary
) -> tuple[int, Run | None, list[Mention], tuple[int, int, int] | None]:
    """What stands before the title: marks, `[EuroSys'25]`, `[2023/02]`, `(Gavel)`."""
    at = _skip_marks(rest, 0)
    name: Run | None = None
    mentions: list[Mention] = []
    year: tuple[int, int, int] | None = None
    while at < len(rest):
        if rest[at] in OPENING:
            close = rest.find(OPENING[rest[at]], at)
            content = rest[at + 1 : close] if close > 0 else ""
            after = rest[close + 1 :].strip(" .:-\0") if close > 0 else ""
            if close < 0 or len(content) > 80 or not after:
                break
            found = find_mentions(content, vocabulary)
            if found and is_citation(content, vocabulary):
                mentions += [_shift(mention, at + 1) for mention in found]
            elif DATE.match(content.strip()) and find_year(content):
                value, begin, end = find_year(content) or (0, 0, 0)
                year = (value, at + 1 + begin, at + 1 + end)
            elif not any(map(str.isalnum, content)):
                pass
            elif name is None and len(content.split()) <= 4 and not content.strip().isdigit():
                name = Run(at + 1, close)
            else:
                break
            at = _skip_marks(rest, close + 1)
        elif match := DATE.match(rest, at):
            if not rest[match.end() :].lstrip(" ").startswith((":", "-", "–", "[", "|", "(")) or find_year(match.group()) is None:
                break
            value, begin, end = find_year(match.group()) or (0, 0, 0)
            year = (value, at + begin, at + end)
            at = _skip_marks(rest, match.end() + len(rest[match.end() :]) - len(rest[match.end() :].lstrip(" :-–|")))
        else:
            break
    return at, name, mentions, year


def _skip_marks(rest: str, at: int) -> int:
    while at < len(rest):
        match = MARKS.match(rest, at)
        after = match.end() if match else at
        while after < len(rest) and rest[after] == GONE:
            after += 1
        if after == at:
            break
        at = after
    return at
