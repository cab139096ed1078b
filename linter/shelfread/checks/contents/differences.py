"""What a table of contents omits, points to, repeats, orders or words otherwise than its headings, and its new lines."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from shelfread.checks.contents.listing import ListedHeadings, omitted, span_of
from shelfread.checks.contents.meant_headings import misdirected, renamed
from shelfread.core.diagnostics import Applicability, Edit, RawDiagnostic, RawDiagnostics, Severity
from shelfread.core.wording import is_slip
from shelfread.index.item_style import Prefix, Writer
from shelfread.index.order import out_of_order
from shelfread.index.table_of_contents import ContentsPart, Item, fold

# The most headings that each have the edits of all whose lines are added together; the others have none.
_MOST_TOGETHER = 50

# The edits that add a heading's line, with those of other lines that must change with it.
Line: TypeAlias = tuple[tuple[Edit, ...], Applicability]


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


_LEAST_ITEMS = 8
_FEW = 10
_LEAST_LETTERS = 8  # of an item that leads nowhere, to be the beginning of a heading by no chance


def differences(listing: ListedHeadings) -> RawDiagnostics:
    """Yield headings that the table of contents omits, and items with a wrong target, place or wording."""
    yield from misdirected(listing)
    yield from renamed(listing)
    missing = [index for index in omitted(listing) if not listing.is_first(index)]
    lines = new_lines(listing.writer, missing)
    # An item that leads nowhere may be that of a heading that was renamed, so a line beside it may be one too many.
    stale = [
        item for part in listing.contents.parts for item in part.items if listing.heading_of(item) is None
    ]
    former = [text for item in stale[:_MOST_TOGETHER] if len(text := fold(item.text)) >= _LEAST_LETTERS]
    for index in missing:
        if not fold(listing.headings[index].title).startswith(
            tuple(former)
        ):  # else `link/missing-anchor` tells
            yield _missing(listing, index, lines.get(index), bool(stale))
    for part in listing.contents.parts:
        yield from repeated(listing, part)
        yield from out_of_heading_order(listing, part)
    yield from worded_otherwise(listing)


def _missing(listing: ListedHeadings, index: int, line: Line | None, is_stale: bool) -> RawDiagnostic:
    heading = listing.headings[index]
    generator = next((part.generator for part in listing.contents.parts if part.generator), "")
    values = {"heading": heading.title, "generator": generator}
    edits, applicability = line or ((), Applicability.SAFE)
    applicability = Applicability.UNSAFE if is_stale else applicability
    message = "missing-generated" if generator else "missing"
    # The heading may be wrong too, so this does not replace what other rules say of it.
    return RawDiagnostic(heading.span, values, edits, applicability, Severity.WARNING, message, precedence=0)


def repeated(listing: ListedHeadings, part: ContentsPart) -> RawDiagnostics:
    """Yield items that one list has twice."""
    first: dict[tuple[int, str, int], Item] = {}
    for item in part.items:
        heading = listing.heading_of(item)
        if heading is None or heading < 0:
            continue
        earlier = first.setdefault((heading, fold(item.text), item.parent), item)
        if earlier is not item and earlier.inside is item.inside:
            listing.repeated.add(span_of(item))
            line = listing.line(earlier.link.start)
            values = {"item": item.text, "line": line, "generator": part.generator}
            edits = () if part.generator else listing.writer.removed(item)
            message = "outdated" if part.generator else "repeated"
            yield RawDiagnostic(item.link.text, values, edits, severity=Severity.WARNING, message=message)


def out_of_heading_order(listing: ListedHeadings, part: ContentsPart) -> RawDiagnostics:
    """Yield items that are not in the order of their headings, if nearly all others are."""
    rows: dict[int, list[tuple[int, Item]]] = defaultdict(list)
    for item in part.items:
        heading = listing.heading_of(item)
        if heading is not None and heading >= 0 and span_of(item) not in listing.repeated:
            rows[item.parent].append((heading, item))
    misplaced = {parent: out_of_order([heading for heading, _ in row]) for parent, row in rows.items()}
    count = sum(map(len, misplaced.values()))
    total = sum(map(len, rows.values()))
    if not count or part.generator or (count * _FEW > total if count > 1 else total < _LEAST_ITEMS):
        return
    texts = [item.text.casefold() for item in part.items if item.parent == -1]
    if texts == sorted(texts):
        return
    for parent, indexes in misplaced.items():
        row = rows[parent]
        kept = [pair for index, pair in enumerate(row) if index not in indexes]
        for index in indexes:
            heading, item = row[index]
            place = bisect_left(kept, heading, key=lambda pair: pair[0])
            previous, first = kept[place - 1][1] if place else None, kept[0][1]
            values = {"item": item.text, "neighbor": (previous or first).text}
            edits = listing.writer.moved(item, previous, first)
            message, span = "belongs-after" if previous else "belongs-before", item.link.text
            yield RawDiagnostic(span, values, edits, Applicability.UNSAFE, Severity.INFO, message)


def worded_otherwise(listing: ListedHeadings) -> RawDiagnostics:
    """Yield items with other words than their heading, if nearly all others have its words."""
    pairs = []
    for item in (item for part in listing.contents.parts if not part.generator for item in part.items):
        own = item.heading
        if own is not None and own >= 0 and item.text and span_of(item) not in listing.meant:
            pairs.append((item, listing.headings[own], listing.listed[own]))
    differing = [pair for pair in pairs if fold(pair[0].text) != fold(pair[1].title)]
    if not differing or len(differing) * 10 > len(pairs):
        return
    for item, heading, times in differing:
        words, meant = _bare(item.text), _bare(heading.title)
        if not words or not meant or words in meant or meant in words or times > 1:
            continue
        is_typo = len(words) > 5 and is_slip(words, meant) and not any(map(str.isdigit, words + meant))
        values, edits = {"item": item.text, "heading": heading.title}, listing.writer.reworded(item, heading)
        if not is_typo and item.text.count(" ") < heading.title.count(" "):
            continue  # a shorter name is chosen on purpose
        severity = Severity.WARNING if is_typo else Severity.INFO
        yield RawDiagnostic(item.link.text, values, edits, Applicability.UNSAFE, severity, "wording")


def _bare(text: str) -> str:
    """Return a title folded and without accents."""
    return fold("".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)))
