"""Tells papers from other entries."""

from __future__ import annotations

import re

from shelfread.core.patterns import lazy
from shelfread.document.entry.link_labels import CONSUMED
from shelfread.document.entry.sub_lines import SubLine, is_label_line, read_labelled_field
from shelfread.document.entry.title_line import TitleLine
from shelfread.document.identity import is_paper_url
from shelfread.document.recognizers.people import are_authors, are_named, are_surely_people, is_list_of_people
from shelfread.document.recognizers.venues import blank_mentions, find_mentions, is_citation, only_cites
from shelfread.document.years import find_year
from shelfread.taxonomy.vocabulary import Vocabulary

_LINE_BELOW = lazy(r"[*_.\s]{0,9}\n([^\n\0]{5,600})")
_PEOPLE_IN_BRACKETS = lazy(r"[\s*_]{0,4}\((?P<people>[^\d()\0]{3,70}?),?\s(?:19|20)\d\d[a-z]?\)")
_MAX_CITATION = 600
_MIN_CITED_WORDS = 4
_AFTER_COLON = lazy(r"[\s\0]*[:：]\s?")
# The paper that a repository is about, and whose venue is named, is another thing than the repository.
_IMPLEMENTS = lazy(
    r"\b(?:(?:re)?implement\w*|(?:source )?code (?:for|of|to|from)|repo(?:sitory)? (?:for|of)|port of|reproduc\w+|based on)\b",
    re.IGNORECASE,
)
_BEFORE_MAKERS = (" by ", " - ", " – ", " — ", " | ")
_AFTER_NAME = lazy(r"[\s\0]*[-–—]\s[\s\0]*(?=[^\W\d])")


def is_paper(title_line: TitleLine, sub_lines: list[SubLine], vocabulary: Vocabulary) -> bool:
    """Return whether a line has what only papers have: a citation, a paper's URL or label, or authors."""
    title = title_line.title
    if title is None:
        return False
    description = _described_from(title_line, vocabulary) if title_line.mentions else -1
    behind = max(title.end, title_line.after_title)
    for mention in title_line.mentions:
        people = title_line.unread[behind : mention.start].strip(" ,.:-–—*_(|")
        is_title = len(title_line.title_text.split()) >= _MIN_CITED_WORDS
        if (
            mention.venue is not None
            and len(people) <= _MAX_CITATION
            and (are_named(people) or (is_title and is_list_of_people(people)))
        ):
            return True  # `[Tidy Shelves](u), Ada Stone, Ben Field. ICML`
        if mention.start > description >= 0:
            continue
        if mention.venue is not None and (mention.year or mention.start < title.start):
            return True
    for label in title_line.labels:
        if label.role is not None and label.role.id == "paper":
            return True
    if title_line.badge is not None:
        return True
    if title_line.labels and title_line.shape != "linked" and title_line.labels[0].link.start > title.start:
        return True
    if "et al" in title_line.unread[title.end : title.end + 80] or title_line.leading_authors is not None:
        return True
    cited = _PEOPLE_IN_BRACKETS.match(title_line.unread, title.end)
    if cited is not None and is_list_of_people(cited["people"]):
        return True
    if title_line.attribution is not None:
        return True
    below = _LINE_BELOW.match(title_line.unread, title.end)
    if below is not None and is_list_of_people(below[1]):
        return True
    if title_line.title_link is not None:
        if is_paper_url(title_line.title_link.link.url, vocabulary):
            return True
        behind_title = title_line.unread[title.end : title_line.title_link.end]
        # Books and talks have `(2022)` there, too, and who made them: `[Sorting Many Tidy Shelves - Ada Stone (2022)](u)`.
        says_more = behind_title.startswith(",") or not (
            only_cites(behind_title) or behind_title.startswith(_BEFORE_MAKERS)
        )
        if says_more and find_year(behind_title) and len(title_line.title_text.split()) >= _MIN_CITED_WORDS:
            return True  # `[Sorting Many Tidy Shelves, 2022](u)`
        return any(_cites(line.plain.text, vocabulary) for line in sub_lines[:3])
    if title_line.mentions or (title_line.year and title_line.shape in ("emphasis", "strong", "quoted")):
        return True
    return any(_is_papers_sub_line(line, vocabulary) for line in sub_lines[:3])


def _described_from(title_line: TitleLine, vocabulary: Vocabulary) -> int:
    """Return where the description of a linked name begins, or -1. It may mention venues: `Shelf - of ECAL 2020`.

    A venue that the description begins with is that of the paper.
    """
    link, title = title_line.title_link, title_line.title
    if (
        link is None
        or title is None
        or title_line.shape != "linked"
        or len(title_line.title_text.split()) > 3
    ):
        return -1
    if is_paper_url(link.link.url, vocabulary):
        return -1
    match = _AFTER_NAME.match(title_line.unread, link.end)
    if match is None and (match := _AFTER_COLON.match(title_line.unread, link.end)) is not None:
        described = title_line.unread[match.end() : match.end() + 200]
        return match.end() if _IMPLEMENTS.search(described) else -1
    return match.end() if match else -1


def _is_papers_sub_line(line: SubLine, vocabulary: Vocabulary) -> bool:
    """Return whether a sub-line is one that only papers have."""
    text = line.plain.text
    labelled = read_labelled_field(text)
    if (labelled is not None and labelled[0] == "authors") or is_label_line(line):
        return True
    for label in line.labels:
        if (
            label.role is not None
            and label.role.id == "paper"
            and is_paper_url(label.link.link.url, vocabulary)
        ):
            return True
    if labelled is not None and labelled[0] == "links":
        return any(is_paper_url(link.link.url, vocabulary) for link in line.plain.links)
    return "et al" in text or bool(find_year(text) and find_mentions(text, vocabulary))


def _cites(text: str, vocabulary: Vocabulary) -> bool:
    """Return whether a line is a citation with a year, perhaps after people: `Ada Stone, Ben Field. ICML 2021`."""
    if len(text) > _MAX_CITATION or not find_year(text):
        return False
    mentions = find_mentions(text, vocabulary)
    if not mentions or is_citation(text, vocabulary):
        return bool(mentions)
    before = text[: mentions[0].start].rstrip(" .,(")
    return is_citation(text[mentions[0].start :], vocabulary) and are_authors(before)


def is_field_line(title_line: TitleLine) -> bool:
    """Return whether a line states a field of the entry above: `Link: [arXiv](u)`, `Example: [MArk](u)`."""
    labelled = read_labelled_field(title_line.plain.text)
    if labelled is None or title_line.title is None or title_line.shape == "quoted":
        return False
    links = title_line.plain.links
    if links and links[0].start < labelled[1] < links[0].end:
        return False  # `[NOTE: Tidy Shelves](u)`
    if labelled[0] == "links":
        before = title_line.plain.text[labelled[1] : links[0].start if links else None]
        if (title_line.title_link is not None and title_line.shape == "linked") or len(before.split()) > 3:
            return False  # `CODE: A Title of a Paper [pdf](u)`
    return labelled[0] != "note" or not title_line.labels


def is_byline(title_line: TitleLine) -> bool:
    """Return whether a line is nothing but people and their venue: `Justin Fu. BAIR Blog, 2020.`"""
    if len(title_line.plain.links) > len(title_line.labels):
        return False
    if title_line.shape != "plain" or title_line.name is not None or title_line.leading_authors is not None:
        return False
    title = title_line.title
    if title is None or any(mention.start < title.start for mention in title_line.mentions):
        return False
    words = title_line.title_text
    if not are_authors(words.partition(". ")[0], minimum=0):
        return False
    below = _LINE_BELOW.match(title_line.unread, title.end)
    if below is not None and is_list_of_people(below[1]) and not (" and " in words or are_named(words)):
        return False  # `Tidy Shelves`, and the people below it
    if title_line.labels:
        text = (
            blank_mentions(title_line.unread[:600], title_line.mentions).partition(CONSUMED)[0].strip(" .,")
        )
        return "(" not in text and are_surely_people(text)
    text = blank_mentions(title_line.unread[:600], title_line.mentions).strip(" .,")
    return is_list_of_people(text) or (len(words.split()) <= 20 and is_list_of_people(words))
