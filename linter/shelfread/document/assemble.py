"""Makes one document of its parts: at once, or as far as it is looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, Generic, TypeVar, cast, overload

from shelfread.core.diagnostics import Span
from shelfread.document.file_kind import FileKind
from shelfread.document.model import Document, Entry, NonEntry, Section
from shelfread.document.parts import Part, Parts
from shelfread.document.shift import Shift
from shelfread.markdown.node import Block, Definition, Html, Inline, Link, Tree

T = TypeVar("T")


def assemble(parts: Parts) -> Document:
    """Return the document, as `read` does."""
    blocks: list[Block] = []
    definitions: list[Definition] = []
    protected: list[Span] = []
    comments: list[Html] = []
    sections: list[Section] = []
    entries: list[Entry] = []
    links: list[Link] = []
    non_entries: list[NonEntry] = []
    for part, shift in zip(parts.parts, shifts(parts), strict=True):
        document = part.document
        tree = document.tree
        blocks += shift.blocks(tree.blocks)
        definitions += map(shift.definition, tree.definitions)
        protected += map(shift.span, tree.protected)
        comments += map(shift.html, tree.comments)
        sections += map(shift.section, document.sections[part.outer :])
        links += map(shift.link, document.links)
        entries += map(shift.entry, document.entries)
        non_entries += map(shift.non_entry, document.non_entries)
    return Document(
        source=parts.source,
        tree=Tree(tuple(blocks), tuple(definitions), tuple(protected), tuple(comments)),
        sections=tuple(sections),
        entries=tuple(entries),
        links=tuple(links),
        non_entries=tuple(non_entries),
    )


def shifts(parts: Parts) -> Sequence[Shift]:
    """Return for each part what moves it to its place in the whole."""
    if shifts not in parts.memo:
        parts.memo[shifts] = tuple(_shifts(parts.parts))
    found: Sequence[Shift] = parts.memo[shifts]
    return found


def _shifts(parts: Iterable[Part]) -> Iterator[Shift]:
    offset = lines = sections = 0
    open_sections: list[int] = []
    for part in parts:
        walked = part.walked
        own = len(walked.sections) - part.outer
        indexes = [*open_sections[: part.outer], *range(sections, sections + own)]
        yield Shift(offset, lines, indexes)
        open_sections = [indexes[index] for index in walked.open]
        offset += len(walked.piece.text)
        lines += len(walked.piece.source.lines) - 1
        sections += own


def view(parts: Parts) -> Document:
    """Return the document for checks: what none of them looks at is not moved to its place."""
    return cast(Document, _View(parts))


class _View:
    """A document of which the blocks, entries and links are moved to their places when they are looked at."""

    def __init__(self, parts: Parts) -> None:
        self.source = parts.source
        self.kind = FileKind.LIST
        self._parts = [_placed(part, shift) for part, shift in zip(parts.parts, shifts(parts), strict=True)]
        self.tree = _TreeView(self._parts)

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        return tuple(chain.from_iterable(part.sections for part in self._parts))

    @cached_property
    def links(self) -> tuple[Link, ...]:
        return tuple(chain.from_iterable(part.links for part in self._parts))

    @cached_property
    def entries(self) -> Sequence[Entry]:
        return _Row([part.entries for part in self._parts])

    @cached_property
    def non_entries(self) -> tuple[NonEntry, ...]:
        return tuple(chain.from_iterable(part.non_entries for part in self._parts))


class _TreeView:
    """A syntax tree in the same manner."""

    def __init__(self, parts: Sequence[_Placed]) -> None:
        self._parts = parts

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        return tuple(chain.from_iterable(part.blocks for part in self._parts))

    @cached_property
    def definitions(self) -> tuple[Definition, ...]:
        return tuple(chain.from_iterable(part.definitions for part in self._parts))

    @cached_property
    def protected(self) -> tuple[Span, ...]:
        return tuple(chain.from_iterable(part.protected for part in self._parts))

    @cached_property
    def comments(self) -> tuple[Html, ...]:
        return tuple(chain.from_iterable(part.comments for part in self._parts))


class _Placed:
    """A part at its place."""

    def __init__(self, part: Part, shift: Shift) -> None:
        self._document, self._outer, self._shift = part.document, part.outer, shift
        self.entries = _Items(part.document.entries, self._entry)

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        return _view_blocks(self._document.tree.blocks, self._shift)

    @cached_property
    def definitions(self) -> tuple[Definition, ...]:
        return tuple(map(self._shift.definition, self._document.tree.definitions))

    @cached_property
    def protected(self) -> tuple[Span, ...]:
        return tuple(map(self._shift.span, self._document.tree.protected))

    @cached_property
    def comments(self) -> tuple[Html, ...]:
        return tuple(map(self._shift.html, self._document.tree.comments))

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        return tuple(map(self._shift.section, self._document.sections[self._outer :]))

    @cached_property
    def links(self) -> tuple[Link, ...]:
        return tuple(map(self._shift.link, self._document.links))

    @cached_property
    def non_entries(self) -> tuple[NonEntry, ...]:
        return tuple(map(self._shift.non_entry, self._document.non_entries))

    def _entry(self, entry: Entry) -> Entry:
        return self._shift.entry(entry, _view_block(entry.block, self._shift))


def _placed(part: Part, shift: Shift) -> _Placed:
    """Return a part at its place; that of the last time if it is the same.

    It is only kept from the second time on: below an edit, parts have another place after each.
    """
    known: tuple[tuple[object, ...], _Placed | None] | None = part.memo.get(_Placed)
    place = shift.place
    if known is not None and known[0] == place:
        placed = known[1] or _Placed(part, shift)
        part.memo[_Placed] = place, placed
        return placed
    part.memo[_Placed] = place, None
    return _Placed(part, shift)


class _BlockView(Block):
    """A block in which other blocks and inlines are moved when they are looked at."""

    _original: Block
    _shift: Shift

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        return _view_blocks(self._original.blocks, self._shift)

    @cached_property
    def inlines(self) -> tuple[Inline, ...]:
        return self._shift.inlines(self._original.inlines)


def _view_blocks(blocks: Iterable[Block], shift: Shift) -> tuple[Block, ...]:
    return tuple([_view_block(block, shift) for block in blocks])


def _view_block(block: Block, shift: Shift) -> Block:
    kind, start, end, first, last, _, _, level, marker, tight = block
    offset, lines = shift.offset, shift.lines
    fields = kind, start + offset, end + offset, first + lines, last + lines, (), (), level, marker, tight
    view = tuple.__new__(_BlockView, fields)
    view._original, view._shift = block, shift
    return view


class _Items(Generic[T]):
    """Things that are moved when they are looked at, once."""

    def __init__(self, originals: Sequence[T], move: Callable[[T], T]) -> None:
        self._originals, self._move = originals, move
        self._moved: dict[int, T] = {}

    def __len__(self) -> int:
        return len(self._originals)

    def __getitem__(self, index: int) -> T:
        if index not in self._moved:
            self._moved[index] = self._move(self._originals[index])
        return self._moved[index]


class _Row(Sequence[T]):
    """Several rows of things as one."""

    def __init__(self, rows: Iterable[_Items[T]]) -> None:
        self._places = [(row, index) for row in rows for index in range(len(row))]

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[T]:
        return (row[index] for row, index in self._places)

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return tuple([row[place] for row, place in self._places[index]])
        row, place = self._places[index]
        return row[place]
