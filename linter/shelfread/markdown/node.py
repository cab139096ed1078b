"""The nodes of the syntax tree, in CommonMark's terms; `source.text[start:end]` is what stands there."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from shelfread.core.diagnostics import Span


class Text(NamedTuple):
    """Plain text; `value` is as rendered: an escape or an entity is a node of its own."""

    start: int
    end: int
    value: str


class Code(NamedTuple):
    """A code span with its backticks; `value` is what is between them."""

    start: int
    end: int
    value: str


class Break(NamedTuple):
    """The end of a line within a block, with the blanks before it and what stands before the next line's
    content (indentation, quote marks); `hard` ends the line on the page too."""

    start: int
    end: int
    hard: bool


class Emphasis(NamedTuple):
    """Emphasis, strong emphasis or strikethrough, with its marks (`*`, `__`, `~~`)."""

    start: int
    end: int
    delimiter: str
    children: tuple[Inline, ...]


class Link(NamedTuple):
    """A link or an image, from its first bracket to its last.

    `url` is the destination without escapes, not normalised further; `text` is the span between the
    brackets (of an HTML anchor: between the tags), `destination` that of the address as written (None
    where a reference names it), `title` that of the title between its quotes.
    """

    start: int
    end: int
    form: str
    """inline, reference, autolink, bare, html"""
    url: str
    text: Span
    destination: Span | None
    title: Span | None
    label: str
    """The folded label of a reference, else empty."""
    image: bool
    children: tuple[Inline, ...]


class Html(NamedTuple):
    """A raw HTML tag or comment; `tag` is its lower-case name, `/b` of a closing one, `!` of a comment,
    empty of a declaration or instruction. `value` is what stands there without the containers' prefixes."""

    start: int
    end: int
    tag: str
    value: str


Inline: TypeAlias = "Text | Code | Break | Emphasis | Link | Html"


class Block(NamedTuple):
    """A block: `kind` is document, heading, paragraph, list, item, quote, table, row, cell, code, html, rule.

    `first` and `last` are its lines, from 0, half open. `start` and `end` are the span of its lines
    without blank ones at the end (of a cell: of its content).
    """

    kind: str
    start: int
    end: int
    first: int
    last: int
    blocks: tuple[Block, ...] = ()
    inlines: tuple[Inline, ...] = ()
    level: int = 0
    """Of a heading 1 to 6; of a row 0 (head) or 1 (body); of an ordered list or item its number."""
    marker: str = ""
    """Of a heading `#`, `=` or `-`; of a list and item bullet or delimiter; of code its fence or empty."""
    tight: bool = True
    """Of a list: no blank lines between its items."""


class Definition(NamedTuple):
    """A link reference definition: `[label]: destination "title"`."""

    start: int
    end: int
    label: str
    """Folded, as references name it."""
    text: Span
    url: str
    destination: Span
    title: Span | None


class Tree(NamedTuple):
    """A whole text's syntax: blocks, definitions, and the zones that no edit may touch."""

    blocks: tuple[Block, ...]
    definitions: tuple[Definition, ...]
    protected: tuple[Span, ...] = ()
    """Code, math, comments, template tags, front matter, generated parts: sorted, not overlapping."""
    comments: tuple[Html, ...] = ()
    """Every HTML comment of the text, in order."""
