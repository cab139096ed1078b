"""Finds where the title of a reference ends and its venue begins."""

from __future__ import annotations

from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.document.recognizers.venues import find_mentions
from shelfread.taxonomy.vocabulary import Vocabulary

_QUOTES = {'"': '"', "“": "”", "‘": "’", "„": "“", "«": "»", "'": "'", "`": "'"}
_QUOTED = lazy(r"\s*(?:,\s*)?(?P<open>[\"“„«]|``|‘(?=\w)|'(?=[A-Z]))")
_STOP = lazy(
    r"(?P<mark>[.?!])(?:[\"”’]?)(?=\s|$|\[[A-Z])|(?P<kind>\[(?:J|C|M|D|R|A|EB|OL|J/OL|C/OL|EB/OL|(?:Computer )?[Ss]oftware|Data ?set|Preprint|Master['’]s thesis[^\]]*|Doctoral[^\]]*)\])|(?P<comma>,\s(?=in[:\s]\s?[A-Z\d])|,\s(?=arXiv\b|Ph\.?\s?D|Master['’]?s? thesis|M\.?\s?Sc|[Tt]ech(?:nical|\.) [Rr]ep|\d{1,2}(?:st|nd|rd|th) edn?\b))"
)
_ABBREVIATION = lazy(
    r"(?:\b(?:vs|etc|al|cf|ca|no|vol|fig|eq|inc|ltd|co|corp|st|dr|mr|mrs|ms|prof|dept|univ|approx|resp|e\.g|i\.e|a\.k\.a|u\.s|ph|v)|(?<![^\s(-])[^\W\d_])$",
    2,
)
_VENUE_START = lazy(
    r"\W{0,3}(?:[Ii]n\s*:|In\s|in\s(?=[A-Z\d]|proc)|//|arXiv|arxiv|CoRR\b|Personal communication|Blog post|Manuscript|Proc\b|Proc\.|Proceedings|Advances in|Adv\.|Journal\b|J\.\s|IEEE\b|ACM\b|USENIX\b|"
    r"Trans\.|Transactions|Annals|Communications of|Commun\.|Technical [Rr]eport|Tech\.|Ph\.?\s?D|Master|MSc|Preprint|preprint|Available|Online|"
    r"[Uu]npublished|[Ss]ubmitted|[Tt]o appear|https?:|doi\b|DOI\b|\(?(?:19|20)\d\d\b|[Vv]ol\b|pp?\.|pages\b|\[[JC]\]|"
    r"[A-Z][\w.& -]{2,60},?\s(?:vol\.?\s)?\d{1,4}\s?(?:[(:,]|\.\d))"
)
_TRAILING_YEAR = lazy(r",?\s\(?(?P<year>(?:19|20)\d\d)[a-z]?\)?\.?$")
_ELSEVIER = lazy(r",\s(?=[A-Z][^,()]{2,80}?\s\d{1,4}(?:\s?\(\d{1,4}\))?\s\((?:19|20)\d\d\))")
_MAX_TITLE = 800
_MAX_VENUE = 240
_MAX_BRACKETS = 200
"""A longer title with an open bracket ends all the same."""


class ReferenceTitle(NamedTuple):
    """The title, where the rest begins, the year at its end, and whether more than a full stop ends it."""

    title: str
    rest: int
    year: int | None
    proved: bool


def find_title(text: str, vocabulary: Vocabulary, *, in_commas: bool = False) -> ReferenceTitle:
    """Return the title that a text begins with. With `in_commas`, authors and title are joined by commas."""
    quoted = _quoted(text)
    if quoted is not None:
        return quoted
    if in_commas and (comma := _ELSEVIER.search(text, 0, _MAX_TITLE)) is not None:
        return ReferenceTitle(text[: comma.start()], comma.end(), None, True)
    doubtful: ReferenceTitle | None = None
    for stop in _STOP.finditer(text, 0, _MAX_TITLE):
        title = text[: stop.start()]
        if not title.strip():
            continue
        is_in_brackets = title.count("(") > title.count(")") and len(title) < _MAX_BRACKETS
        if stop["kind"] or (stop["comma"] and not is_in_brackets):
            return ReferenceTitle(title, stop.end(), None, True)
        if is_in_brackets:
            continue
        rest = text[stop.end() : stop.end() + _MAX_VENUE].lstrip()
        mark = stop["mark"]
        kept = text[: stop.start() + (0 if mark == "." else 1)]
        if (
            mark == "."
            and _ABBREVIATION.search(title[-12:])
            and rest
            and not _begins_venue(rest, vocabulary, strict=True)
        ):
            continue
        if not rest or _begins_venue(rest, vocabulary):
            return _without_year(kept, stop.end(), True)
        if rest[0].islower():
            continue
        if mark == ".":
            return _without_year(kept, stop.end(), False)
        doubtful = doubtful or _without_year(kept, stop.end(), False)
    return doubtful or _without_year(text, len(text), False)


def _without_year(title: str, rest: int, proved: bool) -> ReferenceTitle:
    """Return a title without the year at its end: `Memory optimization for deep networks, 2021`."""
    year = _TRAILING_YEAR.search(title)
    if year is None or year.start() < 8:
        return ReferenceTitle(title, rest, None, proved)
    return ReferenceTitle(title[: year.start()], rest, int(year["year"]), True)


def _quoted(text: str) -> ReferenceTitle | None:
    opening = _QUOTED.match(text)
    if opening is None:
        return None
    mark = opening["open"]
    closing = "''" if mark == "``" else _QUOTES[mark]
    end = opening.end()
    while (end := text.find(closing, end)) > 0:
        after = text[end + len(closing) : end + len(closing) + 1]
        if not after.isalnum():  # not the apostrophe of a word
            title = text[opening.end() : end].rstrip(" ,.")
            return ReferenceTitle(title, end + len(closing), None, True)
        end += 1
    return None


def _begins_venue(rest: str, vocabulary: Vocabulary, strict: bool = False) -> bool:
    """Return whether a text begins with what stands behind titles: a venue, a year, `In ...`."""
    if _VENUE_START.match(rest):
        return True
    if strict:
        return False
    head = rest[:160].partition(". ")[0]
    mentions = find_mentions(head, vocabulary)
    return bool(mentions) and len(head[: mentions[0].start].split()) <= 4
