"""Maps from the inline content of a block to the source.

The block parser removes a prefix from each line (indentation, block quote markers, a heading's `#`) and trims
the result. It records the column at which the content of each line begins.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from html import unescape
from typing import NamedTuple

from markdown_it.common.utils import MD_TRIM_CHARS
from markdown_it.token import Token

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.markdown.gfm import may_contain_url, text_and_urls
from shelfread.markdown.html import attributes, split_html
from shelfread.markdown.node import Break, Code, Emphasis, Html, Inline, Link, Text

_ANY_PIPE = lazy(r"\|")
_PIPE = lazy(r"(?<!\\)\|")
_ESCAPED_PIPE = lazy(r"\\\|")


class SourceMap(NamedTuple):
    """The content offsets (rising) at which segments begin, and the source offset of each of them."""

    offsets: list[int]
    source_offsets: list[int]

    def to_source(self, offset: int) -> int:
        i = bisect_right(self.offsets, offset) - 1
        return self.source_offsets[i] + offset - self.offsets[i] if i >= 0 else self.source_offsets[0]


def map_content(content: str, first: int, columns: Sequence[int], source: Source) -> SourceMap:
    """Map the trimmed content of a paragraph, setext heading or HTML block, with one segment per line.

    `first` is the index of its first line, `columns` those at which the contents of its lines begin. A line of
    the content is always the end of a source line, but it may begin before its column: upstream miscounts
    some tabs in block quotes.
    """
    line = source.lines[first]
    if len(columns) == 1 and line.startswith(content, columns[0]):
        return SourceMap([0], [source.starts[first] + columns[0]])
    skipped = 0  # lines of Unicode whitespace only, which trimming has removed
    while skipped < len(columns) - 1:
        if source.lines[first + skipped][columns[skipped] :].strip(MD_TRIM_CHARS):
            break
        skipped += 1
    offsets: list[int] = []
    source_offsets: list[int] = []
    offset = 0
    for index, content_line in enumerate(content.split("\n"), first + skipped):
        line = source.lines[index]
        body = content_line.lstrip(" \t")  # a tab removed in part leaves spaces that the source does not have
        end = len(line) if line.endswith(body) else len(line.rstrip(MD_TRIM_CHARS))
        offsets.append(offset + len(content_line) - len(body))
        source_offsets.append(source.starts[index] + end - len(body))
        offset += len(content_line) + 1
    return SourceMap(offsets, source_offsets)


def map_heading(content: str, line: int, column: int, source: Source) -> SourceMap:
    """Map the content of an ATX heading, which stands between runs of `#`."""
    text = source.lines[line]
    while text.startswith("#", column):
        column += 1
    spaces = len(text) - column - len(text[column:].lstrip(MD_TRIM_CHARS)) if content else 0
    return SourceMap([0], [source.starts[line] + column + spaces])


def map_row(contents: list[str], line: int, column: int, source: Source) -> list[SourceMap]:
    """Map the cells of a table row. `\\|` in a cell is `|` in its content."""
    text = source.lines[line]
    start, end = _trim(text, column, len(text))
    pattern = _PIPE if "\\|" in text else _ANY_PIPE
    pipes = [match.start() for match in pattern.finditer(text, start, end)]
    edges = [start - 1, *pipes, end]
    if pipes and pipes[0] == start:
        del edges[0]
    line_start = source.starts[line]
    missing = SourceMap([0], [line_start + end])
    maps = [_map_cell(text, edges[i] + 1, edges[i + 1], line_start) for i in range(len(edges) - 1)]
    return maps[: len(contents)] + [missing] * (len(contents) - len(maps))


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start] in MD_TRIM_CHARS:
        start += 1
    while end > start and text[end - 1] in MD_TRIM_CHARS:
        end -= 1
    return start, end


def _map_cell(text: str, start: int, end: int, line_start: int) -> SourceMap:
    start, end = _trim(text, start, end)
    offsets, source_offsets = [0], [line_start + start]
    if text.find("\\|", start, end) < 0:
        return SourceMap(offsets, source_offsets)
    for dropped, match in enumerate(_ESCAPED_PIPE.finditer(text, start, end)):
        # The backslash is dropped, so the pipe maps to both.
        pipe = match.start() - start - dropped
        offsets += pipe, pipe + 1
        source_offsets += line_start + match.start(), line_start + match.end()
    return SourceMap(offsets, source_offsets)


# The maximum nesting of emphasis, so that callers may recurse. Deeper delimiters are text.
MAX_EMPHASIS_DEPTH = 50


class CommentsAndCode(NamedTuple):
    """The HTML comments and the spans of code of a document, collected while its blocks are converted."""

    comments: list[Html]
    code: list[Span]


class _Frame(NamedTuple):
    """An open link or emphasis: its token, the nodes before it, and the content offset where it begins."""

    token: Token
    nodes: list[Inline]
    first: int


class InlineBuilder:
    """Makes nodes of one content. `to_source` maps its offsets to the source; comments and code go to `collected`."""

    __slots__ = ("collected", "content", "destinations", "open_anchors", "to_source")

    def __init__(self, content: str, source_map: SourceMap, collected: CommentsAndCode) -> None:
        self.content = content
        self.collected = collected
        self.destinations: dict[int, tuple[str, Span]] = {}  # of HTML tags, by the start of the tag
        self.open_anchors = 0  # HTML anchors
        if len(source_map.offsets) == 1 and not source_map.offsets[0]:
            self.to_source = source_map.source_offsets[0].__add__
        else:
            self.to_source = source_map.to_source

    def span(self, first: int, last: int) -> Span:
        return Span(self.to_source(first), self.to_source(last))

    def build_html(self) -> tuple[Inline, ...]:
        """Return the nodes of an HTML block: tags, comments, text, and the links and images that the tags make."""
        nodes: list[Inline] = []
        for name, start, end in split_html(self.content):
            if name:
                nodes.append(self.html(start, end, name))
            else:
                nodes.append(Text(*self.span(start, end), unescape(self.content[start:end])))
        return self.pair_anchors(nodes)

    def build(self, tokens: list[Token], base: int = 0, linked: bool = False) -> tuple[Inline, ...]:
        """Return the nodes of tokens whose content begins at `base`; `linked` if they are those of an image."""
        nodes: list[Inline] = []
        stack: list[_Frame] = []
        depth = int(linked)  # of links
        text_start = done = base  # the text being joined begins at `text_start`; tokens are read up to `done`
        for token in tokens:
            kind = token.type
            first, last = token.map or (0, 0)
            first += base
            if kind == "text":
                if token.content:
                    if first != done or text_start == done:
                        if text_start < done:
                            self.text(nodes, text_start, done, depth)
                        text_start = first
                    done = first + len(token.content)
                continue
            if text_start < done:
                self.text(nodes, text_start, done, depth)
            previous_end, text_start = done, base + last
            done = text_start
            if kind == "softbreak" or kind == "hardbreak":
                while first > previous_end and self.content[first - 1] == " ":
                    first -= 1
                nodes.append(Break(self.to_source(first), self.to_source(done), kind == "hardbreak"))
            elif kind == "link_open":
                stack.append(_Frame(token, nodes, first))
                nodes = []
                depth += 1
                text_start = done = base + token.meta["text"][0]
            elif kind == "link_close":
                token, outer, first = stack.pop()
                outer.append(self.link(token, base, done, self.pair_anchors(nodes)))
                nodes = outer
                depth -= 1
            elif token.nesting:
                nodes = self.emphasis(token, first, nodes, stack)
                text_start = done = first + (len(token.markup) if kind != "strong_open" else 1)
            elif kind == "text_special":
                nodes.append(Text(*self.span(first, done), token.content))
            elif kind == "code_inline":
                code = Code(*self.span(first, done), token.content)
                self.collected.code.append(Span(code.start, code.end))
                nodes.append(code)
            elif kind == "html_inline":
                nodes.append(self.html(first, done, next(split_html(token.content)).name))
            elif kind == "image":
                children = self.build(token.children or [], first + 2, True)
                text = first + 2, first + 2 + len(token.content)
                url = str(token.attrs.get("src", ""))
                nodes.append(self.link_or_image(token, base, first, done, url, text, True, children))
        if text_start < done:
            self.text(nodes, text_start, done, depth)
        return self.pair_anchors(nodes)

    def text(self, nodes: list[Inline], first: int, last: int, depth: int) -> None:
        """Add text, and links for its bare URLs unless it is in a link. `depth` counts the links around it."""
        value = self.content[first:last]
        if not depth and not self.open_anchors and may_contain_url(value):
            nodes.extend(text_and_urls(value, first, self.to_source))
        elif value:
            nodes.append(Text(self.to_source(first), self.to_source(last), value))

    def emphasis(self, token: Token, first: int, nodes: list[Inline], stack: list[_Frame]) -> list[Inline]:
        """Open or close an emphasis. Return the list that the following nodes are added to."""
        size = len(token.markup)
        if token.nesting > 0:
            # The token of a strong delimiter is that of its inner character.
            opening = first - (token.type == "strong_open")
            flat = len(stack) >= MAX_EMPHASIS_DEPTH
            if flat:
                nodes.append(Text(*self.span(opening, opening + size), token.markup))
            stack.append(_Frame(token, nodes, opening))
            return nodes if flat else []
        _, outer, opening = stack.pop()
        if outer is nodes:
            nodes.append(Text(*self.span(first, first + size), token.markup))
        else:
            outer.append(Emphasis(*self.span(opening, first + size), token.markup, self.pair_anchors(nodes)))
        return outer

    def link(self, token: Token, base: int, last: int, children: tuple[Inline, ...]) -> Link:
        url = str(token.attrs.get("href", ""))
        first, end = (base + offset for offset in token.meta["text"])
        if token.markup == "autolink":
            inner = self.span(first + 1, last - 1)
            span = self.span(first, last)
            return Link(*span, "autolink", url, inner, inner, None, "", False, children)
        return self.link_or_image(token, base, first - 1, last, url, (first, end), False, children)

    def link_or_image(
        self, token: Token, base: int, first: int, last: int, url: str, text: tuple[int, int],
        image: bool, children: tuple[Inline, ...],
    ) -> Link:  # fmt: skip
        span, text_span = self.span(first, last), self.span(*text)
        label = token.meta.get("label")
        if label is not None:
            return Link(*span, "reference", url, text_span, None, None, label, image, children)
        start, end = (base + offset for offset in token.meta["destination"])
        if end > start and self.content.startswith("<", start):
            start, end = start + 1, end - 1
        title = None
        if "title" in token.attrs:
            opening, closing = (base + offset for offset in token.meta["title"])
            title = self.span(opening + 1, closing - 1)
        return Link(*span, "inline", url, text_span, self.span(start, end), title, "", image, children)

    def html(self, first: int, last: int, name: str) -> Html:
        html = Html(*self.span(first, last), name, self.content[first:last])
        if name == "!":
            self.collected.comments.append(html)
        elif name == "/a":
            self.open_anchors = max(0, self.open_anchors - 1)
        elif name in ("a", "img", "source"):
            destination = attributes(html.value).get("href" if name == "a" else "src")
            if destination is not None:
                span = self.span(first + destination.start, first + destination.end)
                self.destinations[html.start] = destination.value, span
                self.open_anchors += name == "a"
        return html

    def pair_anchors(self, nodes: list[Inline]) -> tuple[Inline, ...]:
        """Replace `<a href>` ... `</a>` by links and `<img src>` by images. All other tags stay as they are."""
        if not self.destinations:
            return tuple(nodes)
        done: list[Inline] = []
        opened = -1  # the index in `done` of an anchor's opening tag; anchors do not nest
        for node in nodes:
            done.append(node)
            if not isinstance(node, Html):
                continue
            if node.tag == "/a" and opened >= 0:
                tag = done[opened]
                url, span = self.destinations[tag.start]
                children = tuple(done[opened + 1 : -1])
                text = Span(tag.end, node.start)
                link = Link(tag.start, node.end, "html", url, text, span, None, "", False, children)
                done[opened:] = [link]
                opened = -1
            elif node.start in self.destinations:
                if node.tag == "a":
                    opened = len(done) - 1
                    continue
                url, span = self.destinations[node.start]
                edge = Span(node.end, node.end)
                done[-1] = Link(node.start, node.end, "html", url, edge, span, None, "", True, ())
        return tuple(done)
