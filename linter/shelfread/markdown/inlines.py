"""markdown-it-py's inline tokens, made into nodes with spans of the source."""

from __future__ import annotations

from html import unescape
from typing import NamedTuple

from markdown_it.token import Token

from shelfread.core.diagnostics import Span
from shelfread.markdown.bare_urls import may_contain_url, text_and_urls
from shelfread.markdown.html import attributes, split_html
from shelfread.markdown.node import Break, Code, Emphasis, Html, Inline, Link, Text
from shelfread.markdown.parser import PLAIN_LINK
from shelfread.markdown.source_map import SourceMap

MAX_EMPHASIS_DEPTH = 50
"""How many emphases may hold each other (deeper marks are text); consumers may recurse into them."""


class CommentsAndCode(NamedTuple):
    """What the inlines hold that the whole tree wants to know, in order."""

    comments: list[Html]
    code: list[Span]


class _Frame(NamedTuple):
    """A link or emphasis that is still open, the nodes that it is to stand behind, and where it begins."""

    token: Token
    nodes: list[Inline]
    first: int


def build_inlines(
    tokens: list[Token], content: str, placed: SourceMap, seen: CommentsAndCode
) -> tuple[Inline, ...]:
    """The nodes of one block's inline tokens."""
    return _Builder(content, placed, seen).build(tokens)


def build_html(content: str, placed: SourceMap, seen: CommentsAndCode) -> tuple[Inline, ...]:
    """The nodes of an HTML block: tags, comments, text, and the links that the tags make."""
    builder = _Builder(content, placed, seen)
    nodes: list[Inline] = []
    for piece in split_html(content):
        if piece.name:
            nodes.append(builder.html(piece.start, piece.end, piece.name))
        else:
            value = unescape(content[piece.start : piece.end])
            nodes.append(Text(*builder.span(piece.start, piece.end), value))
    return builder.pair(nodes)


class _Builder:
    """The nodes of one content; `find` turns its offsets into those of the source."""

    __slots__ = ("addresses", "anchors", "content", "find", "seen")

    def __init__(self, content: str, placed: SourceMap, seen: CommentsAndCode) -> None:
        self.content = content
        self.seen = seen
        self.addresses: dict[int, tuple[str, Span]] = {}  # by an HTML tag's start: where it leads
        self.anchors = 0  # the HTML anchors that are open
        if len(placed.offsets) == 1 and not placed.offsets[0]:
            self.find = placed.source_offsets[0].__add__
        else:
            self.find = placed.to_source

    def span(self, first: int, last: int) -> Span:
        return Span(self.find(first), self.find(last))

    def build(self, tokens: list[Token], base: int = 0, linked: bool = False) -> tuple[Inline, ...]:
        """`base` is where the tokens' own content begins: an image's text is parsed apart."""
        nodes: list[Inline] = []
        stack: list[_Frame] = []
        links = int(linked)
        run = done = base  # the text being joined begins at `run`; all is read up to `done`
        for token in tokens:
            kind = token.type
            first, last = token.map or (0, 0)
            first += base
            if kind == "text":
                if token.content:
                    if first != done or run == done:
                        if run < done:
                            self.text(nodes, run, done, links)
                        run = first
                    done = first + len(token.content)
                continue
            if run < done:
                self.text(nodes, run, done, links)
            before, run = done, base + last
            done = run
            if kind == PLAIN_LINK:
                nodes.append(self.plain_link(token, first, done))
            elif kind == "softbreak" or kind == "hardbreak":
                while first > before and self.content[first - 1] == " ":
                    first -= 1
                nodes.append(Break(self.find(first), self.find(done), kind == "hardbreak"))
            elif kind == "link_open":
                stack.append(_Frame(token, nodes, first))
                nodes = []
                links += 1
                run = done = base + token.meta["text"][0]
            elif kind == "link_close":
                token, outer, first = stack.pop()
                outer.append(self.link(token, base, done, self.pair(nodes)))
                nodes = outer
                links -= 1
            elif token.nesting:
                nodes = self.emphasis(token, first, nodes, stack)
                run = done = first + (len(token.markup) if kind != "strong_open" else 1)
            elif kind == "text_special":
                nodes.append(Text(*self.span(first, done), token.content))
            elif kind == "code_inline":
                code = Code(*self.span(first, done), token.content)
                self.seen.code.append(Span(code.start, code.end))
                nodes.append(code)
            elif kind == "html_inline":
                nodes.append(self.html(first, done, next(split_html(token.content)).name))
            elif kind == "image":
                children = self.build(token.children or [], first + 2, True)
                text = first + 2, first + 2 + len(token.content)
                url = str(token.attrs.get("src", ""))
                nodes.append(self.bracketed(token, base, first, done, url, text, True, children))
        if run < done:
            self.text(nodes, run, done, links)
        return self.pair(nodes)

    def text(self, nodes: list[Inline], first: int, last: int, links: int) -> None:
        """Plain text, and links where it holds bare URLs that are not in a link already."""
        value = self.content[first:last]
        if not links and not self.anchors and may_contain_url(value):
            nodes.extend(text_and_urls(value, first, self.find))
        elif value:
            nodes.append(Text(self.find(first), self.find(last), value))

    def plain_link(self, token: Token, first: int, last: int) -> Link:
        find, words = self.find, first + 1 + len(token.content)
        text = Span(find(first + 1), find(words))
        children = (Text(text[0], text[1], token.content),) if token.content else ()
        destination = Span(find(words + 2), find(last - 1))
        return Link(
            find(first), find(last), "inline", token.info, text, destination, None, "", False, children
        )

    def emphasis(self, token: Token, first: int, nodes: list[Inline], stack: list[_Frame]) -> list[Inline]:
        """Open or close an emphasis; returns the list that its neighbours now go to."""
        size = len(token.markup)
        if token.nesting > 0:
            # A strong mark's token is that of its inner character.
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
            outer.append(Emphasis(*self.span(opening, first + size), token.markup, self.pair(nodes)))
        return outer

    def link(self, token: Token, base: int, last: int, children: tuple[Inline, ...]) -> Link:
        url = str(token.attrs.get("href", ""))
        first, end = (base + offset for offset in token.meta["text"])
        if token.markup == "autolink":
            inner = self.span(first + 1, last - 1)
            whole = self.span(first, last)
            return Link(*whole, "autolink", url, inner, inner, None, "", False, children)
        return self.bracketed(token, base, first - 1, last, url, (first, end), False, children)

    def bracketed(
        self, token: Token, base: int, first: int, last: int, url: str, text: tuple[int, int],
        image: bool, children: tuple[Inline, ...],
    ) -> Link:  # fmt: skip
        whole, words = self.span(first, last), self.span(*text)
        label = token.meta.get("label")
        if label is not None:
            return Link(*whole, "reference", url, words, None, None, label, image, children)
        at, to = (base + offset for offset in token.meta["destination"])
        if to > at and self.content.startswith("<", at):
            at, to = at + 1, to - 1
        title = None
        if "title" in token.attrs:
            opening, closing = (base + offset for offset in token.meta["title"])
            title = self.span(opening + 1, closing - 1)
        return Link(*whole, "inline", url, words, self.span(at, to), title, "", image, children)

    def html(self, first: int, last: int, name: str) -> Html:
        html = Html(*self.span(first, last), name, self.content[first:last])
        if name == "!":
            self.seen.comments.append(html)
        elif name == "/a":
            self.anchors = max(0, self.anchors - 1)
        elif name in ("a", "img", "source"):
            address = attributes(html.value).get("href" if name == "a" else "src")
            if address is not None:
                span = self.span(first + address.start, first + address.end)
                self.addresses[html.start] = address.value, span
                self.anchors += name == "a"
        return html

    def pair(self, nodes: list[Inline]) -> tuple[Inline, ...]:
        """Make links of `<a href>` ... `</a>` and of `<img src>`; all other tags stay as they are."""
        if not self.addresses:
            return tuple(nodes)
        done: list[Inline] = []
        opened = -1  # where in `done` an anchor's opening tag stands; anchors do not nest
        for node in nodes:
            done.append(node)
            if not isinstance(node, Html):
                continue
            if node.tag == "/a" and opened >= 0:
                tag = done[opened]
                url, span = self.addresses[tag.start]
                children = tuple(done[opened + 1 : -1])
                text = Span(tag.end, node.start)
                done[opened:] = [
                    Link(tag.start, node.end, "html", url, text, span, None, "", False, children)
                ]
                opened = -1
            elif node.start in self.addresses:
                if node.tag == "a":
                    opened = len(done) - 1
                    continue
                url, span = self.addresses[node.start]
                edge = Span(node.end, node.end)
                done[-1] = Link(node.start, node.end, "html", url, edge, span, None, "", True, ())
        return tuple(done)
