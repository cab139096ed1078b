"""An index of the spellings of all venues, for finding them in text."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from shelfread.core.support.named_tuple import NamedTuple
from shelfread.core.support.regex import lazy
from shelfread.taxonomy.vocabulary import Venue, Vocabulary

TOKEN = lazy(r"[^\W\d_]+|\d+")
_LETTERS = {code: " " for code in range(128) if not chr(code).isalpha()}


class Spelling(NamedTuple):
    """A label of a venue, as case-folded words and as written."""

    words: list[str]
    label: str
    venue: Venue


class VenueIndex:
    """The spellings of all venues by their first word, longest first, and a fast test for texts without any."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.spellings: dict[str, list[Spelling]] = {}
        self.words: set[str] = set()  # labels of one word
        self.pairs: set[tuple[str, str]] = set()  # the first two words of longer labels
        self.firsts: set[str] = set()  # the first words of longer labels
        self._beside_numbers: set[str] = set()  # words in a label with a number: `3 DV`
        self._numbered = False  # whether a label has numbers only
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
            self._beside_numbers.update(word for word in words if word.isalpha())
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
        """Return True if a text surely names no venue."""
        if text.isascii() and not self._numbered:
            # Words without the numbers between them are found faster.
            words = text.lower().translate(_LETTERS).split()
            if self._beside_numbers.isdisjoint(words) and self._are_none(words):
                return True
        return self._are_none(TOKEN.findall(text.casefold()))

    def _are_none(self, words: list[str]) -> bool:
        return self.words.isdisjoint(words) and (
            self.firsts.isdisjoint(words) or self.pairs.isdisjoint(pairwise(words))
        )


@lru_cache(maxsize=8)
def venue_index(vocabulary: Vocabulary) -> VenueIndex:
    """Return the vocabulary's index (cached)."""
    return VenueIndex(vocabulary)
