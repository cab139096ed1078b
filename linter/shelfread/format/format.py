"""Format a text where it differs from its habits, block by block; a block whose page would change is left alone and reported."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from shelfread.core.diagnostics import Span, TextEdit, apply_edits
from shelfread.core.source import Source
from shelfread.fixes.conservation import Damage, Search
from shelfread.format import blank_lines
from shelfread.format.blank_lines import BlankLines, PageBlock, find_protected, overlaps_any
from shelfread.format.headings import EmphasisMarkers, Headings, TrailingSpaces
from shelfread.format.lists import ListLayout
from shelfread.format.result import FormatResult, Style, UnformattedBlock, line_origins, unchanged
from shelfread.format.same_page import find_changed_places, is_same_page, read_page
from shelfread.markdown.node import Tree
from shelfread.markdown.parse import parse

_NEWLINE = re.compile(r"\r\n|\n|\r")
_MAX_PASSES = 3
_MAX_TRIES = 128
_REASON = "that would change what the page shows: edit it by hand, or leave it"
_OUTSIDE = "the text below it is indented by {found}, but belongs to the item only from {wanted} on: indent it further"
_ACCIDENT = "the line below it makes it a heading: add a blank line between them, or begin it with '#'"
_NEWLINES = {"lf": "\n", "crlf": "\r\n"}


def format_source(
    source: Source,
    style: Style = Style(),  # noqa: B008  # a tuple is never changed
    touched: Sequence[bool] | None = None,
) -> FormatResult:
    """Return the formatted text; it shows the same page, and formatting it again changes nothing.

    `touched` says which lines may be edited, and then no line end changes; None are all.
    """
    newline = _NEWLINES.get(style.end_of_line)
    if (
        newline is not None and touched is None
    ):  # first, since the spaces between two newlines may keep them from being one
        source = Source(_NEWLINE.sub(newline, source.text), source.path)
    result = unchanged(source)
    for _ in range(_MAX_PASSES):  # a formatted list may change what most lists of the text have
        text = result.text
        lines = None if touched is None else [touched[line] for line in result.origins]
        result = _format_once(Source(text, source.path), style, lines).following(result)
        if result.text == text:
            break
    return result


def _format_once(source: Source, style: Style, touched: Sequence[bool] | None) -> FormatResult:
    tree = parse(source)
    text, protected = source.text, find_protected(source, tree)

    def is_touched(edit: TextEdit) -> bool:
        """Return whether an edit keeps to touched lines, or inserts something beside one."""
        if touched is None:
            return True
        first, last = source.line_at(edit.start), source.line_at(max(edit.start, edit.end - 1))
        if edit.start == edit.end and edit.start == source.starts[first]:
            return any(touched[max(first - 1, 0) : first + 1])
        old, new = text[edit.start : edit.end], edit.text
        fewer = 0 if (old + new).strip() else old.count("\n") - new.count("\n")
        # Of blank lines below each other nobody can tell which are new.
        return all(touched[first : last + 1]) or 0 < fewer <= sum(touched[first : last + 1])

    def allowed(edits: Iterable[TextEdit]) -> list[TextEdit]:
        return [
            edit for edit in edits if not overlaps_any(edit.start, edit.end, protected) and is_touched(edit)
        ]

    blocks = blank_lines.find_page_blocks(source, tree, protected)
    layout = _Layout(source, tree, blocks, style)
    between = (*blank_lines.final_newline_edits(source, blocks), *layout.blank_lines.edits())
    groups = [[edit] for edit in allowed(between)]
    by_block: list[tuple[PageBlock, list[TextEdit], list[TextEdit]]] = []
    unformatted = set()
    for block in blocks:
        edits = allowed(layout.edits(block))
        emphasis = allowed(
            edit
            for edit in (layout.emphasis.edits(block.block, block.section) if block.block is not None else ())
            if not overlaps_any(edit.start, edit.end, tree.protected)
        )
        if edits or emphasis:
            by_block.append((block, edits, emphasis))
        if (
            block.kind == "heading"
            and block.block is not None
            and (touched is None or any(touched[block.first : block.last]))
            and layout.headings.is_accident(block.block)
        ):
            unformatted.add(UnformattedBlock(block.first + 1, _ACCIDENT))
    if not groups and not by_block:
        return unchanged(source)._replace(unformatted=tuple(sorted(unformatted)))
    page = read_page(text)

    def find_damage(groups: Sequence[list[TextEdit]]) -> list[Damage]:
        edits = [edit for group in groups for edit in group]
        after = Source(apply_edits(text, edits), source.path)
        after_page = read_page(after.text)
        if is_same_page(page, after_page):
            return []
        changed = find_changed_places(page, after_page, line_origins(source, after, edits))
        return [Damage(_REASON, _span_of(source, lines)) for lines in changed] or [Damage(_REASON, None)]

    def result(groups: list[list[TextEdit]]) -> FormatResult:
        edits = [edit for group in groups for edit in group]
        after = Source(apply_edits(text, edits), source.path)
        return FormatResult(after.text, tuple(sorted(unformatted)), line_origins(source, after, edits))

    def reason_at(line: int) -> str:
        for block, below in pairwise(blocks):
            if block.first <= line < block.last and block.kind == "list" and below.kind == "paragraph":
                return _outside(source, block, below) or _REASON
        return _REASON

    together = [*groups, *([*edits, *emphasis] for _, edits, emphasis in by_block)]
    if not find_damage(together):
        return result(together)
    for block, edits, emphasis in by_block:
        choices = ([*edits, *emphasis], edits)
        kept = next((choice for choice in choices if choice and _keeps_page(source, block, choice)), None)
        if kept is None:
            unformatted.add(UnformattedBlock(block.first + 1, reason_at(block.first)))
        else:
            groups.append(kept)
    search = Search(_places_of, find_damage, _MAX_TRIES)
    search.run([groups] if groups else [])
    harmful = [*search.harmful, *search.harmful_together]
    for group, _ in harmful:
        line = source.line_at(group[0].start)
        unformatted.add(UnformattedBlock(line + 1, reason_at(line)))
    return result(search.kept)


def _outside(source: Source, block: PageBlock, below: PageBlock) -> str | None:
    """Return what is wrong with an indented paragraph below a list, which does not belong to the last item."""
    item = block.block.blocks[-1] if block.block is not None else None
    line = source.lines[below.first]
    found = len(line) - len(line.lstrip(" "))
    if not found or item is None or not item.blocks:
        return None
    wanted = item.blocks[0].start - source.starts[item.first]
    return _OUTSIDE.format(found=found, wanted=wanted) if found < wanted else None


def _span_of(source: Source, lines: range) -> Span:
    return Span(source.starts[lines.start], source.start_of(lines.stop))


def _places_of(edits: Sequence[TextEdit]) -> list[Span]:
    return [Span(min(edit.start for edit in edits), max(edit.end for edit in edits))]


class _Layout:
    """What a text does throughout, and the edits of what does not."""

    def __init__(self, source: Source, tree: Tree, blocks: list[PageBlock], style: Style) -> None:
        self.source, self.tree, self.style = source, tree, style
        self.blank_lines = BlankLines(source, blocks)
        shown = [block for block in blocks if not block.is_protected]
        self.trailing_spaces = TrailingSpaces(source, shown)
        self.lists = ListLayout(source, tree.blocks, shown, style)
        self.headings = Headings(source, shown)
        self.emphasis = EmphasisMarkers(source.text, shown)

    def edits(self, page_block: PageBlock) -> Iterator[TextEdit]:
        """Yield the edits of a block except its emphasis; of opaque parts only the indentation is edited."""
        source, block = self.source, page_block.block
        edits = list(self.trailing_spaces.edits(page_block))
        if block is not None and block.kind == "heading":
            edits = [*self.headings.edits(block), *edits]
        elif block is not None and block.kind == "list":
            edits += self.lists.edits(block, page_block.section)
            edits += self.blank_lines.list_edits(block, page_block.section)
        for edit in edits:
            at_line_start = edit.start == source.starts[source.line_at(edit.start)]
            opaque = self.tree.protected
            if block is None or at_line_start or not overlaps_any(edit.start, edit.end, opaque):
                yield edit


def _keeps_page(source: Source, block: PageBlock, edits: list[TextEdit]) -> bool:
    """Return whether a block, read alone, shows the same page with these edits."""
    start, end = _span_of(source, range(block.first, block.last))
    after = apply_edits(source.text, edits, start, end)
    return is_same_page(read_page(source.text[start:end]), read_page(after))
