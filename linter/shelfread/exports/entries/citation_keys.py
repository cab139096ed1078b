"""Keys by which a document cites an entry: `huang2019gpipe`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, product
from string import ascii_lowercase
from unicodedata import normalize
from zlib import crc32

from shelfread.core.support.regex import lazy
from shelfread.exports.entries.reference import Reference

_LETTERS = lazy(r"[a-z0-9]+")
_APOSTROPHES = lazy(r"['’‐‑-]")
_UNDECOMPOSED = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th"}
)
_STOP_WORDS = frozenset(
    """a an the on in of for from to and or with without via by as at is are be can do does how what why when where which who
    towards toward using into over under between its their your our""".split()
)
_MOST = 24
"""A longer part of a key is cut."""


class CitationKeys:
    """Gives each reference a key of its own, in order: of equal keys the second gets an `a`, the third a `b`.

    So entries that are added below, or that share no key, change no key that is used already.
    """

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._suffixes: dict[str, Iterator[str]] = {}

    def next(self, reference: Reference) -> str:
        """Return the key of the next reference."""
        base = key = base_key(reference)
        while key in self._taken:
            key = base + next(self._suffixes.setdefault(base, _suffixes()))
        self._taken.add(key)
        return key


def base_key(reference: Reference) -> str:
    """Return first author, year and first word of the title; without an author two words of the title."""
    year = "" if reference.year is None else str(reference.year)
    words = [word for word in _words(reference.title) if word not in _STOP_WORDS and not word.isdigit()]
    author = "".join(_words(reference.authors[0].family)) if reference.authors else ""
    first, second = (author, *words[:1], "")[:2] if author else (*words[:2], "", "")[:2]
    if not first:
        return f"entry{year}{crc32(reference.title.encode()):08x}"
    return f"{first[:_MOST]}{year}{second[:_MOST]}"


def _words(text: str) -> list[str]:
    """Return the words of a text in small ASCII letters and digits; letters of other scripts have none."""
    folded = normalize("NFKD", text.casefold().translate(_UNDECOMPOSED)).encode("ascii", "ignore").decode()
    words: list[str] = _LETTERS.findall(_APOSTROPHES.sub("", folded))
    return words


def _suffixes() -> Iterator[str]:
    """Yield a, b, ... z, aa, ab ..."""
    return ("".join(letters) for length in count(1) for letters in product(ascii_lowercase, repeat=length))
