"""Comments for remark-lint and awesome-lint: `<!--lint disable awesome-list-item-->`."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from pathlib import Path

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.core.yaml_files import load_table
from shelfread.markdown.node import Block, Break, Emphasis, Html, Inline, Link, Text, Tree

COMMENT = lazy(r"<!--\s*lint\s+(disable|enable|ignore)(?=\s|-->)")


_RULES: dict[str, str] = load_table(Path(__file__).with_name("remark_lint.yaml"))


def equivalent_rules(name: str) -> tuple[str, ...]:
    """Return our rules that check what a rule of remark-lint checks; none if there are none."""
    return tuple(_RULES.get(name.removeprefix("remark-lint-"), "").split())


def next_node_end(tree: Tree, comment: Span) -> int | None:
    """Return the end of the node after a comment in the same block, to which `ignore` applies."""
    blocks: Sequence[Block] = tree.blocks
    while True:
        index = bisect_right(blocks, comment.start, key=lambda block: block.start) - 1
        if index < 0 or blocks[index].end < comment.end:
            return None
        block = blocks[index]
        if block.blocks:
            blocks = block.blocks
            continue
        end = _next_inline_end(block.inlines, comment)
        if end is None and block.kind == "html":
            end = next((after.end for after in blocks[index + 1 :] if not _is_comment(after)), None)
        return end


def _is_comment(block: Block) -> bool:
    return block.kind == "html" and all(_is_blank(node) for node in block.inlines)


def _next_inline_end(inlines: Sequence[Inline], comment: Span) -> int | None:
    while True:
        index = bisect_right(inlines, comment.start, key=lambda node: node.start) - 1
        if index < 0:
            return None
        node = inlines[index]
        if isinstance(node, Emphasis | Link) and node.children:
            inlines = node.children
            continue
        return next((after.end for after in inlines[index + 1 :] if not _is_blank(after)), None)


def _is_blank(node: Inline) -> bool:
    if isinstance(node, Text):
        return not node.value.strip()
    return isinstance(node, Break) or (isinstance(node, Html) and node.tag == "!")
