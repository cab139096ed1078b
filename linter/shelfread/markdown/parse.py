"""A source's syntax tree: markdown-it-py's tokens made into nodes, every one with its exact span."""

from __future__ import annotations

from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.common.utils import MD_TRIM_CHARS
from markdown_it.token import Token

from shelfread.core.diagnostics import Span
from shelfread.core.source import Source
from shelfread.markdown.definitions import build_definitions
from shelfread.markdown.fast_inlines import read_fast_inlines
from shelfread.markdown.inlines import CommentsAndCode, build_html, build_inlines
from shelfread.markdown.node import Block, Inline, Tree
from shelfread.markdown.parser import make_parser
from shelfread.markdown.protected import find_front_matter, find_protected
from shelfread.markdown.source_map import SourceMap, map_content, map_heading, map_row

_KINDS = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "list_item_open": "item",
    "blockquote_open": "quote",
    "table_open": "table",
}
_LEAVES = {"fence": "code", "code_block": "code", "html_block": "html", "hr": "rule"}


@cache
def _parser() -> MarkdownIt:
    return make_parser()


def parse(source: Source) -> Tree:
    """The tree of a whole text; never fails, whatever the text."""
    front = find_front_matter(source)
    text = source.text
    if front or "\r" in text:
        # Front matter is no Markdown: blank lines in its place keep all others where they are.
        text = "\n".join([""] * front + source.lines[front:])
    builder = _Builder(text.replace("\0", "\ufffd"), source)
    blocks, seen = builder.build(), builder.seen
    seen.comments.sort()
    zones = find_protected(source, front, seen)
    return Tree(blocks, build_definitions(builder.env, source), zones, tuple(seen.comments))


class _Builder:
    """One walk over the flat block tokens, whose `meta` tells the columns; inline content is parsed on it."""

    def __init__(self, text: str, source: Source) -> None:
        self.source = source
        self.parser = _parser()
        self.env: dict[str, Any] = {}
        self.tokens: list[Token] = []
        self.parser.block.parse(text, self.parser, self.env, self.tokens)
        self.defined = bool(self.env.get("references"))
        self.seen = CommentsAndCode([], [])
        self.at = 0

    def build(self) -> tuple[Block, ...]:
        """The blocks up to the closing token of this level."""
        blocks: list[Block] = []
        tokens = self.tokens
        while self.at < len(tokens):
            token = tokens[self.at]
            self.at += 1
            if token.nesting < 0:
                break
            kind = token.type
            if kind in _KINDS:
                blocks.append(self._container(token, _KINDS[kind]))
            elif kind in _LEAVES:
                blocks.append(self._leaf(token, _LEAVES[kind]))
        return tuple(blocks)

    def _container(self, token: Token, kind: str) -> Block:
        if kind == "heading" or kind == "paragraph":
            return self._prose(token, kind)
        if kind == "table":
            return self._table(token)
        start, end, first, last = self._extent(token)
        mark, level, tight = token.markup, 0, True
        if kind == "item":
            level = int(token.info or 0)
        elif kind == "list":
            level = int(token.attrs.get("start", 1)) if token.type == "ordered_list_open" else 0
            tight = self._is_tight()
        return Block(kind, start, end, first, last, self.build(), (), level, mark, tight)

    def _is_tight(self) -> bool:
        """Whether the list that opened just now is tight: its first paragraph then is hidden."""
        depth = 0
        for i in range(self.at, len(self.tokens)):
            token = self.tokens[i]
            depth += token.nesting
            if depth < 0:
                break
            if depth == 2 and token.type == "paragraph_open":
                return token.hidden
        return True

    def _prose(self, token: Token, kind: str) -> Block:
        inline = self.tokens[self.at]
        self.at += 2
        start, end, first, last = self._extent(token)
        level = int(token.tag[1]) if kind == "heading" else 0
        columns, content = token.meta["columns"], inline.content
        if token.markup[:1] == "#":
            placed = map_heading(content, first, columns[0], self.source)
        else:
            placed = map_content(content, first, columns, self.source)
        inlines = self._inlines(content, placed)
        start = min(start, placed.source_offsets[0])
        return Block(kind, start, end, first, last, (), inlines, level, token.markup[:1])

    def _table(self, token: Token) -> Block:
        start, end, first, last = self._extent(token)
        rows: list[Block] = []
        while (row := self.tokens[self.at]).type == "row":
            rows.append(self._row(row, int(bool(rows))))
            self.at += 1
        self.at += 1
        return Block("table", start, end, first, last, tuple(rows))

    def _row(self, row: Token, level: int) -> Block:
        start, end, line, last = self._extent(row)
        contents = row.meta["cells"]
        places = map_row(contents, line, row.meta["column"], self.source)
        cells = tuple(
            self._cell(content, placed, line) for content, placed in zip(contents, places, strict=True)
        )
        return Block("row", start, end, line, last, cells, (), level)

    def _cell(self, content: str, placed: SourceMap, line: int) -> Block:
        inlines = self._inlines(content, placed)
        return Block(
            "cell", placed.source_offsets[0], placed.to_source(len(content)), line, line + 1, (), inlines
        )

    def _inlines(self, content: str, placed: SourceMap) -> tuple[Inline, ...]:
        if len(placed.offsets) == content.count("\n") + 1:
            plain = read_fast_inlines(content, placed, self.defined, self.seen.code)
            if plain is not None:
                return plain
        tokens = self.parser.inline.parse(content, self.parser, self.env, [])
        return build_inlines(tokens, content, placed, self.seen)

    def _leaf(self, token: Token, kind: str) -> Block:
        start, end, first, last = self._extent(token)
        inlines: tuple[Inline, ...] = ()
        if kind == "html":
            content = token.content.strip(MD_TRIM_CHARS)
            placed = map_content(content, first, token.meta["columns"], self.source)
            inlines = build_html(content, placed, self.seen)
            start = min(start, placed.source_offsets[0])
        elif kind == "code":
            line_end = self.source.starts[last - 1] + len(self.source.lines[last - 1])
            self.seen.code.append(Span(start, line_end))
        return Block(kind, start, end, first, last, (), inlines, 0, token.markup)

    def _extent(self, token: Token) -> tuple[int, int, int, int]:
        """Where a block begins and ends, and its first line and the one after its last."""
        first, last = (token.map or [0])[0], token.meta["last"]
        lines, starts = self.source.lines, self.source.starts
        end = starts[last - 1] + len(lines[last - 1].rstrip(" \t"))
        return starts[first] + token.meta["column"], end, first, last
