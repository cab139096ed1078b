"""Every way to write a venue, by its first word: what finding venues in a text looks up."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from shelfread.core.support.regex import lazy
from shelfread.taxonomy.vocabulary import Venue, Vocabulary

TOKEN = lazy(r"[^\W\d_]+|\d+")
_LETTERS = {code: " " for code in range(128) if not chr(code).isalpha()}


class Spelling(NamedTuple):
    """One label of a venue, as folded words and as it is written."""

    words: list[str]
    label: str
    venue: Venue


class VenueIndex:
    """Every venue's labels by their first word, the longest first; and what a text must have to name one."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.spellings: dict[str, list[Spelling]] = {}
        self.words: set[str] = set()
        self.pairs: set[tuple[str, str]] = set()
        self.firsts: set[str] = set()
        self._hints: set[str] = set()  # words that stand beside a number in a label: `3 DV`
        self._numbered = False  # whether a label is but numbers
        for venue in vocabulary.venues.values():
            for label in venue.labels:
                self._add(label, venue)
        for spellings in self.spellings.values():
            spellings.sort(key=lambda spelling: -len(spelling.words))

    def _add(self, label: str, venue: Venue) -> None:
        words = [word.casefold() for word in TOKEN.findall(label)]
        if not words:
            return
        if any(map(str.isdigit, words)):
            self._hints.update(word for word in words if word.isalpha())
            self._numbered = self._numbered or not any(map(str.isalpha, words))
        self.spellings.setdefault(words[0], []).append(Spelling(words, label, venue))
        if len(words) == 1:
            self.words.add(words[0])
            return
        self.pairs.add((words[0], words[1]))
        self.firsts.add(words[0])
        joined = "".join(words)
        if len(joined) <= 8:  # ACMMM20 is ACM MM 20
            self.spellings.setdefault(joined, []).append(Spelling([joined], joined, venue))
            self.words.add(joined)

    def names_no_venue(self, text: str) -> bool:
        """Whether a text surely names no venue."""
        if (
            text.isascii()
            and not self._numbered
            and self._has_no_word(text.lower().translate(_LETTERS).split())
        ):
            return True
        words = TOKEN.findall(text.casefold())
        if not self.words.isdisjoint(words):
            return False
        return self.firsts.isdisjoint(words) or self.pairs.isdisjoint(pairwise(words))

    def _has_no_word(self, words: list[str]) -> bool:
        """The same by letters alone, which are found faster; it holds for the text with its numbers too."""
        if not (self.words.isdisjoint(words) and self._hints.isdisjoint(words)):
            return False
        return self.firsts.isdisjoint(words) or self.pairs.isdisjoint(pairwise(words))


@lru_cache(maxsize=8)
def venue_index(vocabulary: Vocabulary) -> VenueIndex:
    """The vocabulary's index, made once."""
    return VenueIndex(vocabulary)
