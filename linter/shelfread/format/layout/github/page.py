"""What a text shows on GitHub: its blocks, and the text of each that has one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.reference import reference

from shelfread.core.support.named_tuple import NamedTuple
from shelfread.format.layout.github.blocks import read_blocks
from shelfread.format.layout.github.node import Node

_SPACES = " \t\n"


class GithubBlock(NamedTuple):
    """A top-level block: lines `first` to `last`, what each block in it shows beside its text, and the texts.

    Lines count from 0; `last` is the one behind the block, or behind the blank lines below it.
    """

    first: int
    last: int
    blocks: list[tuple[Any, ...]]
    contents: list[str]
    """Not parsed yet."""


def read_github_page(lines: Sequence[str], parser: MarkdownIt) -> list[GithubBlock]:
    """Return the blocks that lines show; `parser` knows what link reference definitions are."""

    def without_definitions(content: str) -> str:
        state = StateBlock(content, parser, {}, [])
        line = 0
        while line < state.lineMax and content.startswith("[", state.bMarks[line] + state.tShift[line]):
            if not reference(state, line, state.lineMax, False):
                break
            line = state.line
        return "\n".join(content.split("\n")[line:])

    found: list[GithubBlock] = []
    blocks = read_blocks(lines, without_definitions).blocks
    for block, below in zip_longest(blocks, blocks[1:]):
        shown, contents = [], []
        for one, texts in _flatten(block):
            shown.append(one)
            contents += texts
        found.append(GithubBlock(block.first, below.first if below else len(lines), shown, contents))
    return found


def _flatten(block: Node) -> Iterator[tuple[tuple[Any, ...], list[str]]]:
    pending: list[tuple[Node, int]] = [(block, 0)]
    while pending:
        node, depth = pending.pop()
        lines = node.lines
        if node.kind == "list":
            marker, start = node.attributes
            yield (depth, "list", marker in (".", ")"), start, node.is_tight), []
        elif node.kind in ("code", "html"):
            if node.kind == "html" or not node.numbers:
                while lines and not lines[-1].strip(" \t"):
                    lines = lines[:-1]
            yield (depth, node.kind, node.attributes[1:], tuple(lines)), []
        elif node.kind == "row":
            yield (depth, "row", len(lines)), lines
        elif node.kind in ("paragraph", "heading"):
            yield (depth, node.kind, node.attributes[1:]), ["\n".join(lines).strip(_SPACES)]
        else:
            yield (depth, node.kind, node.attributes), []
        pending += [(block, depth + 1) for block in reversed(node.blocks)]
