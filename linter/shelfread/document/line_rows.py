"""Items of a list as rows of a table: their parts stand in lines of their own, or between separators that all of them have."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.document.entry.entry_fields import Setting
from shelfread.document.entry.sub_lines import read_field_name, read_labelled_field
from shelfread.document.model import Entry
from shelfread.document.paragraphs import inline_lines, joined_lines
from shelfread.document.plain_text import render_plain_text
from shelfread.document.table_cells import NO_CELL, Cell, TableRow, is_label, to_cell
from shelfread.document.table_columns import find_columns
from shelfread.document.table_rows import read_rows
from shelfread.markdown.node import Block, Inline, Link, Text
from shelfread.taxonomy.vocabulary import Vocabulary

_Line = tuple[Inline, ...]

_SEPARATORS = {
    mark: lazy(rf"{mark}(?!\S)")
    for mark in (r"(?<!\S)\|", r"(?<!\S)/", r"(?<!\S)[·•]", r"(?<!\S)(?:[-–—]|--)", ";")
}
_BEFORE_LABELS = " \n[({|/·•;,:–—-"
_MIN_ROWS, _MOST = 4, 0.8
_FEWEST, _LARGEST = 3, 9  # so many cells has a row, one of them for the labels at its end
_SAMPLE = 24  # of so many items is decided how all of them are read
_GAIN, _LOSS = 0.25, 0.1  # so many more fields, and so many lost ones at most, for each row
_COUNTED = ("name", "citation", "year", "authors", "description")
_MARKS = frozenset('*_["“`')
_MIN_SPACES = 2  # titles have three words
_LABELLED = 0.25  # what begins so many of the lines, and ends with a colon, labels a field
# The fields of an entry, and what they are called as guesses.
_GUESSED = {
    "title": "title", "name": "name", "citation": "venue", "authors": "authors", "affiliations": "affiliations",
    "description": "description",
}  # fmt: skip


class _Item(NamedTuple):
    """An item that may be a row: its lines, without the labels at the end of the last one, and those."""

    block: Block
    section: int | None
    lines: list[_Line]
    labels: _Line


def read_as_rows(
    lists: Sequence[tuple[int | None, Sequence[Block]]], entries: Sequence[Entry], setting: Setting
) -> list[Entry]:
    """Return `entries`, with those of the rows of tables in their place where that reads more of them.

    `lists` are the items that may be rows, with the sections of the lists. Those of all lists with the same number of cells
    are one table.
    """
    series = [[_item(block, section, setting.vocabulary) for block in blocks] for section, blocks in lists]
    read: list[Entry] = []
    replaced: set[int] = set()
    for (separator, size), items in _forms(series).items():
        alike = {item.block.start: item for item in items if _size(item, separator) == size}
        rows = [TableRow(_cells(alike[start], separator), alike[start].block) for start in sorted(alike)]
        others = _within(rows, entries)
        if found := _read_rows(rows, others, setting):
            read += (entry._replace(section=alike[entry.block.start].section) for entry in found)
            replaced.update(entry.span.start for below in others.values() for entry in below)
    if not read:
        return [*entries]
    kept = [entry for entry in entries if entry.span.start not in replaced]
    end = 0
    for entry in sorted(read, key=lambda entry: entry.span.start):
        if entry.span.start >= end:  # what is nested in a row is part of it
            kept.append(entry)
            end = entry.span.end
    return sorted(kept, key=lambda entry: entry.span.start)


def _read_rows(rows: list[TableRow], others: Mapping[int, list[Entry]], setting: Setting) -> list[Entry]:
    """Return the entries of rows, none if the `others`, which were read of them, state as much."""
    found = [entry for entries in others.values() for entry in entries]
    if len(rows) < _MIN_ROWS or 2 * sum(entry.kind == "paper" for entry in found) < len(found):
        return []
    sample = rows[:: -(-len(rows) // _SAMPLE)]
    columns = find_columns([], sample, setting.vocabulary)
    if "title" not in columns.indexes or {"venue", "year", "authors"}.isdisjoint(columns.indexes):
        return []
    read: list[Entry] = []
    first = {start: entries[0] for start, entries in others.items()}
    for some in (sample, rows):
        read = [entry for entry in read_rows([], some, setting, columns) if isinstance(entry, Entry)]
        if len(read) < len(some) or not _read_more(read, first, setting.source.text):
            return []
    return [_as_guess(entry, first.get(entry.block.start)) for entry in read]


def _within(rows: Sequence[TableRow], entries: Sequence[Entry]) -> dict[int, list[Entry]]:
    """Return the entries in rows, by where the row begins."""
    starts = [row.block.start for row in rows]
    found: defaultdict[int, list[Entry]] = defaultdict(list)
    for entry in entries:
        place = bisect_right(starts, entry.span.start) - 1
        if place >= 0 and entry.span.start < rows[place].block.end:
            found[starts[place]].append(entry)
    return found


def _forms(series: Sequence[list[_Item]]) -> dict[tuple[str, int], list[_Item]]:
    """Return the items of lists by what parts most of them, and into how many cells. Short lists have forms of others."""
    forms: defaultdict[tuple[str, int], list[_Item]] = defaultdict(list)
    few: list[list[_Item]] = []
    for items in series:
        if _are_labelled(items):
            continue
        if len(items) < _MIN_ROWS:
            few.append(items)
        elif form := _form(items[:: -(-len(items) // _SAMPLE)]):
            forms[form] += items
    together = [item for items in few for item in items]
    if _are_labelled(together):
        few, together = [], []
    if not forms:
        form = _form(together[:: -(-len(together) // _SAMPLE)]) if together else None
        return {form: together} if form else {}
    known = sorted(forms, key=lambda form: -len(forms[form]))
    for items in few:
        form = next((form for form in known if all(_size(item, form[0]) == form[1] for item in items)), None)
        if form:
            forms[form] += items
    return forms


def _form(items: Sequence[_Item]) -> tuple[str, int] | None:
    """Return what parts most items into the most cells, and how many; None if they differ."""
    best: tuple[str, int] | None = None
    for separator in ("", *_SEPARATORS):
        size, count = Counter(_size(item, separator) for item in items).most_common(1)[0]
        least = best[1] + 1 if best else _FEWEST
        if least <= size <= _LARGEST and count >= max(_MIN_ROWS, _MOST * len(items)):
            best = separator, size
    return best


def _are_labelled(items: Sequence[_Item]) -> bool:
    """Return whether a label begins many of the lines below titles: `Keyword: ...`."""
    names = Counter(name for item in items for line in item.lines[1:] if (name := _label(line)))
    return bool(names) and names.most_common(1)[0][1] >= max(2, _LABELLED * len(items))


def _label(line: _Line) -> str:
    """Return the label of a line below a title: `Keyword`, or its kind if that is known."""
    plain = render_plain_text(line)
    labelled = read_labelled_field(plain.text)
    return labelled[0] if labelled else read_field_name(plain) or ""


def _size(item: _Item, separator: str) -> int:
    return sum(1 for line in item.lines for _ in _split(line, separator)) + bool(item.lines or item.labels)


def _cells(item: _Item, separator: str) -> list[Cell]:
    """Return the parts of an item, and a last cell with the labels at its end."""
    parts = [to_cell(part) for line in item.lines for part in _split(line, separator)]
    return [*parts, to_cell(item.labels) if item.labels else NO_CELL]


def _item(block: Block, section: int | None, vocabulary: Vocabulary) -> _Item:
    lines = _lines(block)
    last, labels = _without_labels(lines[-1], vocabulary) if lines else ((), ())
    return _Item(block, section, [*lines[:-1], *([last] if last else [])], labels)


def _without_labels(line: _Line, vocabulary: Vocabulary) -> tuple[_Line, _Line]:
    """Return the nodes of a line before the labels at its end, and those."""
    first = len(line)
    for index in range(len(line) - 1, -1, -1):
        node = line[index]
        if isinstance(node, Link):
            plain = render_plain_text((node,))
            if not plain.links or not is_label(plain, plain.links[0], vocabulary):
                break
            first = index
        elif not isinstance(node, Text) or any(map(str.isalnum, node.value)):
            break
    if first == len(line):
        return line, ()
    before = line[:first]
    if before and isinstance(text := before[-1], Text):
        value = text.value.rstrip(_BEFORE_LABELS)
        before = (*before[:-1], Text(text.start, text.start + len(value), value)) if value else before[:-1]
    return before, line[first:]


def _lines(item: Block) -> list[_Line]:
    """Return the lines of an item and of what is nested in it; none if that has more below it."""
    lines: list[_Line] = []
    for child in item.blocks:
        below = (
            [child]
            if child.kind == "paragraph"
            else [one for nested in child.blocks for one in nested.blocks]
        )
        is_flat = child.kind in ("paragraph", "list") and all(
            len(nested.blocks) == 1 for nested in child.blocks
        )
        if not is_flat or any(one.kind != "paragraph" for one in below):
            return []
        lines += [joined_lines([line]) for one in below for line in inline_lines(one.inlines)]
    return [line for line in lines if line]


def _split(line: _Line, separator: str) -> Iterator[_Line]:
    """Yield the parts of a line between separators outside of all markup."""
    part: list[Inline] = []
    for node in line:
        if not separator or not isinstance(node, Text):
            part.append(node)
            continue
        done = 0
        for match in _SEPARATORS[separator].finditer(node.value):
            part += _text(node, done, match.start())
            if part:
                yield tuple(part)
            part, done = [], match.end()
        part += _text(node, done, len(node.value))
    if part:
        yield tuple(part)


def _text(node: Text, start: int, end: int) -> Iterator[Text]:
    """Yield a part of a text without the blanks beside separators, if it is not empty."""
    value = node.value[start:end]
    value = value.lstrip() if start else value
    start = end - len(value)
    value = value.rstrip() if end < len(node.value) else value
    if value:
        yield Text(node.start + start, node.start + start + len(value), value)


def _read_more(read: Sequence[Entry], others: Mapping[int, Entry], text: str) -> bool:
    """Return whether rows are papers and state more than the `others`, and nearly all that those do."""
    gained = lost = 0
    for entry in read:
        now, other = set(_stated(entry)), others.get(entry.block.start)
        before = set() if other is None else set(_stated(other))
        if other is not None and _is_marked(other, text) and not _is_marked(entry, text):
            lost += entry.name is None or entry.name.value != other.title.value
        gained += len(now - before)
        lost += len(before - now) + (entry.kind != "paper")
    return gained - lost >= _GAIN * len(read) and lost <= _LOSS * len(read)


def _is_marked(entry: Entry, text: str) -> bool:
    start = entry.title.span.start
    return text[max(start - 1, 0) : start] in _MARKS


def _stated(entry: Entry) -> Iterator[str]:
    """Yield what an entry states. What looks like an organisation may be anything, and so may one word."""
    yield from (field for field in _COUNTED if getattr(entry, field))
    if entry.title.value.count(" ") >= _MIN_SPACES:
        yield "title"
    if entry.year is not None and not entry.year_from_arxiv_id:
        yield "own year"


def _as_guess(entry: Entry, other: Entry | None) -> Entry:
    """Return the entry of a row: what the `other` reading of it states too is certain, all else is a guess."""
    if other is None:
        return entry._replace(guessed=frozenset(_GUESSED.values()))
    guessed = {field for field in _GUESSED if getattr(entry, field) != getattr(other, field)}
    names = frozenset(_GUESSED[field] for field in guessed)
    return entry._replace(guessed=entry.guessed | names | (other.guessed - names), dialect=other.dialect)
