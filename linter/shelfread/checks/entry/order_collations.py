"""The usual ways to sort names: what each ignores, and what it puts first."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from shelfread.core.diagnostics import Span
from shelfread.core.support.regex import lazy

_MARKS = lazy(r"[\W_]+")
_ARTICLE = lazy(r"(?:the|an?) (?=.)")
_ACCENTS = lazy(r"[\u0300-\u036f]+")
_DIGITS = lazy(r"\d+")
_DATED = lazy(r"\W*\d{4}\b")
_LATIN_END = 0x250
_WIDTH = 12
_LONGEST = 48
"""So much of a line is compared."""


# As locales sort: `_` and `-`, then the other marks, then digits, then letters.
_MARKS_FIRST = {ord(mark): 1 + place for place, mark in enumerate("_-,;:!?./`^~'\"()[]{}@$*\\&#%+<=>|")}


def is_latin(title: str) -> bool:
    """Whether a title begins in Latin letters or digits: other scripts are not sorted by code point."""
    if "0" <= title[:1] <= "z" and title[0].isalnum():
        return True
    for char in title[:20]:
        if char.isalnum():
            return ord(char) < _LATIN_END
    return False


def fold(title: str) -> str:
    """A title without case and accents."""
    if title.isascii():
        return title.lower()
    return _ACCENTS.sub("", unicodedata.normalize("NFKD", title.casefold()))


def plain_keys(titles: Sequence[str], heads: Sequence[Span], text: str) -> Iterator[list[str]]:
    """The keys of entries under the collations that a person would try: titles and lines, with marks and without."""
    folded = [fold(title) for title in titles]
    yield folded
    yield [_MARKS.sub(" ", title).strip() for title in folded]
    yield [title.translate(_MARKS_FIRST) for title in folded]
    yield [_MARKS.sub("", title) for title in folded]
    lines = [fold(text[start : min(end, start + _LONGEST)]) for start, end in heads]
    yield [_MARKS.sub(" ", line).strip() for line in lines]
    yield [line.translate(_MARKS_FIRST) for line in lines]


def collations(titles: Sequence[str], heads: Sequence[Span], text: str) -> Iterator[list[str]]:
    """The keys of entries under each collation, the commonest first; `heads` are their lines in the text."""
    folded = [fold(title) for title in titles]
    yield folded
    words = [title if title.isalnum() else _MARKS.sub(" ", title).strip() for title in folded]
    yield words
    yield [word.replace(" ", "") for word in words]
    yield [_ARTICLE.sub("", word, count=1) if word[:1] in "at" else word for word in words]
    if any(map(_DIGITS.search, words)):
        yield [_DIGITS.sub(lambda match: match[0].zfill(_WIDTH), word) for word in words]
    yield [("0" if title[:1].isalpha() else "1" if title[:1].isalnum() else "2") + title for title in folded]
    yield list(titles)
    lines = [text[start : min(end, start + _LONGEST)] for start, end in heads]
    if sum(1 for line in lines if _DATED.match(line)) * 10 > len(lines):
        return
    words = [_MARKS.sub(" ", fold(line)).strip() for line in lines]
    yield words
    yield [word.replace(" ", "") for word in words]
    # A list sorted by a tool that sorts lines: its brackets and marks count.
    yield [line.lower() for line in lines]
    yield [line.upper() for line in lines]
    yield [line.lower().translate(_MARKS_FIRST) for line in lines]
    yield list(lines)
