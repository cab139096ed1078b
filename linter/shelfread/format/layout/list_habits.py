"""What the lists of a text have throughout: bullets, the spaces behind markers, and indentation."""

from __future__ import annotations

from collections.abc import Sequence

from shelfread.core.source import Source
from shelfread.format.habits import Habits, Section
from shelfread.format.layout.blank_lines import PageBlock
from shelfread.format.layout.columns import TAB, column, indentation
from shelfread.format.layout.list_items import ListItem, is_aligned, read_item
from shelfread.markdown.node import Block

MAX_SPACES = 4
"""More spaces behind a marker are the beginning of indented code."""


class ListHabits:
    """The habits of a text's lists, of ordered items (True) and of others (False)."""

    def __init__(self, source: Source, blocks: Sequence[PageBlock]) -> None:
        self.source = source
        self.top: Habits[None, int] = Habits()
        """The column of top-level lists."""
        self.bullets: Habits[int, str] = Habits()
        """The bullet of each depth."""
        self.gaps: Habits[bool, str] = Habits()
        """The spaces behind markers."""
        self.steps: Habits[bool, int] = Habits()
        """How far a nested marker is from its parent's, by the kind of the parent."""
        self.hangs: Habits[bool, int] = Habits()
        """How far the further lines of an item's text are from its marker."""
        self.tabs: Habits[None, bool] = Habits()
        """Whether lines that could be are indented with tabs."""
        for page_block in blocks:
            if page_block.block is not None and page_block.kind == "list":
                self._add_list(page_block.block, page_block.section)

    def _add_list(self, top: Block, section: Section) -> None:
        pending: list[tuple[Block, int, ListItem | None]] = [(top, 0, None)]
        while pending:
            block, depth, parent = pending.pop()
            aligned = is_aligned(self.source, block)
            for child in block.blocks:
                item = read_item(self.source, child, block, depth)
                self._add_item(item, block, parent, section, aligned)
                pending += [(inner, depth + 1, item) for inner in child.blocks if inner.kind == "list"]

    def _add_item(
        self, item: ListItem, block: Block, parent: ListItem | None, section: Section, aligned: bool
    ) -> None:
        if not item.ordered:
            self.bullets.add(item.depth, section, block.marker)
        if item.block.blocks and 0 < item.spaces <= MAX_SPACES and not aligned:
            self.gaps.add(item.ordered, section, item.gap)
        if item.begins_line:
            self._add_indentation(item.block.first, section)
            if aligned:
                pass
            elif parent is None:
                self.top.add(None, section, item.marker)
            else:
                self.steps.add(parent.ordered, section, item.marker - parent.marker)
        for inner in item.block.blocks:
            if inner.kind == "paragraph":
                for number in range(max(inner.first, item.block.first + 1), inner.last):
                    line = self.source.lines[number]
                    self.hangs.add(item.ordered, section, column(line, len(indentation(line))) - item.marker)
                    self._add_indentation(number, section)

    def _add_indentation(self, number: int, section: Section) -> None:
        line = self.source.lines[number]
        before = indentation(line)
        if column(line, len(before)) >= TAB:
            self.tabs.add(None, section, "\t" in before)
