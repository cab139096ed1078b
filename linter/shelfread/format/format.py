"""The canonical form of a text: blank lines, lists in line, headings; no word and no page is altered.

What is canonical already stays byte for byte, since only what is not is rewritten. Each block is rewritten alone
and held against the page that it showed; where that differs it stays as it was, and is named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from shelfread.core.source import Source
from shelfread.format.layout.blank_lines import (
    Unit,
    end_piece,
    find_units,
    gap_pieces,
    inner_gap_pieces,
    trailing_pieces,
)
from shelfread.format.layout.emphasis import Marks
from shelfread.format.layout.headings import heading_pieces
from shelfread.format.layout.lists import Layout
from shelfread.format.layout.protected import find_frozen, meets
from shelfread.format.layout.replacement import Piece, rewrite
from shelfread.format.layout.same_page import Page, is_same, read_page
from shelfread.format.layout.tables import table_pieces
from shelfread.format.result import Formatted, UnformattedBlock
from shelfread.format.style import Style
from shelfread.markdown.node import Tree
from shelfread.markdown.parse import parse

_NEWLINE = re.compile(r"\r\n|\n|\r")
_TRIES = 128
_WHY = "the page would change"
_NEWLINES = {"lf": "\n", "crlf": "\r\n"}


def format_source(source: Source, style: Style = Style()) -> Formatted:  # noqa: B008  # a tuple is never changed
    """The canonical form of a text; what it shows and what a second run makes of it are the same."""
    text = source.text
    left: tuple[UnformattedBlock, ...] = ()
    for _ in range(3):  # a list in line may show that another is out of it
        formatted = _format(Source(text, source.path), style)
        left = formatted.left
        if formatted.text == text:
            break
        text = formatted.text
    return Formatted(_ends(text, style), left)


def _format(source: Source, style: Style) -> Formatted:
    tree = parse(source)
    frozen = find_frozen(source, tree)
    units = find_units(source, tree)

    def free(pieces: Iterable[Piece]) -> list[Piece]:
        return [piece for piece in pieces if not meets(piece.start, piece.end, frozen)]

    layout, marks = Layout(source, tree.blocks, style), Marks(source.text, tree.blocks)
    gaps = free([*end_piece(source, units), *gap_pieces(source, units)])
    wanted = []
    for unit in units:
        pieces, spared = _unit_pieces(source, unit, layout, marks, style, tree)
        if pieces := free(pieces):
            wanted.append((unit, pieces, free(spared)))
    if not gaps and not wanted:
        return Formatted(source.text, ())
    before = read_page(source.text)
    after = rewrite(
        source.text, (piece for pieces in (gaps, *(one[1] for one in wanted)) for piece in pieces)
    )
    if is_same(before, read_page(after)):
        return Formatted(after, ())
    left: list[int] = []
    groups = [[piece] for piece in gaps]
    for unit, pieces, spared in wanted:
        kept = next((some for some in (pieces, spared) if some and _keeps(source, unit, some)), None)
        if kept is None:
            left.append(unit.first + 1)
        else:
            groups.append(kept)
    harmless, dropped = _harmless(source, groups, before)
    left += [source.line_at(group[0].start) + 1 for group in dropped]
    return Formatted(
        rewrite(source.text, (piece for group in harmless for piece in group)),
        tuple(UnformattedBlock(line, _WHY) for line in sorted(set(left))),
    )


def _unit_pieces(
    source: Source, unit: Unit, layout: Layout, marks: Marks, style: Style, tree: Tree
) -> tuple[list[Piece], list[Piece]]:
    """What a unit is to become: with its marks, and without."""
    pieces = list(trailing_pieces(source, unit))
    block = unit.block
    if block is None:
        return pieces, pieces
    if block.kind == "heading":
        pieces = [*heading_pieces(source, block), *pieces]
    elif block.kind == "list":
        pieces += [*layout.pieces(block), *inner_gap_pieces(source, block)]
    elif block.kind == "table":
        pieces = [*table_pieces(source, block, style.table), *pieces]
    elif block.kind == "paragraph":
        pieces += _outdented(source, unit)
    opaque = tree.protected
    pieces = [
        piece
        for piece in pieces
        if piece.start == source.starts[source.line_at(piece.start)]
        or not meets(piece.start, piece.end, opaque)
    ]
    return pieces + [
        piece for piece in marks.pieces(block) if not meets(piece.start, piece.end, opaque)
    ], pieces


def _outdented(source: Source, unit: Unit) -> Iterator[Piece]:
    """The first line of a paragraph at the margin."""
    line = source.lines[unit.first]
    if line[:1] in (" ", "\t"):
        start = source.starts[unit.first]
        yield Piece(start, start + len(line) - len(line.lstrip(" \t")), "")


def _keeps(source: Source, unit: Unit, pieces: Sequence[Piece]) -> bool:
    """Whether a unit, read alone, shows the same page."""
    start = source.starts[unit.first]
    end = source.starts[unit.last] if unit.last < len(source.starts) else len(source.text)
    after = rewrite(source.text, pieces, start, end)
    return is_same(read_page(source.text[start:end]), read_page(after))


def _harmless(
    source: Source, groups: list[list[Piece]], before: Page
) -> tuple[list[list[Piece]], list[list[Piece]]]:
    """The groups that together show the same page, and those that do not: halves are tried until they stand alone."""

    def fits(groups: Sequence[Sequence[Piece]]) -> bool:
        after = rewrite(source.text, (piece for group in groups for piece in group))
        return is_same(before, read_page(after))

    pending = [groups]
    kept: list[list[Piece]] = []
    dropped: list[list[Piece]] = []
    tries = 0
    while pending:
        group = pending.pop()
        tries += 1
        if not group:
            continue
        if tries <= _TRIES and fits(kept + group):
            kept += group
        elif len(group) == 1 or tries > _TRIES:
            dropped += group
        else:
            half = len(group) // 2
            pending += [group[half:], group[:half]]
    return kept, dropped


def _ends(text: str, style: Style) -> str:
    """The text with the newlines that are asked for."""
    newline = _NEWLINES.get(style.end_of_line)
    return text if newline is None else _NEWLINE.sub(newline, text)
