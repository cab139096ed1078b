"""What a text shows on GitHub: its blocks, and the text of each that has one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.reference import reference

from shelfread.format.layout.github.blocks import read_blocks
from shelfread.format.layout.github.node import Node

_SPACES = " \t\n"


class GithubPage(NamedTuple):
    """The blocks in order with what they show beside their text, and the texts, not parsed yet."""

    blocks: list[tuple[Any, ...]]
    contents: list[str]


def read_github_page(lines: Sequence[str], parser: MarkdownIt) -> GithubPage:
    """Return what lines show; `parser` knows what link reference definitions are."""

    def without_definitions(content: str) -> str:
        state = StateBlock(content, parser, {}, [])
        line = 0
        while line < state.lineMax and content.startswith("[", state.bMarks[line] + state.tShift[line]):
            if not reference(state, line, state.lineMax, False):
                break
            line = state.line
        return "\n".join(content.split("\n")[line:])

    page = GithubPage([], [])
    for shown, contents in _flatten(read_blocks(lines, without_definitions)):
        page.blocks.append(shown)
        page.contents.extend(contents)
    return page


def _flatten(document: Node) -> Iterator[tuple[tuple[Any, ...], list[str]]]:
    pending: list[tuple[Node, int]] = [(document, 0)]
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
