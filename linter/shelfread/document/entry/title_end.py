"""Where a title ends: at its labels, its citation, its authors, or its full stop."""

from __future__ import annotations

import re

from shelfread.core.support.regex import lazy
from shelfread.document.entry.labels import OPENING
from shelfread.document.plain_text import PlainText
from shelfread.document.recognizers.citation import (
    DATE,
    abbreviates,
    find_mentions,
    find_unlisted_venue,
    find_year,
    is_citation,
)
from shelfread.document.recognizers.people import are_authors
from shelfread.taxonomy.vocabulary import Vocabulary

_STOP = lazy(r"[\0\n|｜(\[（【“\"]|[.。](?=\s|$|\0)|[?!]\s|,\s|\s[-–—]+\s|\sby\s", re.IGNORECASE)
_ABBREVIATION = lazy(
    r"\b(?:vs|etc|i\.e|e\.g|al|jr|sr|dr|mr|ms|mrs|prof|st|no|vol|fig|eq|cf|approx|v|[A-Z])\.$", re.IGNORECASE
)
_INNER_STOP = lazy(r"[.?!,;]\s+|\s[-–—|]\s")
_SEGMENT_END = lazy(r"[\0\n|(\[.]")
# Brackets behind a title that speak of it: [also in ...], [[Paper]](no address), (oral), (code).
_FULL_STOP = lazy(r"[.?!]\s+")
_UNTIL_YEAR = lazy(r"([^\d\0\n]{8,400}?)[(,.\s]+(?:19|20)\d\d\b")
_CITATION = 60
_LONGEST = 600
_SPEAKS = lazy(
    r"\s*(?:\[|also\b|see\b|extended\b|to appear\b|oral\b|spotlight\b|best paper\b)", re.IGNORECASE
)


def marked_title_end(rest: str, start: int, end: int, vocabulary: Vocabulary) -> int:
    """The title's end within its own marks: a citation may follow it there (`[Title. ICDCS 2021.](u)`)."""
    end = start + len(rest[start:end].rstrip(" ,;:\0\n"))
    text = rest[start:end]
    if end - start > _CITATION and find_year(text):
        for match in _FULL_STOP.finditer(text, 0, _LONGEST):
            people = _UNTIL_YEAR.match(text, match.end())
            if people and match.start() > 10 and are_authors(people.group(1), minimum=0):
                return start + match.start()
    stripped = text.rstrip(".")
    if stripped.endswith((")", "]", "）")):
        opening = max(stripped.rfind("("), stripped.rfind("["), stripped.rfind("（"))
        if opening > 0 and _is_dated(stripped[opening + 1 : -1], vocabulary):
            before = text[:opening].rstrip(" ,.-\0")
            return (
                marked_title_end(rest, start, start + len(before), vocabulary)
                if len(before) < len(text)
                else end
            )
    for match in _INNER_STOP.finditer(text, max(len(text) - _CITATION - 2, 0)):
        after = text[match.end() : match.end() + _CITATION + 1]
        begins = after[:1].isupper() or after[:1].isdigit() or after[:1] == "'"
        if begins and len(after) <= _CITATION and _is_source(after, vocabulary):
            return start + match.start() + (1 if match.group()[0] in "?!" else 0)
    return end


def _is_dated(content: str, vocabulary: Vocabulary) -> bool:
    """Whether brackets at a title's end hold its citation: `(CCS 2024)`, `(Stanford 2017)`."""
    if len(content) > _CITATION:
        return find_unlisted_venue(content) is not None
    if find_mentions(content, vocabulary) and is_citation(content, vocabulary):
        return True
    if find_year(content) and len(content.split()) <= 4:
        return True
    return find_unlisted_venue(content) is not None


def _is_source(after: str, vocabulary: Vocabulary) -> bool:
    """Whether a text is the citation that follows a title: `ICDCS 2021`, `2020-03`, `NeurIPS 2019 FL workshop`."""
    mentions = find_mentions(after, vocabulary)
    if mentions and mentions[0].year and mentions[0].start == 0 and "workshop" in after.casefold():
        return True
    if mentions or DATE.match(after):
        return is_citation(DATE.sub(" ", after), vocabulary)
    return find_unlisted_venue(after, sure=True) is not None


def unmarked_title_end(rest: str, start: int, plain: PlainText, vocabulary: Vocabulary) -> int:
    """Where a title that nothing marks ends: at its labels, citation, authors, or full stop."""
    at = start
    rest = rest[: start + _LONGEST]
    slanted = [run.start for run in (*plain.emphasis, *plain.strong) if start < run.start < len(rest)]
    for run in sorted(slanted):
        before = rest[start:run].rstrip()
        if before[-1:] in (".", ",", ":", "-", "|", "–") or _follows_title(rest[run:], vocabulary):
            rest = before  # authors or a venue in emphasis
            break
    while True:
        match = _STOP.search(rest, at)
        edge = match.start() if match else len(rest)
        if match is None:
            return start + len(rest[start:].rstrip(" .,:-|–"))
        mark = match.group()[0]
        if mark in "\0\n|｜":
            return start + len(rest[start:edge].rstrip(" ,;:-–.|"))
        if mark in OPENING:
            close = rest.find(OPENING[mark], edge)
            content = rest[edge + 1 : close] if close > 0 else rest[edge + 1 : edge + 40]
            if (
                content
                and edge > start
                and not abbreviates(content, rest[start:edge])
                and _is_apposition(content, vocabulary)
            ):
                return start + len(rest[start:edge].rstrip(" ,;:-–."))
            at = close + 1 if close > 0 else edge + 1
            continue
        after = rest[match.end() :]
        before = rest[start:edge]
        if mark in ".。":
            if not after.strip(" \0") or _ends_title(before, after, vocabulary):
                return edge
        elif mark in "?!":
            if _follows_title(after, vocabulary):
                return edge + 1
        elif mark in '"“':
            pass
        elif before and _follows_title(after, vocabulary):
            return start + len(before.rstrip(" ,"))
        at = match.end()


def _is_apposition(content: str, vocabulary: Vocabulary) -> bool:
    """Whether brackets after a title hold its venue, year, or people, and not words of its own."""
    if find_mentions(content, vocabulary) and (is_citation(content, vocabulary) or find_year(content)):
        return True
    if content.lstrip().startswith("@") or "et al" in content or _SPEAKS.match(content):
        return True
    if (find_year(content) and len(content.split()) <= 6) or content.strip() in ("x", "X", "?", "-"):
        return True
    return find_unlisted_venue(content) is not None or (
        len(content) < 30 and vocabulary.role(content) is not None
    )


def _ends_title(before: str, after: str, vocabulary: Vocabulary) -> bool:
    if _ABBREVIATION.search(before[-12:] + "."):
        return False
    following = after.lstrip(" \0*_")
    if not following:
        return True
    if _follows_title(after, vocabulary):
        return True
    return len(before.split()) >= 3 and not following[0].islower()


def _follows_title(after: str, vocabulary: Vocabulary) -> bool:
    """Whether the text up to the next stop is a citation or a list of people."""
    segment = _SEGMENT_END.split(after.strip(" *_"), maxsplit=1)[0].strip(" ,.*_")
    if not segment or len(segment) > 400:
        return False
    if len(segment) <= _CITATION and find_mentions(segment, vocabulary) and is_citation(segment, vocabulary):
        return True
    return are_authors(segment, minimum=2)
