"""How the items of a contents are written: one item edited in the contents' own manner."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple
from urllib.parse import quote

from shelfread.checks.contents.model import Contents, Heading, Item
from shelfread.core.diagnostics import Applicability, Change, Edit, Effect, Span
from shelfread.core.source import Source
from shelfread.core.support.regex import lazy

_PREFIX = lazy(r"([ \t]*)([-*+]|\d{1,9}[.)])([ \t]+)")
_ORNAMENT = lazy(r"(?:[^\w\s`*\[(]+[ \t]+|:\w+:[ \t]*)+")
_SPECIAL = lazy(r"([\\`*_\[\]<>])")
_PLAIN = lazy(r"[^\[\]<>\\\r\n]*")


class Manner(NamedTuple):
    """How an item's line begins: indentation, bullet or number, blanks."""

    indent: str
    bullet: str
    gap: str


class Wording(NamedTuple):
    """How headings are worded in the contents, and whether that is certain; None where no manner shows."""

    word: Callable[[str, str], str]
    applicability: Applicability | None


class Writer:
    """Edits the items of one contents."""

    def __init__(self, source: Source, contents: Contents) -> None:
        self.source = source
        self.contents = contents
        self._wording: Wording | None = None
        self._encodes = any("%" in item.link.url for part in contents.parts for item in part.items)

    def readdressed(self, item: Item, heading: Heading) -> tuple[Edit, ...]:
        """An item that leads to a heading."""
        span, url, after = item.link.destination, item.link.url, self.address(heading)
        if span is None or self.source.text[slice(*span)] != url:
            return ()
        return (Edit(span.start + 1, span.end, after[1:], Effect(Change.DESTINATION, url, after)),)

    def reworded(self, item: Item, heading: Heading) -> tuple[Edit, ...]:
        """An item that has a heading's words."""
        span, words = item.link.text, self.label(heading)
        before = self.source.text[slice(*span)]
        return (Edit(*span, words, Effect(Change.WORDS, before, words)),) if _PLAIN.fullmatch(before) else ()

    def renamed(self, item: Item, heading: Heading) -> tuple[Edit, ...]:
        """An item that leads to a heading and has its words."""
        words, address = self.reworded(item, heading), self.readdressed(item, heading)
        return (*words, *address) if words and address else ()

    def removed(self, item: Item) -> tuple[Edit, ...]:
        """An item that goes, if nothing else is in its lines."""
        lines = self._lines_of(item)
        if lines is None or item.block is None or len(item.block.blocks) > 1:
            return ()
        return (Edit(*lines, "", Effect(Change.REMOVED, self.source.text[slice(*lines)])),)

    def moved(self, item: Item, last: Item | None, first: Item) -> tuple[Edit, ...]:
        """An item that goes behind another one of its list, or to its top."""
        other, inside = last or first, item.inside
        lines, place = self._lines_of(item), self._lines_of(other)
        if lines is None or place is None or inside is None or inside is not other.inside:
            return ()
        at = place.end if last is not None else place.start
        if not inside.tight or inside.marker in (".", ")") or lines.start <= at <= lines.end:
            return ()
        effect = Effect(Change.MOVED)
        return (Edit(*lines, "", effect), Edit(at, at, self.source.text[slice(*lines)], effect))

    def manner(self, item: Item) -> Manner | None:
        """How an item's line begins, if there is nothing but its link in it."""
        text = self.source.text
        line = self.source.line_at(item.link.start)
        start, end = self.source.starts[line], self.source.starts[line] + len(self.source.lines[line])
        match = _PREFIX.fullmatch(text, start, item.link.start)
        if match is None or item.link.end > end or text[item.link.end : end].strip():
            return None
        return Manner(*match.groups())

    def end_of(self, item: Item) -> int:
        """The end of the last line of an item and of what is nested in it."""
        line = self.source.line_at(item.block.end if item.block else item.link.end)
        return self.source.starts[line] + len(self.source.lines[line])

    def _lines_of(self, item: Item) -> Span | None:
        """An item's lines with their ends; None where it is not alone in them."""
        if item.block is None or self.manner(item) is None:
            return None
        after = self.source.line_at(item.block.end) + 1
        if after >= len(self.source.starts):
            return None
        return Span(self.source.starts[self.source.line_at(item.link.start)], self.source.starts[after])

    # ---------------------------------------------------------------------------------- words

    def address(self, heading: Heading) -> str:
        """A heading's address, encoded where the contents does so."""
        return "#" + (quote(heading.slug, safe="-_") if self._encodes else heading.slug)

    def label(self, heading: Heading) -> str:
        """A heading's words as the contents has them."""
        return self.wording.word(self.source.text[slice(*heading.span)], heading.title)

    @property
    def wording(self) -> Wording:
        if self._wording is None:
            self._wording = _learn(list(self._pairs()))
        return self._wording

    def _pairs(self) -> Iterator[tuple[str, str, str]]:
        """What an item says, its heading as it is written, and its title."""
        for part in self.contents.parts:
            for item in part.items:
                if item.heading is not None and item.heading >= 0:
                    heading = self.contents.headings[item.heading]
                    text = self.source.text
                    yield text[slice(*item.link.text)], text[slice(*heading.span)], heading.title


def _learn(pairs: list[tuple[str, str, str]]) -> Wording:
    """The way of wording that most items have."""
    counts = [sum(1 for said, written, title in pairs if way(written, title) == said) for way in _WAYS]
    most = max(counts)
    way = _WAYS[counts.index(most)]
    if most * 10 >= len(pairs) * 9:
        return Wording(way, Applicability.SAFE)
    return Wording(way, Applicability.UNSAFE if most * 2 >= len(pairs) else None)


def _as_written(written: str, title: str) -> str:
    return written if _PLAIN.fullmatch(written) else _SPECIAL.sub(r"\\\1", title)


def _as_shown(written: str, title: str) -> str:
    return _SPECIAL.sub(r"\\\1", title)


def _unadorned(written: str, title: str) -> str:
    match = _ORNAMENT.match(title)
    return _SPECIAL.sub(r"\\\1", title[match.end() :] if match else title)


_WAYS: tuple[Callable[[str, str], str], ...] = (_as_written, _as_shown, _unadorned)
