"""Find entries in raw lines of a list by what identifies them: addresses, identifiers and titles.

The lines of a commit are too many to read each as a list, and without the lines around them they cannot always be read.
What identifies an entry stands in its lines as it is, whatever the style of the list.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from html import unescape
from itertools import accumulate

from shelfread.changes.listed import ListedEntry
from shelfread.core.patterns import lazy
from shelfread.document.identity import PAPER_IDS, fold_title, fold_url, identify

_URL = lazy(r"(?i)https?://[^\s<>\"\]|\\`]{1,2000}")
_TARGET = lazy(r"\]\([^\s()]*(?:\([^\s()]*\)[^\s()]*)*\)|</?[a-zA-Z][^<>]{0,500}>")
_BACKSLASH = lazy(r"\\(?=[!-/:-@\[-`{-~])")
_PARENTHESIS = lazy(r"[()]")
_MARKER = lazy(r"\s*(?:[-*+>|]\s*|\d+[.)]\s+)*")
_PIECES = lazy(r"[|\"“”]|:[a-z0-9_+-]{2,30}:")
_GRAM = 12  # titles are found by their first letters; those that identify an entry have more
_NEAR = 2  # a word of a title is looked for in so many lines before and after its address


class Signs:
    """What identifies some entries, each given by a number; grows as older forms of them become known."""

    def __init__(self) -> None:
        self._keys: dict[str, int] = {}
        self._words: dict[str, dict[str, int]] = {}
        self._titles: dict[str, int] = {}
        self._lengths: dict[str, list[int]] = {}
        self._starts: dict[str, int] = {}
        self._start_lengths: list[int] = []
        self._ids: dict[int, set[str]] = {}
        self._lines: dict[str, int] = {}

    def find_known(self, entry: ListedEntry) -> int | None:
        """Return the number of the entry that has a key of this one, or None."""
        for key in entry.keys or (_start_key(entry),):
            number = self._titles.get(key[6:]) if key.startswith("title:") else self._keys.get(key)
            if number is not None:
                return number
        return None

    def add(self, number: int, entry: ListedEntry) -> None:
        """Add what identifies an entry; a sign of another one stays that one's. Its line as it stands always does."""
        self._lines.setdefault(entry.document.source.lines[entry.entry.line - 1].strip(), number)
        for key in entry.keys or (_start_key(entry),):
            kind, _, value = key.partition(":")
            self._keys.setdefault(key, number)
            if kind == "title":
                self._add_title(value, number)
            elif kind == "start":
                if value and self._starts.setdefault(value, number) == number:
                    self._start_lengths = sorted({*self._start_lengths, len(value)}, reverse=True)
            elif kind == "url" and " " in value:
                url, _, word = value.rpartition(" ")
                self._words.setdefault(url, {}).setdefault(word, number)
            elif kind in PAPER_IDS:
                self._ids.setdefault(number, set()).add(key)

    def _add_title(self, title: str, number: int) -> None:
        if len(title) >= _GRAM and self._titles.setdefault(title, number) == number:
            lengths = self._lengths.setdefault(title[:_GRAM], [])
            if len(title) not in lengths:
                lengths.append(len(title))
                lengths.sort(reverse=True)

    def find(self, lines: Sequence[str]) -> dict[int, int]:
        """Return the entries that some lines of one place state, each with the index of its first line."""
        first_lines: dict[int, int] = {}
        keys = [set(_keys_in(line)) for line in lines]
        plain = [_plain(line) for line in lines]
        folded = [fold_title(line) for line in plain]
        squashed = [line.replace(" ", "") for line in folded]
        for index, here in enumerate(keys):
            for key in here:
                if (number := self._keys.get(key)) is not None:
                    first_lines.setdefault(number, index)
                if key[4:] in self._words:
                    words = self._words[key[4:]]
                    near = " ".join(folded[max(index - _NEAR, 0) : index + _NEAR + 1]).split()
                    for number in {words[word] for word in near if word in words}:
                        first_lines.setdefault(number, index)
        for number, index in self._find_titles(squashed):
            if not self._is_another(number, keys[index]):
                first_lines[number] = min(index, first_lines.get(number, index))
        for index, line in enumerate(lines):
            if (number := self._lines.get(line.strip())) is not None:
                first_lines.setdefault(number, index)
        for index, line in enumerate(plain if self._starts else ()):
            for number in map(self._find_start, _PIECES.split(line)):
                if number is not None:
                    first_lines.setdefault(number, index)
        return first_lines

    def _find_start(self, piece: str) -> int | None:
        """Return the entry with whose title a line begins, or one of its cells or quotations."""
        text = fold_title(_MARKER.sub("", piece, count=1)).replace(" ", "")
        numbers = (self._starts.get(text[:length]) for length in self._start_lengths)
        return next((number for number in numbers if number is not None), None)

    def _find_titles(self, squashed: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Yield the entries whose titles stand in the lines, the longest where several begin, and the lines."""
        text = "".join(squashed)
        starts = [0, *accumulate(map(len, squashed))]
        position, end = 0, len(text) - _GRAM
        while position <= end:
            for length in self._lengths.get(text[position : position + _GRAM], ()):
                number = self._titles.get(text[position : position + length])
                if number is not None:
                    yield number, bisect_right(starts, position) - 1
                    position += length - 1
                    break
            position += 1

    def _is_another(self, number: int, keys: Iterable[str]) -> bool:
        """Return whether a line with an entry's title is that of another paper, whose title only contains it."""
        own = self._ids.get(number, set())
        kinds = {key.partition(":")[0] for key in own}
        others = {key for key in keys if key.partition(":")[0] in kinds}
        return bool(others) and own.isdisjoint(others)


def _keys_in(line: str) -> Iterator[str]:
    if "://" not in line:
        return
    for match in _URL.finditer(_BACKSLASH.sub("", unescape(line) if "&" in line else line)):
        url = _before_unpaired(match[0])
        for written in {url, url.rstrip(".,;:!?*'_~")}:  # in text, or as a destination
            yield f"url:{fold_url(written)}"
            for kind, value in identify(written).items():
                yield f"{kind}:{value.lower()}"
                if kind == "doi" and value.startswith("10.18653/v1/"):
                    yield f"acl:{value[12:].lower()}"


def _before_unpaired(url: str) -> str:
    """Return the part of a URL before a `)` that has no partner in it: that of `[label](url)`."""
    depth = 0
    for match in _PARENTHESIS.finditer(url):
        depth += 1 if match[0] == "(" else -1
        if depth < 0:
            return url[: match.start()]
    return url


def _plain(line: str) -> str:
    """Return a line without addresses of links, tags and escapes."""
    text = _TARGET.sub("]", line) if "](" in line or "<" in line else line
    return unescape(text) if "&" in text else text


def _start_key(entry: ListedEntry) -> str:
    """Return the key of an entry that has neither an address nor a long title: what its line begins with."""
    return f"start:{entry.title.replace(' ', '')}"
