"""Mends words that a PDF broke (ligatures, hyphens, lost blanks) if the vocabulary or the document has the whole word."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.taxonomy.label_forms import singular
from shelfread.taxonomy.vocabulary import Vocabulary

_LIGATURES = {
    "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "\u00a0": " ", "\u2009": " ", "\u202f": " ",
}  # fmt: skip
_ODD = lazy("|".join(_LIGATURES))
_SOFT_HYPHEN = lazy("\u00ad(?!\\s)")
_WORD = lazy(r"[^\W\d_]+(?:[-‐‑][^\W\d_]+)*")
# `process- ing`, `Large- Scale`: the hyphen of a line's end, and the blank that was its line break.
_BROKEN = lazy(
    r"(?<![^\W\d_])(?P<before>[^\W\d_]+)(?P<hyphen>[-‐\u00ad])(?:[ \t]*\n[ \t]*|\s)(?P<after>[^\W\d_]+)"
)
_HYPHENS = ("-", "‐", "\u00ad")
_TOKEN = lazy(r"\S+")
_GLUED = lazy(r"[^\W\d_]{2}(?:[:,;.?!][^\W\d_]|[^\W\d_]{22})")
_LETTERS = lazy(r"[^\W\d_]+")
_AFTER_MARK = lazy(r"(?<=[^\W\d_]{2}[:,;])(?=[^\W\d_]{2})|(?<=[a-z]{2}[.?!])(?=[A-Z][a-z])")
_LONG = 10  # a run of letters with at least so many may be several words
_MAX_WORD = 24


class Words(NamedTuple):
    """The words that a mended word must be one of: those of the vocabulary, with their rank, and of the document."""

    ranks: dict[str, int]
    document: frozenset[str]

    def has(self, word: str) -> bool:
        """Return whether a word, or its singular, is known."""
        word = word.casefold()
        return word in self.document or word in self.ranks or (len(word) > 4 and singular(word) in self.ranks)


@cache
def _ranks() -> dict[str, int]:
    lines = Path(__file__).with_name("words.txt").read_text(encoding="utf-8").splitlines()
    words = (word for line in lines if not line.startswith("#") for word in line.split())
    return {word: rank for rank, word in enumerate(words)}


def words_of(text: str, vocabulary: Vocabulary) -> Words:
    """Return the known words for a document: those of its own that no line break parted, and of venues, count too."""
    whole = _BROKEN.sub(" ", text) if any(hyphen in text for hyphen in _HYPHENS) else text
    counted = (match[0].casefold() for match in islice(_WORD.finditer(whole), 400_000))
    own = {word for word in counted if 3 < len(word) <= _MAX_WORD}
    return Words(_ranks(), frozenset(own | _venue_words(vocabulary)))


@lru_cache(maxsize=8)
def _venue_words(vocabulary: Vocabulary) -> frozenset[str]:
    labels = (label for venue in vocabulary.venues.values() for label in venue.labels)
    return frozenset(
        match[0].casefold() for label in labels for match in _WORD.finditer(label) if len(match[0]) > 3
    )


def straighten(text: str) -> str:
    """Return a text without ligatures, soft hyphens and odd blanks; no line is added or removed."""
    if text.isascii():
        return text
    text = _ODD.sub(lambda match: _LIGATURES[match[0]], text)
    return _SOFT_HYPHEN.sub("", text)


def join_broken(text: str, words: Words) -> tuple[str, bool]:
    """Return a text whose words that a line break parted are whole, and whether all of them are proved."""
    if not any(hyphen in text for hyphen in _HYPHENS):
        return text, True
    proved = True

    def join(match: re.Match[str]) -> str:
        nonlocal proved
        before, after = match["before"], match["after"]
        joined = _joined(before, after, text, match, words)
        if joined is None:
            proved = False
            return match[0]
        return joined

    return _BROKEN.sub(join, text), proved


def _joined(before: str, after: str, text: str, match: re.Match[str], words: Words) -> str | None:
    """Return the word or the compound that two parts are; None if neither is proved."""
    compound = f"{before}-{after}"
    if match["hyphen"] == "\u00ad":
        return before + after
    if after in ("and", "or", "to", "und"):
        return None  # pre- and post-training
    if not after.islower():
        if before.isupper() and after.isupper() and (before + after).casefold() in words.document:
            return before + after
        return compound if before.casefold() != after.casefold() else None
    joined, folded = before + after, compound.casefold()
    if folded in words.document:
        return compound
    if joined.casefold() in words.document:
        return joined
    if folded in words.ranks:
        return compound
    if words.has(joined):
        return joined
    start = match.start("before")
    if text[start - 1 : start] == "-" and words.has(after) and words.has(before):
        return compound  # state-of- the
    if len(before) > 1 and words.has(before) and words.has(after):
        return compound
    return None


def part_glued(text: str, words: Words) -> tuple[str, bool]:
    """Return a text with the blanks that a line lost for certain, and whether all its words are known: `Tsplit:Fine-grainedmemory`."""
    proved = True

    def part(match: re.Match[str]) -> str:
        nonlocal proved
        token = match[0]
        if len(token) < _LONG or _GLUED.search(token) is None:
            return token
        if "://" in token or "@" in token or token.startswith(("doi:", "arXiv:", "www.")):
            return token
        token = _AFTER_MARK.sub(" ", token)
        parted = _LETTERS.sub(lambda run: " ".join(_parted(run[0], words) or [run[0]]), token)
        proved = proved and all(words.has(word) or len(word) < _LONG for word in _LETTERS.findall(parted))
        return parted

    return _TOKEN.sub(part, text), proved


def _parted(run: str, words: Words) -> list[str] | None:
    """Return the fewest known words that a run of letters is, the frequent ones first; None for one word, and for none."""
    folded = run.casefold()
    if len(folded) != len(run) or not _LONG <= len(run) <= 400 or words.has(run):
        return None
    best: list[tuple[int, int, int] | None] = [(0, 0, 0)] + [None] * len(run)
    for end in range(1, len(run) + 1):
        for start in range(max(0, end - _MAX_WORD), end):
            before = best[start]
            if before is None:
                continue
            rank = _rank(folded[start:end], words)
            if rank is None:
                continue
            way = (before[0] + 1, before[1] + rank, start)
            if best[end] is None or way < best[end]:  # type: ignore[operator]
                best[end] = way
    parts: list[str] = []
    end = len(run)
    while end and (step := best[end]) is not None:
        parts.append(run[step[2] : end])
        end = step[2]
    return parts[::-1] if not end and len(parts) > 1 else None


def _rank(word: str, words: Words) -> int | None:
    if len(word) == 1:
        return 40 if word == "a" else None
    rank = words.ranks.get(word)
    if rank is not None:
        return rank if len(word) > 2 or rank < 400 else None
    return len(words.ranks) if len(word) > 4 and word in words.document else None
