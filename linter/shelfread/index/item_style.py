"""How the items of a table of contents are written, edits in the same style, and lines for further headings."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple, TypeAlias
from urllib.parse import quote

from shelfread.core.diagnostics import MOVED, Applicability, Edit, Span
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

    def moved(self, item: Item, previous: Item | None, first: Item) -> tuple[Edit, ...]:
        """Return the edits that move an item after another one of its list, or before the first one."""
        other, inside = previous or first, item.inside
        lines, place = self._lines_of(item), self._lines_of(other)
        if lines is None or place is None or inside is None or inside is not other.inside:
            return ()
        offset = place.end if previous is not None else place.start
        if not inside.tight or inside.marker in (".", ")") or lines.start <= offset <= lines.end:
            return ()
        return (Edit(*lines, "", MOVED), Edit(offset, offset, self.source.text[slice(*lines)], MOVED))

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
        return _learn(list(self._triples()))

    def _triples(self) -> Iterator[tuple[str, str, str]]:
        """Yield the text of each item, its heading as written, and the heading's title."""
        text = self.source.text
        for item in (item for part in self.contents.parts for item in part.items):
            if item.heading is not None and item.heading >= 0:
                heading = self.contents.headings[item.heading]
                yield text[slice(*item.link.text)], text[slice(*heading.span)], heading.title


def _learn(triples: list[tuple[str, str, str]]) -> Wording:
    """Return the wording that most items have."""
    hits = {word: sum(word(written, title) == text for text, written, title in triples) for word in _WORDINGS}
    word, most = max(hits.items(), key=lambda hit: hit[1])
    if most * 10 >= len(triples) * 9:
        return Wording(word, Applicability.SAFE)
    return Wording(word, Applicability.UNSAFE if most * 2 >= len(triples) else None)


def renamed_words(text: str, before: tuple[str, str], after: tuple[str, str]) -> str | None:
    """Return an item's text for a heading's new title; None if the item has other words than the heading.

    The titles `before` and `after` are each given as written and as shown.
    """
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
class _Row(NamedTuple):
    """The items of one list, in order."""

    items: list[Item]

    @property
    def is_numbered(self) -> bool:
        inside = self.items[0].inside
        return inside is not None and inside.marker in (".", ")")

    @property
    def is_loose(self) -> bool:
        inside = self.items[0].inside
        return inside is not None and not inside.tight


class _Slot(NamedTuple):
    """Where a line is inserted."""

    row: _Row
    position: int  # the number of items of the row before it
    offset: int
    is_before: bool  # it is inserted before a line, so it ends, not begins, with a newline
    prefix: Prefix
    is_certain: bool = True  # the siblings above and below are in the same list


def new_lines(writer: Writer, missing: Sequence[int]) -> dict[int, Line]:
    """Return the lines of omitted headings by their index, as far as the style of the others shows how to write them."""
    if not missing or (applicability := writer.wording.applicability) is None:
        return {}
    slots = dict(_Slots(writer).find(missing))
    offsets: dict[tuple[int, bool], list[int]] = defaultdict(list)
    for index, slot in slots.items():
        offsets[slot.offset, slot.is_before].append(index)
    edits: dict[int, tuple[Edit, ...]] = {}
    for (offset, is_before), indexes in offsets.items():
        text = ""
        for index in indexes:
            heading = writer.contents.headings[index]
            indent, bullet, gap = slots[index].prefix
            end = "\n\n" if slots[index].row.is_loose else "\n"
            link = f"[{writer.label(heading)}]({writer.url(heading)})"
            line = f"{indent}{bullet}{gap}{link}"
            text += line + end if is_before else end + line
        edit = Edit.insert(offset, text)
        edits.update((index, (edit,)) for index in indexes[:_MOST_TOGETHER])
    safety = {
        index: applicability if slot.is_certain else Applicability.UNSAFE for index, slot in slots.items()
    }
    return {index: (own, safety[index]) for index, own in edits.items()}


class _Slots:
    """Where the table of contents lists each heading."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.headings = writer.contents.headings
        self.rows: dict[int, _Row] = {}
        self.listed: dict[int, tuple[_Row, int]] = {}
        self.siblings: dict[tuple[int, int], list[int]] = defaultdict(list)
        for part in writer.contents.parts:
            for item in () if part.generator else part.items:
                self._add(item)
        for index in sorted(self.listed):
            self.siblings[self.headings[index].parent, self.headings[index].level].append(index)

    def _add(self, item: Item) -> None:
        if item.inside is None:
            return
        row = self.rows.setdefault(id(item.inside), _Row([]))
        row.items.append(item)
        if item.heading is not None and item.heading >= 0:
            self.listed.setdefault(item.heading, (row, len(row.items) - 1))

    def find(self, missing: Sequence[int]) -> Iterator[tuple[int, _Slot]]:
        """Yield omitted headings by their index, with where they are inserted."""
        reached: dict[int, int] = {}
        for index in missing:
            heading = self.headings[index]
            siblings = self.siblings.get((heading.parent, heading.level), [])
            following = bisect_left(siblings, index)
            slot = None
            if following:
                slot = self._after(siblings[following - 1], index, reached)
                if slot is not None and following < len(siblings):
                    is_same_list = self.listed[siblings[following]][0].items is slot.row.items
                    slot = slot._replace(is_certain=is_same_list)
            elif siblings:
                slot = self._before(siblings[0])
            if slot is not None and not slot.row.is_numbered:
                yield index, slot

    def _after(self, sibling: int, index: int, reached: dict[int, int]) -> _Slot | None:
        """Return the slot after the previous sibling, and after what is listed of its own section."""
        row, position = self.listed[sibling]
        prefix = self.writer.prefix(row.items[position])
        position = reached.get(sibling, position)
        while position + 1 < len(row.items) and sibling < (row.items[position + 1].heading or -1) < index:
            position += 1
        reached[sibling] = position
        if prefix is None:
            return None
        return _Slot(row, position + 1, self.writer.end_of(row.items[position]), False, prefix)

    def _before(self, sibling: int) -> _Slot | None:
        row, position = self.listed[sibling]
        prefix = self.writer.prefix(row.items[position])
        if prefix is None:
            return None
        source = self.writer.source
        offset = source.starts[source.line_at(row.items[position].link.start)]
        return _Slot(row, position, offset, True, prefix)
