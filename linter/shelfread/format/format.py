"""Format a text: blank lines, lists, headings, tables and emphasis; no word and no page is altered.

Only what differs from the canonical form is rewritten. Each block is rewritten alone and compared with the
page that it showed; a block whose page would change is left as it is, and reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from shelfread.core.edits import TextEdit, apply_edits
from shelfread.core.source import Source
from shelfread.format.halving import keep_harmless
from shelfread.format.layout import blank_lines
from shelfread.format.layout.blank_lines import PageBlock, blank_line_edits
from shelfread.format.layout.columns import indentation
from shelfread.format.layout.emphasis import EmphasisMarkers
from shelfread.format.layout.headings import heading_edits
from shelfread.format.layout.lists import ListLayout
from shelfread.format.layout.protected import find_protected, overlaps_any
from shelfread.format.layout.same_page import is_same_page, read_page
from shelfread.format.layout.tables import table_edits
from shelfread.format.result import FormatResult, UnformattedBlock
from shelfread.format.style import Style
from shelfread.markdown.node import Tree
from shelfread.markdown.parse import parse

_NEWLINE = re.compile(r"\r\n|\n|\r")
_MAX_PASSES = 3
_MAX_TRIES = 128
_REASON = "the page would change"
_NEWLINES = {"lf": "\n", "crlf": "\r\n"}


def format_source(source: Source, style: Style = Style()) -> FormatResult:  # noqa: B008  # a tuple is never changed
    """Return the formatted text; it shows the same page, and formatting it again changes nothing."""
    result = FormatResult(source.text, ())
    for _ in range(_MAX_PASSES):  # a formatted list may change what most lists of the text have
        text = result.text
        result = _format_once(Source(text, source.path), style)
        if result.text == text:
            break
    newline = _NEWLINES.get(style.end_of_line)
    return result if newline is None else result._replace(text=_NEWLINE.sub(newline, result.text))


def _format_once(source: Source, style: Style) -> FormatResult:
    tree = parse(source)
    text, protected = source.text, find_protected(source, tree)

    def allowed(edits: Iterable[TextEdit]) -> list[TextEdit]:
        return [edit for edit in edits if not overlaps_any(edit.start, edit.end, protected)]

    blocks = blank_lines.find_page_blocks(source, tree)
    layout, markers = ListLayout(source, tree.blocks, style), EmphasisMarkers(text, tree.blocks)
    between = (*blank_lines.final_newline_edits(source, blocks), *blank_line_edits(source, blocks))
    groups = [[edit] for edit in allowed(between)]
    by_block: list[tuple[PageBlock, list[TextEdit], list[TextEdit]]] = []
    for block in blocks:
        edits = allowed(_block_edits(source, block, layout, style, tree))
        emphasis = allowed(
            edit
            for edit in (markers.edits(block.block) if block.block is not None else ())
            if not overlaps_any(edit.start, edit.end, tree.protected)
        )
        if edits or emphasis:
            by_block.append((block, edits, emphasis))
    if not groups and not by_block:
        return FormatResult(text, ())
    page = read_page(text)

    def find_damage(groups: list[list[TextEdit]]) -> str | None:
        after = apply_edits(text, (edit for group in groups for edit in group))
        return None if is_same_page(page, read_page(after)) else _REASON

    together = [*groups, *([*edits, *emphasis] for _, edits, emphasis in by_block)]
    if find_damage(together) is None:
        return FormatResult(apply_edits(text, (edit for group in together for edit in group)), ())
    lines = set()
    for block, edits, emphasis in by_block:
        choices = ([*edits, *emphasis], edits)
        kept = next((choice for choice in choices if choice and _keeps_page(source, block, choice)), None)
        if kept is None:
            lines.add(block.first + 1)
        else:
            groups.append(kept)
    harmless, harmful = keep_harmless(groups, find_damage, _MAX_TRIES)
    lines.update(source.line_at(group[0].start) + 1 for group, _ in harmful)
    return FormatResult(
        apply_edits(text, (edit for group in harmless for edit in group)),
        tuple(UnformattedBlock(line, _REASON) for line in sorted(lines)),
    )


def _block_edits(
    source: Source, page_block: PageBlock, layout: ListLayout, style: Style, tree: Tree
) -> Iterator[TextEdit]:
    """Yield the edits of a block except its emphasis; of opaque parts only the indentation is edited."""
    edits = list(blank_lines.trailing_space_edits(source, page_block))
    block = page_block.block
    if block is not None and block.kind == "heading":
        edits = [*heading_edits(source, block), *edits]
    elif block is not None and block.kind == "list":
        edits += [*layout.edits(block), *blank_lines.list_blank_line_edits(source, block)]
    elif block is not None and block.kind == "table":
        edits = [*table_edits(source, block, style.table), *edits]
    elif block is not None and block.kind == "paragraph":
        start = source.starts[block.first]
        if indent := indentation(source.lines[block.first]):
            edits.append(TextEdit(start, start + len(indent), ""))
    for edit in edits:
        at_line_start = edit.start == source.starts[source.line_at(edit.start)]
        if block is None or at_line_start or not overlaps_any(edit.start, edit.end, tree.protected):
            yield edit


def _keeps_page(source: Source, block: PageBlock, edits: list[TextEdit]) -> bool:
    """Return whether a block, read alone, shows the same page with these edits."""
    start = source.starts[block.first]
    end = source.starts[block.last] if block.last < len(source.starts) else len(source.text)
    after = apply_edits(source.text, edits, start, end)
    return is_same_page(read_page(source.text[start:end]), read_page(after))
