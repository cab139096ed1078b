"""Trees and upstream's own tokens, flattened to one form in which they must be equal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from html import unescape
from random import Random

from cmarkgfm import cmark
from markdown_it import MarkdownIt

from shelfread.core.source import Source
from shelfread.markdown.node import Block, Break, Code, Emphasis, Html, Inline, Text, Tree
from shelfread.markdown.parse import find_front_matter


def upstream() -> MarkdownIt:
    """Return the unmodified parser that ours must agree with."""
    md = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    md.validateLink = lambda url: True  # type: ignore[method-assign]
    md.normalizeLink = lambda url: url  # type: ignore[method-assign]
    md.normalizeLinkText = lambda link: link  # type: ignore[method-assign]
    return md


UPSTREAM = upstream()
_KEPT = 2_000
"""Of so many texts upstream is asked once: it reads all of the specifications the same with any line ends."""
_ATTRIBUTES = re.compile(r"(</?[A-Za-z][\w-]*)[^>]*>")
# Where the two differ but ours is upstream's: GitHub drops a byte order mark, and the backslash of `\|` in code in
# a paragraph above a table too, and reads a number of eight digits as a character.
_NOT_COMPARED = re.compile(r"[\s\ufeff\ufffd\\]|&#\d{8};")
# On GitHub the mark is a part of the URL.
_MARKED_URL = re.compile(r"(?i)(?:https?://|ftp://|www\.)\S*?[*_~]")


def agrees_with_github(source: Source) -> bool:
    """Return whether upstream reads the same as GitHub's parser, which is ours to agree with if not."""
    return _agrees(without_front_matter(source))


@lru_cache(_KEPT)
def _agrees(text: str) -> bool:
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
    return _flat(without_front_matter(source))


@lru_cache(_KEPT)
def _flat(text: str) -> list[object]:
    top: list = []
    stack = [top]
    for token in UPSTREAM.parse(text):
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


_EXTENSIONS = ["table", "autolink", "strikethrough", "tagfilter", "tasklist"]
_OPTIONS = cmark.Options.CMARK_OPT_FOOTNOTES | cmark.Options.CMARK_OPT_UNSAFE


def github_page(text: str) -> str:
    """Return the HTML of a text, and its front matter as written."""
    source = Source(text)
    front = find_front_matter(source)
    html: str = cmark.markdown_to_html_with_extensions(
        "\n".join(source.lines[front:]), options=_OPTIONS, extensions=_EXTENSIONS
    )
    # Spaces at the beginning of a text or of a line of it, and at the end of an item, do not show.
    html = re.sub(r"(<(?:p|li|t[dh]|h\d)\b[^<>]*>|<br />\n)[ \t]+", r"\1", html.rstrip())
    html = re.sub(r"\s+(?=</(?:li|blockquote)>)", "\n", html)
    return "\n".join([*source.lines[:front], html])


def commonmark_page(text: str) -> str:
    """Return the HTML of a text with the extensions that markdown-it-py has too."""
    html: str = cmark.markdown_to_html_with_extensions(
        text, options=cmark.Options.CMARK_OPT_UNSAFE, extensions=["table", "strikethrough"]
    )
    return html


def shown_links(text: str) -> list[str]:
    """Return what the links and images of a page lead to, in order."""
    return re.findall(r"<(?:a|img)\b[^<>]*? (?:href|src)=\"([^\"]*)\"", github_page(text))


def shown_words(text: str, within: str = "") -> list[str]:
    """Return the words of a page in order; `within` asks for those in certain tags only, such as `a|th`."""
    page = github_page(text)
    if within:
        page = " ".join(re.findall(rf"(?s)<(?:{within})\b[^<>]*>(.*?)</(?:{within})>", page))
    return re.findall(r"\w+", unescape(re.sub(r"<[^<>]*>", " ", page)))


_LINES = [
    "- a", "* b", "+ c", "  - d", "    * e", "\t- f", "1. g", "12) h", "100. wide", "1.  wide", "-   wide", "- - i", "-", "1.",
    "-    code", "-     x", "- \ta", "-\u00a0a", "   text", "text", "lazy  ", "", "", "", "  \t", "\f", "> q", "> - r", ">", "> # h",
    "```", "~~~", "```js", "    code", "# H", "## H ##", "  #  H", "     # x", "#", "T\n==", "T\n---", "---", "======", "- ==", "- ---",
    "| a | b |", "|-|-|", "|a|b|c|", "a | b", "--|--", "|1|2|", "# a | b", "- a | b", "|-", ":-|-:", "a|b\n-|-\nc", "> |a|b|\n> |-|-|\n|c|d|",
    "<div>", "</div>", "<!-- c -->", "<!-- c", "-->", "<br>", "<b>x</b>", "<details>", "<script>", "</script>", "</pre>", "<?p", "<!X",
    "<img src=x>", "<a href=u>t</a>", "[x]: y", "[x]: <y z> 't'", "[x]:", "[^1]: note", "[^1]: note\n    more", "[^u]: example.com",
    "text[^1]", "[^n]:", "    [^1]: in", "_a_ *b* __c__ **d**", "_a_", "__b__", "*c*", "https://x.org/_a_/b", "www.x.org/__init__.py",
    "ftp://x.y/*z*", "a_b_c@x.org", "_f_@x.org _a_", "mailto:_a_@b.c", "xmpp:a@b.c/_x_", "- http://a.b/_c_.", "- [ ] task", "- [ ] ",
    "- [x]\ttask", "* [ ]", "- [ ]\n  text", "1. [x] n", "-\t[ ] a", "text   \ntext", "~a~ ~~b~~", "a\\", "&#x20;", "`a", "\\- a", "\ta",
]  # fmt: skip
_BEFORE = ["", "", "  ", "    ", "> ", "   ", "\t", "- ", "1. ", "100. ", " "]
_HABITS = [
    "- a{}", "* a{}", "-   a{}", "- a{}\n    - b", "1. a{}\n   - b", "- a{}\n\t- b", "*   a{}\n    b", "# H{}\n", "- _a_ *b* **c**{}",
    "## H{}\n\n- a", "- [x] a{}",
]  # fmt: skip
_NEWLINES = ["\n"] * 20 + ["\r\n", "\r"]


def odd_text(random: Random) -> str:
    """Return a text of a few lines, often with a habit that the others break."""
    lines = [random.choice(_BEFORE) + random.choice(_LINES) for _ in range(random.randint(2, 8))]
    if random.random() < 0.25:
        habit = random.choice(_HABITS)
        lines = [habit.format(number) for number in range(random.randint(3, 6))] + lines
    text = "\n".join(lines) + random.choice(["\n", "\n", "\n", "", "\n\n\n"])
    return text.replace("\n", random.choice(_NEWLINES))
