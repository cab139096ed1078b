"""Trees and upstream's own tokens, flattened to one form in which they must be equal."""

import re
from collections.abc import Iterator
from html import unescape

from markdown_it import MarkdownIt

from shelfread.core.source import Source
from shelfread.markdown.node import Block, Break, Code, Emphasis, Html, Inline, Text, Tree
from shelfread.markdown.protected import find_front_matter
from support.github import commonmark_page


def upstream() -> MarkdownIt:
    """Return the unmodified parser that ours must agree with."""
    md = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    md.validateLink = lambda url: True  # type: ignore[method-assign]
    md.normalizeLink = lambda url: url  # type: ignore[method-assign]
    md.normalizeLinkText = lambda link: link  # type: ignore[method-assign]
    return md


UPSTREAM = upstream()
_ATTRIBUTES = re.compile(r"(</?[A-Za-z][\w-]*)[^>]*>")
# Where the two differ but ours is upstream's: GitHub drops a byte order mark, and the backslash of `\|` in code in
# a paragraph above a table too, and reads a number of eight digits as a character.
_NOT_COMPARED = re.compile(r"[\s\ufeff\ufffd\\]|&#\d{8};")
# On GitHub the mark is a part of the URL.
_MARKED_URL = re.compile(r"(?i)(?:https?://|ftp://|www\.)\S*?[*_~]")


def agrees_with_github(source: Source) -> bool:
    """Return whether upstream reads the same as GitHub's parser, which is ours to agree with if not."""
    text = without_front_matter(source)
    if "[^" in text or _MARKED_URL.search(text):
        return False
    html = (
        UPSTREAM.render(text).replace("<s>", "<del>").replace("</s>", "</del>").replace("<tbody></tbody>", "")
    )
    return _shown(html) == _shown(commonmark_page(text))


def _shown(html: str) -> str:
    """Return the names of tags and the text between them."""
    return _NOT_COMPARED.sub("", unescape(_ATTRIBUTES.sub(r"\1>", html)))


def squash(text: str) -> str:
    """Return a text without the prefixes of containers at the beginning of lines."""
    return re.sub(r"[ \t\r\n>]", "", text)


def without_front_matter(source: Source) -> str:
    """Return the text with blank lines in place of the front matter."""
    front = find_front_matter(source)
    return "\n".join([""] * front + source.lines[front:])


def flatten_tree(source: Source, tree: Tree) -> list[object]:
    """Return a tree as upstream has it: bare URLs and HTML anchors are text and tags."""
    return [_flat_block(block, source.text) for block in tree.blocks]


def _flat_block(block: Block, text: str) -> object:
    kind = block.kind
    if kind in ("heading", "paragraph", "cell"):
        level = block.level if kind == "heading" else 0
        return kind, level, block.marker, _join(_flat_inlines(block.inlines, text))
    if kind in ("code", "html", "rule"):
        mark = block.marker[:1] if kind == "rule" else block.marker
        return kind, mark, squash(text[block.start : block.end]) if kind == "html" else ""
    level = block.level if kind in ("list", "item") else 0
    return kind, level, block.marker, [_flat_block(inner, text) for inner in block.blocks]


def _flat_inlines(nodes: tuple[Inline, ...], text: str) -> Iterator[tuple]:
    for node in nodes:
        if isinstance(node, Text):
            yield "text", node.value
        elif isinstance(node, Code):
            yield "code", node.value
        elif isinstance(node, Break):
            yield "break", node.hard
        elif isinstance(node, Html):
            yield "html", squash(node.value)
        elif isinstance(node, Emphasis):
            yield "emphasis", node.delimiter, _join(_flat_inlines(node.children, text))
        elif node.form == "bare":
            yield from _flat_inlines(node.children, text)
        elif node.form == "html":
            yield "html", squash(text[node.start : node.text.start])
            yield from _flat_inlines(node.children, text)
            if not node.image:
                yield "html", squash(text[node.text.end : node.end])
        else:
            yield "image" if node.image else "link", node.url, _join(_flat_inlines(node.children, text))


def _join(nodes: Iterator[tuple]) -> list[tuple]:
    joined: list[tuple] = []
    for node in nodes:
        if node[0] == "text" and joined and joined[-1][0] == "text":
            joined[-1] = ("text", joined[-1][1] + node[1])
        elif node[0] != "text" or node[1]:
            joined.append(node)
    return joined


_KINDS = {
    "bullet_list": "list", "ordered_list": "list", "list_item": "item", "blockquote": "quote",
    "table": "table", "tr": "row", "th": "cell", "td": "cell", "heading": "heading", "paragraph": "paragraph",
}  # fmt: skip


def flatten_upstream(source: Source) -> list[object]:
    """Return upstream's tokens in the same form."""
    top: list = []
    stack = [top]
    for token in UPSTREAM.parse(without_front_matter(source)):
        name = token.type.removesuffix("_open")
        if token.type == "inline":
            stack[-1].extend(_join(_flat_tokens(token.children or [])))
        elif token.nesting > 0 and name in _KINDS:
            kind = _KINDS[name]
            level = int(token.tag[1]) if kind == "heading" else 0
            if kind == "item" or name == "ordered_list":
                level = int(token.info or 0) if kind == "item" else int(token.attrs.get("start", 1))
            mark = token.markup[:1] if kind == "heading" else token.markup
            children: list = []
            stack[-1].append((kind, level, mark, children))
            stack.append(children)
        elif token.nesting < 0 and token.type.removesuffix("_close") in _KINDS:
            stack.pop()
        elif token.type in ("fence", "code_block"):
            stack[-1].append(("code", token.markup, ""))
        elif token.type == "html_block":
            stack[-1].append(("html", "", squash(token.content)))
        elif token.type == "hr":
            stack[-1].append(("rule", token.markup[:1], ""))
    return top


def _flat_tokens(tokens: list) -> Iterator[tuple]:
    stack: list = []
    nodes: list[tuple] = []
    for token in tokens:
        kind = token.type
        if token.nesting > 0:
            stack.append((token, nodes))
            nodes = []
        elif token.nesting < 0:
            opened, outer = stack.pop()
            inner = _join(iter(nodes))
            if kind == "link_close":
                outer.append(("link", opened.attrs["href"], inner))
            else:
                outer.append(("emphasis", token.markup, inner))
            nodes = outer
        elif kind == "text":
            nodes.append(("text", token.content))
        elif kind == "code_inline":
            nodes.append(("code", token.content))
        elif kind in ("softbreak", "hardbreak"):
            nodes.append(("break", kind == "hardbreak"))
        elif kind == "html_inline":
            nodes.append(("html", squash(token.content)))
        elif kind == "image":
            nodes.append(("image", token.attrs["src"], _join(_flat_tokens(token.children or []))))
    yield from nodes
