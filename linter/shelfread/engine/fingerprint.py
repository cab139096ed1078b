"""What makes a finding the same one in another state of the list: never a line's number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import NamedTuple, TypeVar

from shelfread.core.diagnostics import Diagnostic
from shelfread.core.support.regex import lazy
from shelfread.document.identity.keys import fold_title, identity_keys
from shelfread.document.model import Document, Entry

_NUMBERS = lazy(r"\d+(?:[.,]\d+)*")
_LONGEST = 120
_ONE = TypeVar("_ONE")


class Fingerprint(NamedTuple):
    """A rule, the entry that it speaks of (empty outside of any), the text of the place, and its words.

    `text` is empty where it speaks of the whole entry, outside of entries it begins with the line's;
    in `message` a `#` stands for each number: those of lines, and how many entries do otherwise.
    """

    rule: str
    entry: str
    text: str
    message: str

    @property
    def place(self) -> Fingerprint:
        """What is left when other entries change: of an entry, its rule and place; else all."""
        return self._replace(message="") if self.entry else self


def fingerprints(document: Document, found: Sequence[Diagnostic]) -> list[Fingerprint]:
    """The fingerprint of each finding in a document."""
    entries = _entries(document, found)
    return [_fingerprint(document, one, entry) for one, entry in zip(found, entries, strict=True)]


def split(
    found: Iterable[tuple[Fingerprint, _ONE]], stock: Counter[Fingerprint]
) -> tuple[list[_ONE], list[_ONE]]:
    """Findings that are not known, and those that are, in order; each known one stands for one, and goes.

    Those of the very same words are matched first; where there are too few, the first of `found` are known.
    """
    found = list(found)
    matched = []
    for print, _ in found:
        matched.append(stock[print] > 0)
        stock[print] -= matched[-1]
    places: dict[Fingerprint, list[Fingerprint]] = {}
    for print, count in stock.items():
        if count > 0:
            places.setdefault(print.place, []).append(print)
    new: list[_ONE] = []
    old: list[_ONE] = []
    for (print, one), same in zip(found, matched, strict=True):
        others = places.get(print.place, []) if not same else []
        if others:
            stock[others[-1]] -= 1
            if not stock[others[-1]]:
                others.pop()
            same = True
        (old if same else new).append(one)
    return new, old


def _entries(document: Document, found: Sequence[Diagnostic]) -> list[Entry | None]:
    """The innermost entry around each finding."""
    around: list[Entry | None] = [None] * len(found)
    entries = sorted(document.entries, key=lambda entry: (entry.span.start, -entry.span.end))
    stack: list[Entry] = []
    at = 0
    for index in sorted(range(len(found)), key=lambda index: found[index].span.start):
        start = found[index].span.start
        while at < len(entries) and entries[at].span.start <= start:
            while stack and stack[-1].span.end <= entries[at].span.start:
                stack.pop()
            stack.append(entries[at])
            at += 1
        while stack and stack[-1].span.end <= start:
            stack.pop()
        around[index] = stack[-1] if stack else None
    return around


def _fingerprint(document: Document, one: Diagnostic, entry: Entry | None) -> Fingerprint:
    text = document.source.text
    said = _NUMBERS.sub("#", one.message)
    name = _name(entry) if entry is not None else ""
    if entry is not None and name:
        place = "" if one.span == entry.title.span else text[slice(*one.span)]
    else:
        line = document.source.lines[document.source.line_at(one.span.start)]
        place = f"{line} {text[slice(*one.span)]}" if line.strip() != text[slice(*one.span)] else line
    return Fingerprint(one.rule, name, _brief(place), _brief(said))


def _name(entry: Entry) -> str:
    title = fold_title(entry.title.value)
    keys = identity_keys(entry, title)
    return _brief(keys[0] if keys else f"title:{title}" if title else "")


def _brief(text: str) -> str:
    """A text without its blanks' forms; of a long one the beginning, and what tells it from others."""
    text = " ".join(text.split())
    if len(text) <= _LONGEST:
        return text
    digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{text[: _LONGEST - 16]}... {digest}"
