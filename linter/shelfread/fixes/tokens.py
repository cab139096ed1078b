"""Flatten a tree to the tokens that a page shows: blocks, links, URLs and words, in document order."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.fixes.edit_scope import SpanIndex
from shelfread.markdown.node import Block, Break, Code, Definition, Emphasis, Inline, Link, Text, Tree

# A word has no whitespace, punctuation or typographic symbols; `C++`, `C#` and vowel signs stay whole.
WORD = lazy(
    r"[^\s\x00-/:-@\[-`{-\xa1\xab\xad\xb4\xb7\xbb\xbf\u2000-\u206f\u25a0-\u25ff"
    r"\u3000-\u3003\u3008-\u3020\ufe00-\ufe0f\ufeff\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]+[+#]*"
)
# In HTML blocks, which are read as written, an entity is a word.
_RAW_WORD = lazy(rf"&#?\w+;|{WORD.pattern}")

PROSE = frozenset({"word", "raw"})
TEXT = PROSE | {"code", "tag"}
URLS = frozenset({"url", "bare"})

GLUED = "+"  # before the value of a piece of a word that continues the piece before it
NESTED = " @"  # between a block's name and its depth

_NUMBERED = (".", ")")
_EMPHASIS = {"*": "emphasis", "_": "emphasis", "**": "bold", "__": "bold"}

TokenKey: TypeAlias = tuple[str, str]  # a token without its position: kind and value


class Token(NamedTuple):
    """One thing that a page shows, at `text[start:end]`: url, bare (URL), word, raw (HTML), text, code, tag, link, block, list, mark."""

    kind: str
    value: str
    start: int
    end: int
    joined: bool = False  # of a word: only markup separates it from the word before


def flatten(
    tree: Tree, text: str, scopes: SpanIndex, references: Mapping[str, str], *, coarse: bool
) -> list[Token]:
    """Return all tokens, those of the definitions last.

    `references` are the URLs of the link labels. Words are cut at the borders of scopes. If `coarse`, a line or a
    block of the page that no scope touches is one token as written: between equal blocks and with equal references it
    shows the same.
    """
    walk = _Walk(text, sorted({*scopes.starts, *scopes.ends}), references)
    if tree.protected and tree.protected[0].start == 0 and not (tree.blocks and tree.blocks[0].start == 0):
        walk.add("code", text[: tree.protected[0].end], *tree.protected[0])  # front matter
    pending = [(block, 0) for block in reversed(tree.blocks)]
    while pending:
        block, depth = pending.pop()
        is_whole = not depth or (bool(block.inlines) and block.last - block.first == 1)
        start = (
            block.start - 1 if depth else text.rfind("\n", 0, block.start)
        )  # its indentation decides what it holds
        as_text = coarse and is_whole and scopes.touching(start, block.end + 1) < 0
        walk.block(block, depth, as_text)
        if not as_text:
            pending += [(inner, depth + 1) for inner in reversed(block.blocks)]
    for definition in tree.definitions:
        walk.definition(definition)
    return walk.tokens


class _Walk:
    """Collects tokens; `in_word` says whether the last character shown belongs to a word."""

    def __init__(self, text: str, borders: Sequence[int], references: Mapping[str, str]) -> None:
        self.text = text
        self.borders = borders
        self.references = references
        self.tokens: list[Token] = []
        self.in_word = False

    def add(self, kind: str, value: str, start: int, end: int) -> None:
        self.tokens.append(Token(kind, value, start, end))

    def block(self, block: Block, depth: int, as_text: bool) -> None:
        """Add a block and its content, as one token if `as_text`; not its inner blocks."""
        self.in_word = False
        # Bullets alone decide where a bullet list ends; ordered lists restart their numbers.
        if block.kind != "list":
            self.add("block", _block_name(block, depth), block.start, block.end)
        elif block.marker in _NUMBERED:
            self.add("list", _block_name(block, depth), block.start, block.end)
        if block.kind == "code":
            self.add("code", _unindented(self.text, block), block.start, block.end)
        if as_text:
            self.add("text", self.text[block.start : block.end], block.start, block.end)
        else:
            self.inlines(block.inlines, "raw" if block.kind == "html" else "word")

    def definition(self, definition: Definition) -> None:
        self.add("block", f"a definition of [{definition.label}]", definition.start, definition.end)
        self.verbatim(definition.text)
        self.add("url", definition.url, *definition.destination)
        self.verbatim(definition.title)

    def inlines(self, nodes: Sequence[Inline], prose: str) -> None:
        pending: list[Inline | Token] = [*reversed(nodes)]
        while pending:
            node = pending.pop()
            if isinstance(node, Text):
                # Adjoining texts are read as one, since an escape or an entity does not end a word.
                run, end = [node], node.end
                while pending and isinstance(after := pending[-1], Text) and after.start == end:
                    run.append(after)
                    end = after.end
                    pending.pop()
                self.prose(run, prose)
            elif isinstance(node, Token):
                self.tokens.append(node)
            elif isinstance(node, Link):
                self.opening(node)
                if node.form in ("autolink", "bare"):
                    self.inlines(node.children, prose)
                else:
                    pending.append(Token("link", "the end of a link", node.end - 1, node.end))
                    pending += reversed(node.children)
            elif isinstance(node, Emphasis):
                name, size = _EMPHASIS.get(node.delimiter, "strikethrough"), len(node.delimiter)
                self.add("mark", name, node.start, node.start + size)
                pending.append(Token("mark", f"the end of {name}", node.end - size, node.end))
                pending += reversed(node.children)
            elif isinstance(node, Break):
                if node.hard:
                    start = node.start
                    while start and self.text[start - 1] in " \t\\":
                        start -= 1
                    self.add("mark", "a line break", start, node.end)
                self.in_word = False
            else:
                kind = "code" if isinstance(node, Code) else "tag"
                self.add(kind, one_line(node.value), node.start, node.end)
                self.in_word = False

    def opening(self, link: Link) -> None:
        """Add the opening, URL and title of a link; an autolink has no brackets."""
        if link.form in ("autolink", "bare"):
            self.add("bare", link.url, link.start, link.end)
            return
        self.add("link", "an image" if link.image else "a link", link.start, link.start + 1)
        url = self.references.get(link.label, link.url) if link.form == "reference" else link.url
        self.add("url", url, *(link.destination or (link.text.end, link.end)))
        if link.form == "html" and link.destination:
            # What the tags have beside URL and text.
            borders = link.start, *link.destination, *link.text, link.end
            for start, end in zip(borders[::2], borders[1::2], strict=True):
                self.add("tag", one_line(self.text[start:end]), start, end)
        self.verbatim(link.title)

    def prose(self, run: Sequence[Text], kind: str) -> None:
        """Add the words of adjoining texts, of an HTML block as written, else as shown."""
        start, end = run[0].start, run[-1].end
        value = self.text[start:end] if kind == "raw" else "".join([node.value for node in run])
        if not value:
            return
        offsets: Sequence[int] = range(start, end + 1)
        if len(value) != end - start:
            offsets = [*(offset for node in run for offset in _offsets(node)), end]
        last = 0
        for match in (_RAW_WORD if kind == "raw" else WORD).finditer(value):
            first, last = match.span()
            self.word(kind, match.group(), offsets[first : last + 1], joined=self.in_word and not first)
        self.in_word = last == len(value)

    def verbatim(self, span: Span | None) -> None:
        """Add the words of a span as written."""
        if span:
            for match in WORD.finditer(self.text, *span):
                self.word("word", match.group(), range(match.start(), match.end() + 1))

    def word(self, kind: str, value: str, offsets: Sequence[int], joined: bool = False) -> None:
        """Add a word, or its pieces between borders; `offsets` are those of its characters and of its end."""
        start, end = offsets[0], offsets[-1]
        borders = self.borders
        first = bisect_right(borders, start)
        if first == len(borders) or borders[first] >= end:
            self.tokens.append(Token(kind, value, start, end, joined))
            return
        done = 0
        for border in (*borders[first : bisect_left(borders, end)], end):
            size = bisect_left(offsets, border)
            if size > done:
                piece = GLUED + value[done:size] if done else value[:size]
                self.tokens.append(Token(kind, piece, start, border, joined and not done))
                start, done = border, size


def one_line(text: str) -> str:
    """Return a text with all whitespace made single spaces."""
    return " ".join(text.split())


def _offsets(node: Text) -> Iterable[int]:
    """Return the offset of each character of a text's value; those of an entity are all where it begins."""
    if len(node.value) == node.end - node.start:
        return range(node.start, node.end)
    return (node.start,) * len(node.value)


def _block_name(block: Block, depth: int) -> str:
    name = block.kind
    if name in ("list", "item"):
        name = f"{'numbered' if block.marker in _NUMBERED else 'bulleted'} {name}"
    elif name == "heading":
        name = f"heading of level {block.level}"
    elif name == "code":
        name = "code block" if block.marker else "code block without a fence"
    elif name == "row":
        name = "body row" if block.level else "header row"
    return f"a {name}{NESTED}{depth}"


def _unindented(text: str, block: Block) -> str:
    """Return the lines of a code block without their indentation by the blocks around it."""
    line = text.rfind("\n", 0, block.start)
    line = max(line, text.rfind("\r", line + 1, block.start))
    margin = rf"(?:\r\n|\n|\r)[ \t>]{{0,{block.start - line - 1}}}"
    return re.sub(margin, "\n", text[block.start : block.end])
