"""Words and labels of concepts in running text, such as titles and descriptions."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from shelfread.core.support.regex import lazy
from shelfread.taxonomy.common_words import JOINING, PLAIN, PREPOSITIONS
from shelfread.taxonomy.labels import Label, Labels
from shelfread.taxonomy.words import is_word, singular, stem, tokens

_ASCII_WORD = lazy(r"[a-z0-9]+|[^\sa-z0-9_'`*~-]")
_SILENT = PREPOSITIONS | JOINING | PLAIN | frozenset("a an the you your all no or we i".split())
_MAX_TOKENS = 80
"""Of a text; what comes later is seldom its subject."""


class Word(NamedTuple):
    """A token of a text, and what is compared of it."""

    written: str
    """In lower case; the signs between words are tokens, too."""
    singular: str
    stem: str
    is_word: bool
    is_silent: bool
    """Whether it says nothing about a subject: `of`, `the`, `Efficient`."""
    may_begin: bool
    """Whether a label begins with it."""


class LabelMention(NamedTuple):
    """A label that a text contains, and the words that are it."""

    label: Label
    words: str


class Reader:
    """Reads many texts, and finds labels in them in linear time whatever the number of labels."""

    def __init__(self, labels: Labels) -> None:
        self._labels = labels
        self._keys, self._stem_keys = labels.sorted_keys()
        self._known: dict[str, Word] = {}

    def words(self, text: str) -> list[Word]:
        """Return the words of a text and the signs between them."""
        known, found = self._known, []
        for token in _split(text)[:_MAX_TOKENS]:
            word = known.get(token)
            found.append(word if word is not None else known.setdefault(token, self._word(token)))
        return found

    def labels(self, words: Sequence[Word]) -> Iterator[LabelMention]:
        """Yield the labels in a text from left to right, the longest at each place, without overlaps."""
        start = 0
        while start < len(words):
            end = start + 1
            if words[start].may_begin and (found := self._longest(words, start)) is not None:
                end, label = found
                yield LabelMention(label, " ".join(word.written for word in words[start:end] if word.is_word))
            start = end

    def _word(self, token: str) -> Word:
        if not is_word(token):
            return Word(token, token, "", False, True, False)
        one, root = singular(token), stem(token)
        may_begin = token not in PREPOSITIONS and token not in JOINING
        begins = may_begin and (_begins(self._keys, one) or _begins(self._stem_keys, root))
        return Word(token, one, root, True, token in _SILENT, begins)

    def _longest(self, words: Sequence[Word], start: int) -> tuple[int, Label] | None:
        found = None
        key = stem_key = ""
        for index in range(start, len(words)):
            word = words[index]
            if not word.is_word:
                break
            key += word.singular
            stem_key += word.stem
            # The stem of a single word is that of too many others.
            label = self._labels.find_key(key, stem_key if index > start else "")
            if label is not None:
                found = index + 1, label
            if not _begins(self._keys, key) and not _begins(self._stem_keys, stem_key):
                break
        return found


def _split(text: str) -> list[str]:
    """Return the tokens of a text: quickly if it has no signs that are spelled out, such as those of C++ and .NET."""
    if text.isascii() and not any(sign in text for sign in "+#[<:"):
        return _ASCII_WORD.findall(text.lower())
    return tokens(text)


def _begins(keys: Sequence[str], prefix: str) -> bool:
    """Return whether any of some sorted keys begins with a prefix."""
    index = bisect_left(keys, prefix)
    return index < len(keys) and keys[index].startswith(prefix)
