"""The usual ways to sort names."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy

_MARKS = lazy(r"[\W_]+")
_ARTICLE = lazy(r"(?:the|an?) (?=.)")
_ACCENTS = lazy(r"[\u0300-\u036f]+")
_DIGITS = lazy(r"\d+")
_DATED = lazy(r"\W*\d{4}\b")
_LATIN_END = 0x250
_WIDTH = 12
_LONGEST = 48
"""Characters of a line that are compared."""

# As locales sort: `_` and `-`, then other punctuation, digits, letters.
_MARKS_FIRST = {ord(mark): 1 + index for index, mark in enumerate("_-,;:!?./`^~'\"()[]{}@$*\\&#%+<=>|")}
# As JavaScript's localeCompare sorts: blanks before all of these.
_BLANKS_FIRST = {**_MARKS_FIRST, ord(" "): 0}
# Letters that NFKD leaves as they are.
_BASE_LETTERS = str.maketrans(
    {"đ": "d", "ł": "l", "ø": "o", "ı": "i", "ħ": "h", "ŧ": "t", "æ": "ae", "œ": "oe"}
)


def is_latin(title: str) -> bool:
    """Return whether a title begins in Latin script or with a digit: other scripts are not sorted by code point."""
    if "0" <= title[:1] <= "z" and title[0].isalnum():
        return True
    for char in title[:20]:
        if char.isalnum():
            return ord(char) < _LATIN_END
    return False


def fold(title: str) -> str:
    """Return a title without case, accents and strokes."""
    if title.isascii():
        return title.lower()
    return _ACCENTS.sub("", unicodedata.normalize("NFKD", title.casefold())).translate(_BASE_LETTERS)


def plain_keys(titles: Sequence[str], lines: Sequence[Span], text: str) -> Iterator[list[str]]:
    """Yield sort keys of titles and `lines` of entries under the collations that people use, with and without punctuation."""
    folded = [fold(title) for title in titles]
    yield folded
    yield [_MARKS.sub(" ", title).strip() for title in folded]
    yield [title.translate(_MARKS_FIRST) for title in folded]
    yield [title.translate(_BLANKS_FIRST) for title in folded]
    yield [_MARKS.sub("", title) for title in folded]
    if not all(map(str.isascii, titles)):
        yield [title.casefold() for title in titles]  # letters of their own: `cơ` after `core`
    starts = [fold(text[start : min(end, start + _LONGEST)]) for start, end in lines]
    yield [_MARKS.sub(" ", start).strip() for start in starts]
    yield [start.translate(_MARKS_FIRST) for start in starts]


def collations(titles: Sequence[str], lines: Sequence[Span], text: str) -> Iterator[list[str]]:
    """Yield sort keys of entries under each collation, the commonest first; `lines` are their lines in the text."""
    folded = [fold(title) for title in titles]
    yield from title_keys(titles, folded)
    starts = [text[start : min(end, start + _LONGEST)] for start, end in lines]
    if sum(1 for start in starts if _DATED.match(start)) * 10 > len(starts):
        return
    words = [_MARKS.sub(" ", fold(start)).strip() for start in starts]
    yield words
    yield [word.replace(" ", "") for word in words]
    # A tool that sorts lines compares brackets and punctuation, too.
    yield [start.lower() for start in starts]
    yield [start.upper() for start in starts]
    yield [start.lower().translate(_MARKS_FIRST) for start in starts]
    yield starts


def title_keys(titles: Sequence[str], folded: Sequence[str]) -> Iterator[list[str]]:
    """Yield sort keys of titles, `folded` by `fold`, under each collation that compares titles."""
    yield list(folded)
    words = [title if title.isalnum() else _MARKS.sub(" ", title).strip() for title in folded]
    yield words
    yield [word.replace(" ", "") for word in words]
    yield [_ARTICLE.sub("", word, count=1) if word[:1] in "at" else word for word in words]
    if any(map(_DIGITS.search, words)):
        yield [_DIGITS.sub(lambda match: match[0].zfill(_WIDTH), word) for word in words]
    yield [title.translate(_BLANKS_FIRST) for title in folded]
    yield [("0" if title[:1].isalpha() else "1" if title[:1].isalnum() else "2") + title for title in folded]
    yield list(titles)
