"""Words and labels of concepts in running text, such as titles and descriptions."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from shelfread.core.support.regex import lazy
from shelfread.taxonomy.common_words import FIELDS, JOINING, PLAIN, PREPOSITIONS, TREATMENTS
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
    is_general: bool = False
    """Whether it says too little alone: `Evaluation`, `System`, `AI`."""
    label: Label | None = None
    """The label that is this word."""
    begins: bool = False
    """Whether longer labels begin with it."""


class LabelMention(NamedTuple):
    """A label that a text contains, and the words that are it."""

    label: Label
    words: str


class Reader:
    """Reads many texts, and finds labels in them in linear time whatever the number of labels."""

    def __init__(self, labels: Labels) -> None:
        self._words = _Words(labels)

    def words(self, text: str) -> list[Word]:
        """Return the words of a text and the signs between them."""
        return list(map(self._words.__getitem__, _split(text)[:_MAX_TOKENS]))

    def labels(self, words: Sequence[Word]) -> Iterator[LabelMention]:
        """Yield the labels in a text from left to right, the longest at each place, without overlaps."""
        after = 0
        for start, word in enumerate(words):
            if start < after or not (word.begins or word.label is not None):
                continue
            label, end = self._longest(words, start) if word.begins else (word.label, start + 1)
            if label is not None:
                after = end
                written = (each.written for each in words[start:end])
                yield LabelMention(label, " ".join(written) if end > start + 1 else word.written)

    def _longest(self, words: Sequence[Word], start: int) -> tuple[Label | None, int]:
        known = self._words
        label, end = words[start].label, start + 1
        key, stem_key = words[start].singular, words[start].stem
        for index in range(start + 1, len(words)):
            word = words[index]
            if not word.is_word:
                break
            key += word.singular
            stem_key += word.stem
            longer = known.labels.find_key(key, stem_key)
            if longer is not None:
                label, end = longer, index + 1
            if not _begins(known.keys_of_words, key) and not _begins(known.keys_of_stems, stem_key):
                break
        return label, end


class _Words(dict[str, Word]):
    """What is compared of each token that was met."""

    def __init__(self, labels: Labels) -> None:
        self.labels = labels
        self.keys_of_words, self.keys_of_stems = labels.sorted_keys()

    def __missing__(self, token: str) -> Word:
        word = self[token] = self._word(token)
        return word

    def _word(self, token: str) -> Word:
        if not is_word(token):
            return Word(token, token, "", False, True)
        one, root = singular(token), stem(token)
        if token in PREPOSITIONS or token in JOINING:
            return Word(token, one, root, True, True)
        begins = _begins(self.keys_of_words, one) or _begins(self.keys_of_stems, root)
        is_general = token in TREATMENTS or token in FIELDS
        # The stem of a single word is that of too many others.
        label = None if is_general else self.labels.find_key(one, "")
        return Word(token, one, root, True, token in _SILENT, is_general, label, begins)


def _split(text: str) -> list[str]:
    """Return the tokens of a text: quickly if it has no signs that are spelled out, such as those of C++ and .NET."""
    if text.isascii() and not any(sign in text for sign in "+#[<:"):
        return _ASCII_WORD.findall(text.lower())
    return tokens(text)


def _begins(keys: Sequence[str], prefix: str) -> bool:
    """Return whether any of some sorted keys begins with a prefix."""
    index = bisect_left(keys, prefix)
    return index < len(keys) and keys[index].startswith(prefix)
