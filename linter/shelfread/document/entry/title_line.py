"""The title line of an item, taken apart: lead, name, title, label links, and what follows the title."""

from __future__ import annotations

from typing import NamedTuple

from shelfread.core.support.regex import lazy
from shelfread.document.entry.badge import badge_mention
from shelfread.document.entry.labels import CONSUMED, Label, blank_out, find_labels
from shelfread.document.entry.prefix import read_prefix, shift
from shelfread.document.entry.title import extended_end, find_title
from shelfread.document.model import Citation
from shelfread.document.plain_text import PlainText, TextLink, TextRange
from shelfread.document.recognizers.citation import (
    Mention,
    find_mentions,
    find_unlisted_venue,
    find_year,
    is_citation,
)
from shelfread.document.recognizers.venue_patterns import venue_index
from shelfread.markdown.node import Inline, Link
from shelfread.taxonomy.vocabulary import Vocabulary

# A citation follows its title closely; further on there is prose.
_CITED_WITHIN = 400
# What may open a lead, end a title early, or be no part of a name.
_NOT_PLAIN_NAME = lazy(r"^[^\w]|[\s.,:;-]$|[.?!,;]\s|\s[-–—|]\s|[\n\[\](){}（）【】\"“”]")
_BRACKETED = lazy(r"[(\[（【]([^()\[\]（）【】\0]{2,100})[)\]）】]")
_SAYS = lazy(r"[^\W_]{2}")
_LINE = lazy(r"[\n|][ ]{0,3}([A-Z][A-Za-z]{1,12}[ '’]{0,2}(?:20)?\d\d)[ ]{0,3}(?=[\n|]|$)")
_YEAR_IN_BRACKETS = lazy(
    r"[(\[（]\s*(?:[\w&.'’-]{1,40}[ ,]{1,3}){0,4}?((?:19[5-9]|20[0-3])\d)(?:[-./]\d{1,2}){0,2}\s*[)\]）]"
    r"|[,.|]\s{0,9}((?:19[5-9]|20[0-3])\d)\s{0,9}\.?\s{0,9}$"
)
_SEGMENT = lazy(r"[^.,;|()\[\]（）【】\n\0]+")


class TitleLine(NamedTuple):
    """What a title line holds; ranges are of `printed.text`, `rest` is it with all that was read gone."""

    plain: PlainText
    unread: str
    shape: str
    """linked, strong, emphasis, quoted, plain or none"""
    title: TextRange | None
    name: TextRange | None
    title_link: TextLink | None
    """The link that the title is, or is in."""
    labels: list[Label]
    mentions: list[Mention]
    """The venues and years that lead and tail name; those with a year first."""
    year: tuple[int, int, int] | None
    """A year without a venue, and its range."""
    after_title: int
    """Where what follows the title begins."""
    extended_end: int | None
    """The title's end where a linked name is but its beginning: `[Orca](u): A Serving System`."""
    leading_authors: TextRange | None = None
    """Authors that stand before the title, as in a bibliography."""
    badge: Citation | None = None
    """A venue that a badge states."""


def read_title_line(printed: PlainText, vocabulary: Vocabulary, named: bool = False) -> TitleLine:
    """Take a printed line apart; nothing is lost: what no field takes stays in `rest`.

    `named` says that a link which leads the line names a thing, though its words could be a label (`GitLab`).
    """
    text = printed.text
    labels, cited = find_labels(printed, vocabulary, named) if printed.links else ([], [])
    rest = blank_out(text, labels, cited) if labels or cited else text
    mentions = [
        shift(mention, link.start)
        for link in cited
        for mention in _cited(text[link.start : link.end], vocabulary)
    ]
    start, name, lead_mentions, year = read_prefix(rest, vocabulary)
    mentions += lead_mentions
    shape, title, stated, main, people = find_title(rest, start, printed, vocabulary)
    tail = title.end if title else start
    if title is not None:
        if main is not None and main.end > tail and main.start <= title.start:
            tail = main.end
        after = rest[title.end : title.end + _CITED_WITHIN].replace(CONSUMED, "|")
        says = len(after) > 3 and _SAYS.search(after) is not None
        if says:
            mentions += [shift(mention, title.end) for mention in _mentions_behind(after, shape, vocabulary)]
        if people is not None and year is None:
            year = find_year(text[: title.start])
        if says and year is None and not any(mention.year for mention in mentions):
            found = _year_in_brackets(after) if shape == "linked" else find_year(after[:200])
            year = (found[0], found[1] + title.end, found[2] + title.end) if found else None
    if len(mentions) > 1:
        mentions.sort(key=_by_weight)
    extended = extended_end(rest, title, main, printed, vocabulary)
    badge = badge_mention(printed.images, vocabulary) if printed.images and not mentions else None
    return TitleLine(
        printed,
        rest,
        shape,
        title,
        name or stated,
        main,
        labels,
        mentions,
        year,
        tail,
        extended,
        people,
        badge,
    )


def read_simple_title_line(
    inlines: tuple[Inline, ...], printed: PlainText, vocabulary: Vocabulary
) -> TitleLine | None:
    """The head of the commonest line, `[Name](url) - Description.`, if it plainly is one: as read_title_line has it."""
    if len(printed.links) != 1 or printed.images or not isinstance(inlines[0], Link):
        return None
    main, text = printed.links[0], printed.text
    if len(text) > main.end and not text.startswith((" - ", " – ", " — "), main.end):
        return None
    if main.start or not main.end or _NOT_PLAIN_NAME.search(text, 0, main.end):
        return None
    for run in (*printed.strong, *printed.emphasis):
        if run.start < main.end:
            return None
    if "et al" in text or vocabulary.role(text[: main.end]) is not None:
        return None
    if not venue_index(vocabulary).names_no_venue(text):
        return None
    return TitleLine(
        printed, text, "linked", TextRange(0, main.end), None, main, [], [], None, main.end, None
    )


def _cited(label: str, vocabulary: Vocabulary) -> list[Mention]:
    found = find_mentions(label, vocabulary)
    unknown = None if found else find_unlisted_venue(label.strip("[]() "), sure=True)
    if unknown:
        found = [shift(unknown, len(label) - len(label.lstrip("[( ")))]
    return found


def _mentions_behind(after: str, shape: str, vocabulary: Vocabulary) -> list[Mention]:
    """The venues named behind a title: dated ones, and those that are all there is between two stops."""
    found = [
        mention
        for mention in find_mentions(after, vocabulary)
        if mention.year or shape != "linked" or _fills_segment(after, mention, vocabulary)
    ]
    if not found:
        for match in _BRACKETED.finditer(after):
            if unknown := find_unlisted_venue(match.group(1)):
                return [shift(unknown, match.start(1))]
        for match in _LINE.finditer(after):
            if unknown := find_unlisted_venue(match.group(1), sure=True):
                return [shift(unknown, match.start(1))]
    return found


def _fills_segment(text: str, mention: Mention, vocabulary: Vocabulary) -> bool:
    """Whether nothing but citation words stands beside a mention, between one stop and the next."""
    for match in _SEGMENT.finditer(text):
        if match.end() >= mention.end:
            return match.start() <= mention.start and is_citation(match.group(), vocabulary)
    return True


def _by_weight(mention: Mention) -> tuple[bool, bool, bool]:
    """What has a year says more than what has none, a venue more than a preprint server or an unknown one."""
    return (
        mention.year is None,
        mention.venue is None,
        mention.venue is not None and mention.venue.kind == "preprint",
    )


def _year_in_brackets(text: str) -> tuple[int, int, int] | None:
    """A year that stands alone in brackets or at the end: in a description's prose it would say nothing."""
    match = _YEAR_IN_BRACKETS.search(text)
    if match is None:
        return None
    group = 1 if match.group(1) else 2
    return int(match.group(group)), match.start(group), match.end(group)
