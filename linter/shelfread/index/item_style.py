"""How the items of a table of contents are written, edits in the same style, and lines for further headings."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple, TypeAlias
from urllib.parse import quote

from shelfread.core.diagnostics import Applicability, Edit, Span
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.index.table_of_contents import Contents, Heading, Item, fold

# The most headings that each have the edits of all whose lines are added together; the others have none.
_MOST_TOGETHER = 50

# The edits that add a heading's line, with those of other lines that must change with it.
Line: TypeAlias = tuple[tuple[Edit, ...], Applicability]
_PREFIX = lazy(r"([ \t]*)([-*+]|\d{1,9}[.)])([ \t]+)")
_ORNAMENT = lazy(r"(?:[^\w\s`*\[(]+[ \t]+|:\w+:[ \t]*)+")
_SPECIAL = lazy(r"([\\`*_\[\]<>])")
_PLAIN = lazy(r"[^\[\]<>\\\r\n]*")


class Prefix(NamedTuple):
    """The beginning of an item's line: indentation, bullet or number, spaces."""

    indent: str
    bullet: str
    gap: str


class Wording(NamedTuple):
    """How the items word their headings, and whether a fix that does so is safe; None if they have no style."""

    word: Callable[[str, str], str]
    applicability: Applicability | None


class Writer:
    """Edits the items of one table of contents."""

    def __init__(self, source: Source, contents: Contents) -> None:
        self.source = source
        self.contents = contents
        urls = [item.link.url for part in contents.parts for item in part.items]
        self._encodes = any("%" in url for url in urls)
        # GitHub's own prefix, which some tools write
        prefixed = sum(url.startswith("#user-content-") for url in urls)
        self._start = "#user-content-" if prefixed * 2 > len(urls) else "#"

    def readdressed(self, item: Item, heading: Heading) -> tuple[Edit, ...]:
        """Return the edits that link an item to a heading; none if its URL is written with escapes."""
        span, url, after = item.link.destination, item.link.url, self.url(heading)
        if span is None or self.source.text[slice(*span)] != url:
            return ()
        return (Edit.relink(Span(span.start + 1, span.end), url, after, after[1:]),)

    def reworded(self, item: Item, heading: Heading) -> tuple[Edit, ...]:
        """Return the edits that give an item the words of a heading; none if it has markup."""
        span, words = item.link.text, self.label(heading)
        before = self.source.text[slice(*span)]
        return (Edit.reword(span, before, words),) if _PLAIN.fullmatch(before) else ()

    def renamed(self, item: Item, heading: Heading) -> tuple[Edit, ...]:
        """Return the edits that give an item the words and the URL of a heading, both or none."""
        words, url = self.reworded(item, heading), self.readdressed(item, heading)
        return (*words, *url) if words and url else ()

    def removed(self, item: Item) -> tuple[Edit, ...]:
        """Return the edits that remove an item; none if something else is in its lines."""
        lines = self._lines_of(item)
        if lines is None or item.block is None or len(item.block.blocks) > 1:
            return ()
        return (Edit.remove(self.source.text, *lines),)

    def prefix(self, item: Item) -> Prefix | None:
        """Return how an item's line begins; None if there is more than the link in it."""
        text = self.source.text
        line = self.source.line_at(item.link.start)
        start, end = self.source.starts[line], self.source.starts[line] + len(self.source.lines[line])
        match = _PREFIX.fullmatch(text, start, item.link.start)
        if match is None or item.link.end > end or text[item.link.end : end].strip():
            return None
        return Prefix(*match.groups())

    def end_of(self, item: Item) -> int:
        """Return the offset of the end of the last line of an item and all nested in it."""
        line = self.source.line_at(item.block.end if item.block else item.link.end)
        return self.source.starts[line] + len(self.source.lines[line])

    def _lines_of(self, item: Item) -> Span | None:
        """Return the span of an item's lines with line ends; None if something else is in them, or at the file's end."""
        if item.block is None or self.prefix(item) is None:
            return None
        after = self.source.line_at(item.block.end) + 1
        if after >= len(self.source.starts):
            return None
        return Span(self.source.starts[self.source.line_at(item.link.start)], self.source.starts[after])

    def url(self, heading: Heading) -> str:
        """Return the URL of a heading, percent-encoded and with GitHub's prefix if other items are."""
        return self._start + (quote(heading.slug, safe="-_") if self._encodes else heading.slug)

    def label(self, heading: Heading) -> str:
        """Return a heading's words as the items write them."""
        return self.wording.word(self.source.text[slice(*heading.span)], heading.title)

    @cached_property
    def wording(self) -> Wording:
        """How most items word their headings."""
        text, headings = self.source.text, self.contents.headings
        # The text of each item, its heading as written, and the heading's title.
        triples = [
            (text[slice(*item.link.text)], text[slice(*heading.span)], heading.title)
            for part in self.contents.parts
            for item in part.items
            if item.heading is not None and item.heading >= 0
            for heading in (headings[item.heading],)
        ]
        hits = {
            word: sum(word(written, title) == shown for shown, written, title in triples)
            for word in _WORDINGS
        }
        word, most = max(hits.items(), key=lambda hit: hit[1])
        if most * 10 >= len(triples) * 9:
            return Wording(word, Applicability.SAFE)
        return Wording(word, Applicability.UNSAFE if most * 2 >= len(triples) else None)


def renamed_words(text: str, before: tuple[str, str], after: tuple[str, str]) -> str | None:
    """Return an item's text for a heading's new title, each given as written and as shown; None if it has other words."""
    for word in _WORDINGS:
        if word(*before) == text:
            return word(*after)
    return _without_emoji(*after) if fold(text) and fold(text) == fold(before[1]) else None


def _as_written(written: str, title: str) -> str:
    return written if _PLAIN.fullmatch(written) else _SPECIAL.sub(r"\\\1", title)


def _as_shown(written: str, title: str) -> str:
    return _SPECIAL.sub(r"\\\1", title)


def _without_emoji(written: str, title: str) -> str:
    match = _ORNAMENT.match(title)
    return _SPECIAL.sub(r"\\\1", title[match.end() :] if match else title)


_WORDINGS: tuple[Callable[[str, str], str], ...] = (_as_written, _as_shown, _without_emoji)


# ---------------------------------------------------------------------------------------------------------- new lines
class _Slot(NamedTuple):
    """Where a line is inserted, what it begins with, and what parts it from others: before it, or behind it if it stands before them."""

    offset: int
    is_before: bool
    beginning: str
    gap: str
    is_certain: bool  # the siblings above and below are in the same list


def new_lines(writer: Writer, missing: Sequence[int]) -> dict[int, Line]:
    """Return the lines of omitted headings by their index, as far as the style of the others shows how to write them."""
    if not missing or (applicability := writer.wording.applicability) is None:
        return {}
    slots = dict(_find_slots(writer, missing))
    together: dict[tuple[int, bool], list[int]] = defaultdict(list)
    for index, slot in slots.items():
        together[slot.offset, slot.is_before].append(index)
    lines: dict[int, Line] = {}
    for (offset, is_before), indexes in together.items():
        text = ""
        for index in indexes:
            heading, gap = writer.contents.headings[index], slots[index].gap
            line = f"{slots[index].beginning}[{writer.label(heading)}]({writer.url(heading)})"
            text += line + gap if is_before else gap + line
        for index in indexes[:_MOST_TOGETHER]:
            safety = applicability if slots[index].is_certain else Applicability.UNSAFE
            lines[index] = ((Edit.insert(offset, text),), safety)
    return lines


def _find_slots(writer: Writer, missing: Sequence[int]) -> Iterator[tuple[int, _Slot]]:
    """Yield omitted headings by their index, with where they are inserted: behind the sibling above and what is listed below it."""
    headings, source = writer.contents.headings, writer.source
    rows: dict[int, list[Item]] = defaultdict(list)  # by the list that they are in
    listed: dict[int, tuple[list[Item], int]] = {}
    for item in (item for part in writer.contents.parts if not part.generator for item in part.items):
        if item.inside is not None:
            row = rows[id(item.inside)]
            row.append(item)
            if item.heading is not None and item.heading >= 0:
                listed.setdefault(item.heading, (row, len(row) - 1))
    siblings: dict[tuple[int, int], list[int]] = defaultdict(list)
    for index in sorted(listed):
        siblings[headings[index].parent, headings[index].level].append(index)
    reached: dict[int, int] = {}
    for index in missing:
        alike = siblings.get((headings[index].parent, headings[index].level), [])
        if not alike:
            continue
        following = bisect_left(alike, index)
        sibling = alike[max(following - 1, 0)]
        row, position = listed[sibling]
        prefix, inside = writer.prefix(row[position]), row[position].inside
        last = reached.get(sibling, position)
        while following and last + 1 < len(row) and sibling < (row[last + 1].heading or -1) < index:
            last += 1
        reached[sibling] = last
        if prefix is None or inside is None or inside.marker in (".", ")"):
            continue
        start = source.starts[source.line_at(row[position].link.start)]
        offset = writer.end_of(row[last]) if following else start
        is_certain = not 0 < following < len(alike) or listed[alike[following]][0] is row
        yield (
            index,
            _Slot(offset, not following, "".join(prefix), "\n" if inside.tight else "\n\n", is_certain),
        )
