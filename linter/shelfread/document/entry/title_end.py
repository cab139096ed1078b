"""Finds the end of a title: at its labels, citation, authors or full stop."""

from __future__ import annotations

import re

from shelfread.core.support.regex import lazy
from shelfread.document.entry.labels import OPENING
from shelfread.document.plain_text import PlainText
from shelfread.document.recognizers import citation
from shelfread.document.recognizers.citation import find_mentions, find_unlisted_venue, find_year, is_citation
from shelfread.document.recognizers.people import are_authors
from shelfread.taxonomy.vocabulary import Vocabulary

_STOP = lazy(r"[\0\n|｜(\[（【“\"]|[.。](?=\s|$|\0)|[?!]\s|,\s|\s[-–—]+\s|\sby\s", re.IGNORECASE)
_ABBREVIATION = lazy(
    r"\b(?:vs|etc|i\.e|e\.g|al|jr|sr|dr|mr|ms|mrs|prof|st|no|vol|fig|eq|cf|approx|v|[A-Z])\.$", re.IGNORECASE
)
_INNER_STOP = lazy(r"[.?!,;]\s+|\s[-–—|]\s")
_SEGMENT_END = lazy(r"[\0\n|(\[.]")
_FULL_STOP = lazy(r"[.?!]\s+")
_UNTIL_YEAR = lazy(r"([^\d\0\n]{8,400}?)[(,.\s]+(?:19|20)\d\d\b")
_MAX_CITATION = 60
_MAX_TITLE = 600
# Brackets after a title that are about it: [also in ...], [[Paper]](no address), (oral).
_ABOUT_TITLE = lazy(r"\s*(?:\[|(?:also|see|extended|to appear|oral|spotlight|best paper)\b)", re.IGNORECASE)


def marked_title_end(unread: str, start: int, end: int, vocabulary: Vocabulary) -> int:
    """Return the end of a title within its quotes, link or emphasis: a citation may follow it there.

    The title of `[Title. ICDCS 2021.](u)` is `Title`.
    """
    end = start + len(unread[start:end].rstrip(" ,;:\0\n"))
    text = unread[start:end]
    if end - start > _MAX_CITATION and find_year(text):
        for match in _FULL_STOP.finditer(text, 0, _MAX_TITLE):
            authors = _UNTIL_YEAR.match(text, match.end())
            if authors and match.start() > 10 and are_authors(authors.group(1), minimum=0):
                return start + match.start()
    stripped = text.rstrip(".")
    if stripped.endswith((")", "]", "）")):
        opening = max(stripped.rfind("("), stripped.rfind("["), stripped.rfind("（"))
        if opening > 0 and _is_citation_in_brackets(stripped[opening + 1 : -1], vocabulary):
            title = text[:opening].rstrip(" ,.-\0")
            return marked_title_end(unread, start, start + len(title), vocabulary)
    for match in _INNER_STOP.finditer(text, max(len(text) - _MAX_CITATION - 2, 0)):
        after = text[match.end() : match.end() + _MAX_CITATION + 1]
        starts_citation = after[:1].isupper() or after[:1].isdigit() or after[:1] == "'"
        if starts_citation and len(after) <= _MAX_CITATION and _is_citation_after_title(after, vocabulary):
            return start + match.start() + (1 if match.group()[0] in "?!" else 0)
    return end


def _is_citation_in_brackets(content: str, vocabulary: Vocabulary) -> bool:
    """Return whether brackets at the end of a title have its citation: `(CCS 2024)`, `(Stanford 2017)`."""
    if len(content) <= _MAX_CITATION:
        if find_mentions(content, vocabulary) and is_citation(content, vocabulary):
            return True
        if find_year(content) and len(content.split()) <= 4:
            return True
    return find_unlisted_venue(content) is not None


def _is_citation_after_title(after: str, vocabulary: Vocabulary) -> bool:
    """Return whether a text is a citation: `ICDCS 2021`, `2020-03`, `NeurIPS 2019 FL workshop`."""
    mentions = find_mentions(after, vocabulary)
    if mentions and mentions[0].year and mentions[0].start == 0 and "workshop" in after.casefold():
        return True
    if mentions or citation.DATE.match(after):
        return is_citation(citation.DATE.sub(" ", after), vocabulary)
    return find_unlisted_venue(after, sure=True) is not None


def unmarked_title_end(unread: str, start: int, plain: PlainText, vocabulary: Vocabulary) -> int:
    """Return the end of a title without markup: at its labels, citation, authors or full stop."""
    unread = _before_emphasis(unread[: start + _MAX_TITLE], start, plain, vocabulary)
    offset = start
    while match := _STOP.search(unread, offset):
        edge = match.start()
        stop = unread[edge]
        title = unread[start:edge]
        if stop in "\0\n|｜":
            return start + len(title.rstrip(" ,;:-–.|"))
        if stop in OPENING:
            close = unread.find(OPENING[stop], edge)
            content = unread[edge + 1 : close] if close > 0 else unread[edge + 1 : edge + 40]
            may_end = content and title and not citation.abbreviates(content, title)
            if may_end and _is_about_title(content, vocabulary):
                return start + len(title.rstrip(" ,;:-–."))
            offset = close + 1 if close > 0 else edge + 1
            continue
        offset = match.end()
        after = unread[offset:]
        if stop in ".。":
            if not after.strip(" \0") or _ends_title(title, after, vocabulary):
                return edge
        elif stop in "?!":
            if _is_attribution(after, vocabulary):
                return edge + 1
        elif stop not in '"“' and title and _is_attribution(after, vocabulary):
            return start + len(title.rstrip(" ,"))
    return start + len(unread[start:].rstrip(" .,:-|–"))


def _before_emphasis(unread: str, start: int, plain: PlainText, vocabulary: Vocabulary) -> str:
    """Return the text up to the first emphasis that begins authors or a venue."""
    emphasised = (*plain.emphasis, *plain.strong)
    for offset in sorted(found.start for found in emphasised if start < found.start < len(unread)):
        before = unread[start:offset].rstrip()
        if before[-1:] in (".", ",", ":", "-", "|", "–") or _is_attribution(unread[offset:], vocabulary):
            return before  # known defect: without unread[:start], titles after a prefix are cut short
    return unread


def _is_about_title(content: str, vocabulary: Vocabulary) -> bool:
    """Return whether brackets after a title have its venue, year or authors, and not words of the title."""
    if find_mentions(content, vocabulary) and (is_citation(content, vocabulary) or find_year(content)):
        return True
    if content.lstrip().startswith("@") or "et al" in content or _ABOUT_TITLE.match(content):
        return True
    if (find_year(content) and len(content.split()) <= 6) or content.strip() in ("x", "X", "?", "-"):
        return True
    return find_unlisted_venue(content) is not None or (
        len(content) < 30 and vocabulary.role(content) is not None
    )


def _ends_title(title: str, after: str, vocabulary: Vocabulary) -> bool:
    """Return whether the full stop between two texts ends the title."""
    if _ABBREVIATION.search(title[-12:] + "."):
        return False
    following = after.lstrip(" \0*_")
    if not following or _is_attribution(after, vocabulary):
        return True
    return len(title.split()) >= 3 and not following[0].islower()


def _is_attribution(after: str, vocabulary: Vocabulary) -> bool:
    """Return whether a text, up to its next stop, is a citation or a list of people."""
    segment = _SEGMENT_END.split(after.strip(" *_"), maxsplit=1)[0].strip(" ,.*_")
    if not segment or len(segment) > 400:
        return False
    may_cite = len(segment) <= _MAX_CITATION and bool(find_mentions(segment, vocabulary))
    return (may_cite and is_citation(segment, vocabulary)) or are_authors(segment, minimum=2)
