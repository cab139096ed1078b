"""Parses a source into a syntax tree: markdown-it-py's tokens as nodes with exact spans, plain passages by a short way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from threading import local
from typing import Any

from markdown_it.common.utils import MD_TRIM_CHARS, normalizeReference, unescapeAll
from markdown_it.helpers import parseLinkDestination
from markdown_it.token import Token

from shelfread.core.diagnostics import Span, merged
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.markdown.gfm import may_contain_url, text_and_urls, url_end
from shelfread.markdown.inlines import (
    CommentsAndCode,
    InlineBuilder,
    SourceMap,
    map_content,
    map_heading,
    map_row,
)
from shelfread.markdown.node import Block, Break, Code, Definition, Emphasis, Html, Inline, Link, Text, Tree
from shelfread.markdown.parser import make_parser

# Words. `_` may stand between letters only, where it is not a delimiter.
_WORDS = r"[^\n\\`~*_\[\]!<&]*(?:(?<=[^\W_])_(?=[^\W_])[^\n\\`~*_\[\]!<&]*)*"
_DESTINATION = (
    r"(?=[^)])[^\s()<>\\&\x00-\x1f\x7f]*(?:\([^\s()<>\\&\x00-\x1f\x7f]*\)[^\s()<>\\&\x00-\x1f\x7f]*)?"
)
# A special character and the context that makes it unambiguous. A delimiter of emphasis can either only open
# or only close it. A bracket is text if the document has no definitions and `](` occurs in plain links only.
_SPECIAL = lazy(
    rf"""[\n\\`~*_\[\]!<&](?:
        (?P<link> (?<=\[) (?P<words>{_WORDS}) \] \( (?P<url>{_DESTINATION}) \) )
      | (?P<break> (?<=[\n]) [ \t]* | (?<=\\) \n [ \t]* )
      | (?P<bracketed> (?<=\[) (?P<label>{_WORDS} \[ {_WORDS} \] (?!\() {_WORDS}) \] \( (?P<target>{_DESTINATION}) \) )
      | (?P<bracket> (?<=\[) (?!!\[) )
      | (?P<text> (?<=\]) (?!\() | (?<=[^\W_]_) (?=[^\W_]) | (?<=!) (?!\[)
          | (?<=&) (?![#\w]) | (?<=<) (?![A-Za-z/!?]) | (?<=~) (?<!~~) (?!~) )
      | (?P<emphasis> (?<=\*) (?<!\*\*) (?: (?=\*?[^\W_]) | (?<![^ \n(]\*) (?=\*?[^\s*]) )
          (?P<star>\*?) (?: (?P<inner>{_WORDS}) | \[ (?P<name>{_WORDS}) \] \( (?P<page>{_DESTINATION}) \) ) (?<=[^\s*])
          (?: (?<=[^\W_]) \*(?P=star) (?!\*) | \*(?P=star) (?=[ \n.,;:)\]]|\Z) ) )
      | (?P<code> (?<=`) (?<!``) (?![ ]) (?P<content>[^`\n]+) ` (?!`) )
      | (?P<image> (?<=!) \[ (?P<alt>{_WORDS}) \] \( (?P<src>{_DESTINATION}) \) )
      | (?P<badge> (?<=\[) !\[ (?P<badge_alt>{_WORDS}) \] \( (?P<badge_src>{_DESTINATION}) \) \] \( (?P<badge_url>{_DESTINATION}) \) )
      | (?P<line> (?<=<) br[ ]?/?> )
    )?""",
    re.VERBOSE,
)


def read_fast_inlines(
    content: str, source_map: SourceMap, has_definitions: bool, code: list[Span]
) -> tuple[Inline, ...] | None:
    """Return the nodes of unambiguous content, or None if it needs the parser; code spans are appended to `code`."""
    nodes: list[Inline] = []
    code_spans: list[Span] = []
    done = line = 0
    base = source_map.source_offsets[0]  # from an offset in the content to one in the source, on this line
    for match in _SPECIAL.finditer(content):
        kind = match.lastgroup
        if kind == "text" or (kind == "bracket" and not has_definitions):
            continue
        if kind is None or kind == "bracket" or (kind == "bracketed" and has_definitions):
            return None
        first, after = match.span()
        if kind == "break":
            soft = content[first] == "\n"
            words = content[done:first]
            if soft:
                words = words.rstrip(" ")
            if words:
                _add_text(nodes, words, base + done)
            start = base + done + len(words)
            line += 1
            base = source_map.source_offsets[line] - source_map.offsets[line]
            nodes.append(Break(start, base + after, not soft or content.endswith("  ", done, first)))
            done = after
            continue
        if first > done:
            _add_text(nodes, content[done:first], base + done)
        start, end, done = base + first, base + after, after
        if kind == "link":
            nodes.append(_plain_link(start, match["words"], match["url"]))
        elif kind == "emphasis":
            if url_end(content, first, len(content)) > first:
                return None  # its delimiter is a part of a URL
            delimiter = "*" + match["star"]
            inner: list[Inline] = []
            if match["page"] is None:
                _add_text(inner, match["inner"], start + len(delimiter))
            else:
                inner.append(_plain_link(start + len(delimiter), match["name"], match["page"]))
            nodes.append(Emphasis(start, end, delimiter, tuple(inner)))
        elif kind == "bracketed":
            nodes.append(_plain_link(start, match["label"], match["target"]))
        elif kind == "image":
            nodes.append(_plain_link(start, match["alt"], match["src"], image=True))
        elif kind == "badge":
            image = _plain_link(start + 1, match["badge_alt"], match["badge_src"], image=True)
            nodes.append(_link(start, image.end, match["badge_url"], Span(start + 1, image.end), (image,)))
        elif kind == "code":
            nodes.append(Code(start, end, match["content"]))
            code_spans.append(Span(start, end))
        else:
            nodes.append(Html(start, end, "br", match[0]))
    if done < len(content):
        _add_text(nodes, content[done:] if done else content, base + done)
    code += code_spans
    return tuple(nodes)


def _add_text(nodes: list[Inline], value: str, start: int) -> None:
    if may_contain_url(value):
        nodes.extend(text_and_urls(value, 0, start.__add__))
    else:
        nodes.append(Text(start, start + len(value), value))


def _plain_link(start: int, words: str, url: str, image: bool = False) -> Link:
    """Return a link or an image whose text is plain words."""
    begin = start + 1 + image
    close = begin + len(words)
    children = (Text(begin, close, words),) if words else ()
    return _link(start, close, url, Span(begin, close), children, image)


def _link(
    start: int, close: int, url: str, text: Span, children: tuple[Inline, ...], image: bool = False
) -> Link:
    """Return a link whose destination follows the bracket at offset `close`."""
    end = close + 2 + len(url)
    return Link(start, end + 1, "inline", url, text, Span(close + 2, end), None, "", image, children)


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
_LABEL = lazy(r"\[((?:[^\[\]\\]|\\.)*)\]:[ \t\n]*", re.DOTALL)
_BOX = lazy(r"\[[ xX]\][ \t]+")
_SPACES = " \t\n"


class _Local(local):
    """A thread's own parser: it remembers where the last link was read."""

    def __init__(self) -> None:
        self.parser = make_parser()


_thread = _Local()


def parse(source: Source) -> Tree:
    """Return the syntax tree of a source. Never fails on any text."""
    text, front_matter = source.text, find_front_matter(source)
    if front_matter or "\r" in text:
        # Front matter is not Markdown. Blank lines in its place keep the numbers of the other lines.
        text = "\n".join([""] * front_matter + source.lines[front_matter:])
    builder = _TreeBuilder(text.replace("\0", "\ufffd"), source)
    blocks, collected = builder.build(), builder.collected
    collected.comments.sort(key=lambda comment: comment.start)
    protected = find_protected(source, front_matter, collected)
    # The block parser has recorded the lines and columns of definitions.
    placed = builder.env.get("definitions", ())
    definitions = (_definition(first, columns, source) for first, columns in placed)
    return Tree(blocks, tuple(definitions), protected, tuple(collected.comments))


class _TreeBuilder:
    """Converts the flat list of block tokens in one pass, and parses their inline content."""

    def __init__(self, text: str, source: Source) -> None:
        self.source = source
        self.parser = _thread.parser
        self.env: dict[str, Any] = {}
        self.tokens: list[Token] = []
        self.parser.block.parse(text, self.parser, self.env, self.tokens)
        self.has_definitions = bool(self.env.get("references"))
        self.collected = CommentsAndCode([], [])
        self.index = 0

    def build(self) -> tuple[Block, ...]:
        """Return the blocks up to the closing token of the current level."""
        blocks: list[Block] = []
        tokens = self.tokens
        while self.index < len(tokens):
            token = tokens[self.index]
            self.index += 1
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
        level, tight = 0, True
        if kind == "item":
            level = int(token.info or 0)
        elif kind == "list":
            level = int(token.attrs.get("start", 1)) if token.type == "ordered_list_open" else 0
            tight = self._is_tight()
        blocks = self.build()
        if kind == "item" and blocks and blocks[0].kind == "paragraph":
            blocks = (_without_box(blocks[0], self.source.text), *blocks[1:])
        return Block(kind, start, end, first, last, blocks, (), level, token.markup, tight)

    def _is_tight(self) -> bool:
        """Return whether the list whose opening token was just read is tight: its paragraphs are hidden."""
        depth = 0
        for i in range(self.index, len(self.tokens)):
            token = self.tokens[i]
            depth += token.nesting
            if depth < 0:
                break
            if depth == 2 and token.type == "paragraph_open":
                return token.hidden
        return True

    def _prose(self, token: Token, kind: str) -> Block:
        inline = self.tokens[self.index]
        self.index += 2
        start, end, first, last = self._extent(token)
        level = int(token.tag[1]) if kind == "heading" else 0
        columns, content = token.meta["columns"], inline.content
        if token.markup[:1] == "#":
            source_map = map_heading(content, first, columns[0], self.source)
        else:
            source_map = map_content(content, first, columns, self.source)
        inlines = self._inlines(content, source_map)
        start = min(start, source_map.source_offsets[0])
        return Block(kind, start, end, first, last, (), inlines, level, token.markup[:1])

    def _table(self, token: Token) -> Block:
        start, end, first, last = self._extent(token)
        rows: list[Block] = []
        while (row := self.tokens[self.index]).type == "row":
            rows.append(self._row(row, int(bool(rows))))
            self.index += 1
        self.index += 1
        return Block("table", start, end, first, last, tuple(rows))

    def _row(self, row: Token, level: int) -> Block:
        start, end, line, last = self._extent(row)
        contents = row.meta["cells"]
        maps = map_row(contents, line, row.meta["column"], self.source)
        cells = tuple(self._cell(*cell, line) for cell in zip(contents, maps, strict=True))
        return Block("row", start, end, line, last, cells, (), level)

    def _cell(self, content: str, source_map: SourceMap, line: int) -> Block:
        start, end = source_map.source_offsets[0], source_map.to_source(len(content))
        return Block("cell", start, end, line, line + 1, (), self._inlines(content, source_map))

    def _inlines(self, content: str, source_map: SourceMap) -> tuple[Inline, ...]:
        if len(source_map.offsets) == content.count("\n") + 1:
            inlines = read_fast_inlines(content, source_map, self.has_definitions, self.collected.code)
            if inlines is not None:
                return inlines
        tokens = self.parser.inline.parse(content, self.parser, self.env, [])
        return InlineBuilder(content, source_map, self.collected).build(tokens)

    def _leaf(self, token: Token, kind: str) -> Block:
        start, end, first, last = self._extent(token)
        inlines: tuple[Inline, ...] = ()
        if kind == "html":
            content = token.content.strip(MD_TRIM_CHARS)
            source_map = map_content(content, first, token.meta["columns"], self.source)
            inlines = InlineBuilder(content, source_map, self.collected).build_html()
            start = min(start, source_map.source_offsets[0])
        elif kind == "code":
            line_end = self.source.starts[last - 1] + len(self.source.lines[last - 1])
            self.collected.code.append(Span(start, line_end))
        return Block(kind, start, end, first, last, (), inlines, 0, token.markup)

    def _extent(self, token: Token) -> tuple[int, int, int, int]:
        """Return the start and end offsets of a block, its first line and the line after its last one."""
        first, last = (token.map or [0])[0], token.meta["last"]
        lines, starts = self.source.lines, self.source.starts
        end = starts[last - 1] + len(lines[last - 1].rstrip(" \t"))
        return starts[first] + token.meta["column"], end, first, last


def _without_box(paragraph: Block, source: str) -> Block:
    """Return the first paragraph of an item without the box of a task, which is no text of it: `[x] Tidy Shelves`."""
    text, *others = paragraph.inlines or (None,)
    if not isinstance(text, Text) or (box := _BOX.match(source, text.start, text.end)) is None:
        return paragraph
    rest = Text(box.end(), text.end, text.value[box.end() - box.start() :])
    return paragraph._replace(inlines=(rest, *others) if rest.value else tuple(others))


def _definition(first: int, columns: list[int], source: Source) -> Definition:
    lines = [source.lines[first + i][column:] for i, column in enumerate(columns)]
    offsets = [0]
    for line in lines[:-1]:
        offsets.append(offsets[-1] + len(line) + 1)
    source_offsets = [source.starts[first + i] + column for i, column in enumerate(columns)]
    to_source = SourceMap(offsets, source_offsets).to_source
    text = "\n".join(lines)
    match = _LABEL.match(text)
    assert match is not None, "the parser read a label here"
    start = match.end()
    end = after = parseLinkDestination(text, start, len(text)).pos
    if text.startswith("<", start):
        start, end = start + 1, end - 1
    title = text[after:].strip(_SPACES)
    opening = len(text) - len(text[after:].lstrip(_SPACES))
    return Definition(
        to_source(0),
        to_source(len(text.rstrip(_SPACES))),
        normalizeReference(match.group(1)),
        Span(to_source(1), to_source(match.end(1))),
        unescapeAll(text[start:end]),
        Span(to_source(start), to_source(end)),
        Span(to_source(opening + 1), to_source(opening + len(title) - 1)) if len(title) > 2 else None,
    )


# Template tags of Liquid, Jinja and GitBook, on one line.
_TEMPLATE = lazy(r"\{%(?:(?!\{%|%\})[^\r\n])*%\}|\{\{(?:(?!\{\{|\}\})[^\r\n])*\}\}")
# GitHub's math: `$...$` on one line, but not prices; `$$...$$` without blank lines.
_MATH = lazy(r"\$(?<![\\$\w]\$)(?![\s$])[^$\r\n]*(?<![\s\\$])\$(?![\w$])")
_MATH_BLOCK = lazy(r"\$\$(?<!\$\$\$)(?!\$)(?:[^$\r\n]|(?:\r\n|\r|\n)(?![ \t]*[\r\n]))+\$\$(?!\$)")
# Generated parts (doctoc, all-contributors): <!-- START x --> ... <!-- END x -->, or x:START ... x:END.
_BEGIN = lazy(r"<!--\s*(?:START\s+(?P<a>[\w.-]+)|(?P<b>[\w.-]+):START)", re.IGNORECASE)
_END = lazy(r"<!--\s*(?:END\s+(?P<a>[\w.-]+)|(?P<b>[\w.-]+):END)", re.IGNORECASE)
# What front matter begins with, comments apart. Else `---` is a rule.
_KEY = {"---": lazy(r"""["'\w][^:]*:(?:\s|$)"""), "+++": lazy(r"""["'\w][^=]*=|\[.*\]\s*$""")}


def find_front_matter(source: Source) -> int:
    """Return the number of lines of YAML (`---`) or TOML (`+++`) front matter, 0 if there is none."""
    fence = source.lines[0].rstrip()
    key = _KEY.get(fence)
    first_line = next((line for line in source.lines[1:] if not line.startswith("#")), "")
    if key is None or not key.match(first_line):
        return 0
    closing = (fence, "...") if fence == "---" else (fence,)
    for index, line in enumerate(source.lines[1:], 1):
        if line.rstrip() in closing:
            return index + 1
    return 0


def find_protected(source: Source, front_matter: int, collected: CommentsAndCode) -> tuple[Span, ...]:
    """Return the protected spans, sorted and merged. `front_matter` is its number of lines."""
    text = source.text
    spans = [*collected.code, *(Span(comment.start, comment.end) for comment in collected.comments)]
    if front_matter:
        spans.append(Span(0, source.start_of(front_matter)))
    spans += _generated(collected)
    if "{%" in text or "{{" in text:
        spans += [Span(*match.span()) for match in _TEMPLATE.finditer(text)]
    if "$" in text:
        spans += [Span(*match.span()) for match in _MATH.finditer(text)]
        spans += [Span(*match.span()) for match in _MATH_BLOCK.finditer(text)]
    return tuple(merged(spans))


def _generated(collected: CommentsAndCode) -> Iterator[Span]:
    """Yield the spans from the opening to the closing comment of a generator."""
    opened: dict[str, int] = {}
    for comment in collected.comments:
        if match := _BEGIN.match(comment.value):
            opened.setdefault((match["a"] or match["b"]).casefold(), comment.start)
        elif match := _END.match(comment.value):
            start = opened.pop((match["a"] or match["b"]).casefold(), None)
            if start is not None:
                yield Span(start, comment.end)
