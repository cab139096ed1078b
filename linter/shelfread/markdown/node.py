"""The nodes of the syntax tree, in CommonMark's terms. `source.text[start:end]` is the source of a node."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple, TypeAlias

from shelfread.core.diagnostics import Span


class Text(NamedTuple):
    """Plain text. `value` is the text as rendered; a backslash escape or an entity is a node of its own."""

    start: int
    end: int
    value: str


class Code(NamedTuple):
    """A code span with its backticks. `value` is the text between them."""

    start: int
    end: int
    value: str


class Break(NamedTuple):
    """A line break, with the spaces before it and the prefix of the next line (indentation, block quote
    markers). `hard` is True for a hard line break, False for a soft one."""

    start: int
    end: int
    hard: bool


class Emphasis(NamedTuple):
    """Emphasis, strong emphasis or strikethrough, with its delimiters (`*`, `__`, `~~`)."""

    start: int
    end: int
    delimiter: str
    children: tuple[Inline, ...]


class Link(NamedTuple):
    """A link or an image, from its first bracket to its last.

    `url` is the destination with escapes resolved, not normalised further. `text` is the span between the
    brackets (of an HTML anchor, between the tags). `destination` is the span of the destination as written,
    None for a reference. `title` is the span of the title without its quotes.
    """

    start: int
    end: int
    form: str  # inline, reference, autolink, bare, html
    url: str
    text: Span
    destination: Span | None
    title: Span | None
    label: str  # the normalised link label of a reference, else empty
    image: bool
    children: tuple[Inline, ...]


class Html(NamedTuple):
    """A raw HTML tag or comment. `tag` is its lower-case name, `/b` for a closing tag, `!` for a comment, empty
    for a declaration or processing instruction. `value` is its source without the containers' prefixes."""

    start: int
    end: int
    tag: str
    value: str


Inline: TypeAlias = "Text | Code | Break | Emphasis | Link | Html"


class Block(NamedTuple):
    """A block. `kind` is heading, paragraph, list, item, quote, table, row, cell, code, html or rule.

    `first` and `last` are the indexes of its lines, from 0 and half open: `last` is the line after the block.
    `start` and `end` are the offsets of its lines without blank lines at the end (of a cell, of its content).
    """

    kind: str
    start: int
    end: int
    first: int
    last: int
    blocks: tuple[Block, ...] = ()
    inlines: tuple[Inline, ...] = ()
    # the level of a heading (1 to 6), 0 for a header row and 1 for others, the number of an ordered list or
    # its item.
    level: int = 0
    # `#`, `=` or `-` of a heading, the bullet or delimiter of a list or item, the fence of code or empty.
    marker: str = ""
    tight: bool = True  # false for a loose list

    @property
    def content(self) -> Span:
        """The span of its inline nodes, or of the block if it has none."""
        return (
            Span(self.inlines[0].start, self.inlines[-1].end) if self.inlines else Span(self.start, self.end)
        )


class Definition(NamedTuple):
    """A link reference definition: `[label]: destination "title"`."""

    start: int
    end: int
    label: str  # the normalised link label
    text: Span
    url: str
    destination: Span
    title: Span | None


class Tree(NamedTuple):
    blocks: tuple[Block, ...]
    definitions: tuple[Definition, ...]
    # spans that no edit may touch: code, math, comments, template tags, front matter and generated parts;
    # sorted, not overlapping.
    protected: tuple[Span, ...] = ()
    comments: tuple[Html, ...] = ()  # every HTML comment, in order


def walk_blocks(blocks: Iterable[Block], kinds: Collection[str] = ()) -> Iterator[Block]:
    """Yield blocks with those within them, in order: all, or those of some kinds that are in no other ones."""
    waiting = [*blocks][::-1]
    while waiting:
        block = waiting.pop()
        if not kinds or block.kind in kinds:
            yield block
            waiting += reversed(block.blocks)


def walk_inlines(nodes: Iterable[Inline]) -> Iterator[Inline]:
    """Yield nodes with those within emphasis and links, in order."""
    for node in nodes:
        yield node
        if isinstance(node, Emphasis | Link):
            yield from walk_inlines(node.children)


def all_links(blocks: tuple[Block, ...]) -> list[Link]:
    """Return every link and image of some blocks in order, nested ones too."""
    links: list[Link] = []
    for block in walk_blocks(blocks):
        _collect_links(block.inlines, links)
    return links


def _collect_links(inlines: tuple[Inline, ...], links: list[Link]) -> None:
    for node in inlines:
        if type(node) is Text:
            continue
        if isinstance(node, Link):
            links.append(node)
            if node.children:
                _collect_links(node.children, links)
        elif isinstance(node, Emphasis):
            _collect_links(node.children, links)
