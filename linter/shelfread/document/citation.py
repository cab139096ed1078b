"""Venues and years as they are printed: `OSDI'20`, `(EuroSys 2019)`, `arXiv 1404.5997`, `In 17th {USENIX} ...`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from shelfread.taxonomy.vocabulary import Venue, Vocabulary

_WORD = re.compile(r"[^\W\d_]{2,}")
_TOKEN = re.compile(r"[^\W\d_]+|\d+")
_YEAR = re.compile(r"(?<![\d.,/-])(?:19[5-9]\d|20[0-3]\d)(?![\d]|[.,]\d{3})")
_ARXIV_ID = re.compile(r"(?:\s+preprint)?(?:[\s:]+arxiv)?[\s:\[(-]{0,4}(?:abs/)?(\d{4}\.\d{3,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?", re.IGNORECASE)
# What follows a day or a volume: 28 May 2019; 30, no. 5; 30(5).
_NO_YEAR = re.compile(
    r"(?:st|nd|rd|th)?\s+(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\b|,?\s*(?:no|vol|issue|pp)\b|\s?\(\d+\)|:\d",
    re.IGNORECASE,
)
# What may stand between a name and its two-digit year: OSDI20, OSDI '20, EuroSys' 26, {NSDI} 20.
_SHORT_GAP = re.compile(r"[\s'’‘`´}_-]{0,4}$")
_GAP = re.compile(r"[^\n|\]]{0,60}$")
# Words that stand between a venue and its year, or around both, and are no words of a title.
NOISE = frozenset(
    """oral spotlight poster best paper papers award awards honorable mention candidate finalist outstanding
    runner up findings finding workshop workshops conference preprint preprints proceedings proc track main long
    short demo demos industry industrial research in of the on and at to appear accepted accept by th st nd rd
    volume vol no number issue pp pages usenix acm ieee sigops international symposium annual meeting datasets
    benchmarks and with extended abstract journal transactions under review submitted technical report phd thesis
    arxiv corr cs version full notable top late breaking results highlight new ideas jan feb mar apr may jun jul
    aug sep sept oct nov dec january february march april june july august september october november december
    summer winter spring fall autumn""".split()
)  # fmt: skip
# Acronyms that are words, or too short to be taken for a venue without more: only as printed by the
# venue itself, and only beside a year or alone in brackets.
_WORDS = frozenset(
    """fast cloud nature science middleware micro pact date cell mm sc sp cc se sec www web asia chi eye
    conll patterns nsr sensors access energy big edge pods date spaa arch cases case""".split()
)


DATE = re.compile(
    r"(?:(?:19|20)\d\d[-./年]?(?:\d{1,2}月?)?(?:[-./]\d{1,2})?|\d{1,2}[-./](?:19|20)\d\d)(?=\W|$)"
)
"""A date that lists put before a title: 2023, 2023/05, 2023-05-01, 05.2023."""


class Mention(NamedTuple):
    """A venue or year in a text: half-open ranges of the whole, and of the venue's own name."""

    start: int
    end: int
    venue: Venue | None
    name_start: int
    name_end: int
    year: int | None


class _Token(NamedTuple):
    folded: str
    start: int
    end: int


class Index:
    """Every venue's labels by their first token, the longest first; and what a text must have to name one."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.labels: dict[str, list[tuple[list[str], str, Venue]]] = {}
        self.words: set[str] = set()
        self.pairs: set[tuple[str, str]] = set()
        for venue in vocabulary.venues.values():
            for label in venue.labels:
                tokens = [token.casefold() for token in _TOKEN.findall(label)]
                if len(tokens) > 1 and sum(map(len, tokens)) <= 8:
                    self._add("".join(tokens), ["".join(tokens)], label, venue)  # ACMMM20 is ACM MM 20
                    self.words.add("".join(tokens))
                if len(tokens) > 1:
                    self.pairs.add((tokens[0], tokens[1]))
                elif tokens:
                    self.words.add(tokens[0])
                if tokens:
                    self._add(tokens[0], tokens, label, venue)
        for labels in self.labels.values():
            labels.sort(key=lambda entry: -len(entry[0]))

    def _add(self, first: str, tokens: list[str], label: str, venue: Venue) -> None:
        self.labels.setdefault(first, []).append((tokens, label, venue))

    def isdisjoint(self, text: str) -> bool:
        """Whether a text surely names no venue."""
        words = _TOKEN.findall(text.casefold())
        return self.words.isdisjoint(words) and self.pairs.isdisjoint(zip(words, words[1:], strict=False))


@lru_cache(maxsize=8)
def index_of(vocabulary: Vocabulary) -> Index:
    """The vocabulary's index, made once."""
    return Index(vocabulary)


def find_mentions(text: str, vocabulary: Vocabulary) -> list[Mention]:
    """The venues that a text names, in order, each with its year if one belongs to it."""
    index = index_of(vocabulary)
    if index.isdisjoint(text):
        return []
    tokens = [_Token(match.group().casefold(), *match.span()) for match in _TOKEN.finditer(text)]
    mentions: list[Mention] = []
    i = 0
    while i < len(tokens):
        labels = index.labels.get(tokens[i].folded)
        found = _match(tokens, i, labels, text) if labels else None
        if found is None:
            i += 1
            continue
        size, venue, weak = found
        mention = _with_year(text, tokens, i, i + size, venue)
        if weak and mention.year is None and not _alone(text, mention.start, mention.end):
            i += 1
            continue
        mentions.append(mention)
        while i < len(tokens) and tokens[i].start < mention.end:
            i += 1
    return mentions


def find_year(text: str) -> tuple[int, int, int] | None:
    """The first four-digit year of a text: the year and its range."""
    match = _YEAR.search(text)
    return (int(match.group()), match.start(), match.end()) if match else None


def is_citation(text: str, vocabulary: Vocabulary) -> bool:
    """Whether a text is a venue or a year and nothing that a title could be made of."""
    words = {token.casefold() for token in _WORD.findall(_without(text, find_mentions(text, vocabulary)))}
    return words <= NOISE


def _without(text: str, mentions: list[Mention]) -> str:
    for mention in reversed(mentions):
        text = text[: mention.start] + " " + text[mention.end :]
    return text


def _match(
    tokens: list[_Token], i: int, labels: list[tuple[list[str], str, Venue]], text: str
) -> tuple[int, Venue, bool] | None:
    for words, label, venue in labels:
        if len(words) > 1 and [token.folded for token in tokens[i : i + len(words)]] != words:
            continue
        size = len(words)
        printed = text[tokens[i].start : tokens[i + size - 1].end]
        if text[: tokens[i].start].endswith(("@", "#", "/")) or text.startswith(".", tokens[i + size - 1].end) and (
            text[tokens[i + size - 1].end + 1 : tokens[i + size - 1].end + 2].isalpha()
        ):
            continue  # part of a name or an address
        folded = printed.casefold()
        weak = size == 1 and (len(printed) <= 4 or folded in _WORDS)
        if weak and folded in _WORDS and printed != label:
            continue
        if weak and printed.islower() and not _year_follows(text, tokens, i + 1):
            continue
        return size, venue, weak
    return None


def _year_follows(text: str, tokens: list[_Token], i: int) -> bool:
    if i >= len(tokens) or not tokens[i].folded.isdigit():
        return False
    return bool(_SHORT_GAP.match(text[tokens[i - 1].end : tokens[i].start])) and len(tokens[i].folded) in (2, 4)


def _with_year(text: str, tokens: list[_Token], first: int, after: int, venue: Venue) -> Mention:
    start, end = tokens[first].start, tokens[after - 1].end
    if venue.kind == "preprint":
        match = _ARXIV_ID.match(text, end)
        if match:
            stop = match.end()
            stated = _YEAR.match(text, stop + len(text[stop : stop + 9]) - len(text[stop : stop + 9].lstrip(" (,[")))
            year = int(stated.group()) if stated else arxiv_year(match.group(1))
            return Mention(start, stop, venue, start, end, year)
    i = after
    while i < len(tokens) and i - after <= 8:
        token = tokens[i]
        between = text[end : token.start]
        if "\n" in between or "|" in between:
            break
        if token.folded.isdigit():
            if len(token.folded) == 4 and 1950 <= int(token.folded) <= 2039 and _GAP.match(between):
                return Mention(start, token.end, venue, start, end, int(token.folded))
            if len(token.folded) == 2 and i == after and _SHORT_GAP.match(between) and not _NO_YEAR.match(text, token.end):
                return Mention(start, token.end, venue, start, end, _full_year(int(token.folded)))
        elif token.folded not in NOISE:
            break
        i += 1
    before = tokens[first - 1] if first else None
    if before is not None and len(before.folded) == 4 and before.folded.isdigit():
        year = int(before.folded)
        if 1950 <= year <= 2039 and not text[before.end : start].strip(" ,{"):
            return Mention(before.start, end, venue, start, end, year)
    return Mention(start, end, venue, start, end, None)


def _full_year(short: int) -> int:
    return 2000 + short if short < 40 else 1900 + short


def _alone(text: str, start: int, end: int) -> bool:
    """Whether a range fills its brackets, or the text between separators."""
    left, right = text[:start].rstrip(" *"), text[end:].lstrip(" *.")
    opened = not left or left[-1] in "([（【|.,\n\0"
    closed = not right or right[0] in ")]）】|,;\n\0"
    return opened and closed


def arxiv_year(identifier: str) -> int | None:
    """The year that an arXiv id states: 1404.5997 is of 2014, hep-th/9901001 of 1999."""
    digits = identifier.partition("/")[2] or identifier
    if len(digits) < 4 or not digits[:4].isdigit() or not 1 <= int(digits[2:4]) <= 12:
        return None
    return _full_year(int(digits[:2])) if "/" in identifier else 2000 + int(digits[:2])
