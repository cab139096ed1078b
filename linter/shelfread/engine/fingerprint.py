"""What makes a finding the same one in another state of the list: never a line's number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import NamedTuple, TypeVar

from shelfread.core.diagnostics import Diagnostic, Span
from shelfread.core.support.regex import lazy
from shelfread.document.identity.keys import fold_title, identity_keys
from shelfread.document.innermost import EntryIndex
from shelfread.document.model import Document, Entry

_NUMBERS = lazy(r"\d+(?:[.,]\d+)*")
_LONGEST = 120
_Finding = TypeVar("_Finding")


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
    index = EntryIndex(document.entries)
    fingerprints = []
    for diagnostic in found:
        start = diagnostic.span.start
        fingerprints.append(_fingerprint(document, diagnostic, index.around(Span(start, start + 1))))
    return fingerprints


def split_known(
    found: Iterable[tuple[Fingerprint, _Finding]], stock: Counter[Fingerprint]
) -> tuple[list[_Finding], list[_Finding]]:
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
    new: list[_Finding] = []
    old: list[_Finding] = []
    for (print, one), same in zip(found, matched, strict=True):
        others = places.get(print.place, []) if not same else []
        if others:
            stock[others[-1]] -= 1
            if not stock[others[-1]]:
                others.pop()
            same = True
        (old if same else new).append(one)
    return new, old


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
