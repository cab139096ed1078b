"""The plain text of a list, found by offset, and where its addresses stand: those of links, images and definitions."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from shelfread.core.diagnostics import Change, Edit, Effect, Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document, Entry
from shelfread.markdown.node import Block, Emphasis, Html, Inline, Link, Text

_PLAIN = lazy(
    r"(?i:https?)://[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?(?::[0-9]+)?"
    r"(?:[/?#](?:[A-Za-z0-9_/?#&=.%~+:;@!$*',()-]*[A-Za-z0-9_/#&=~+@)?-])?)?"
)


class Address(NamedTuple):
    """A destination: the address without escapes, where it stands as written, and the form of its link."""

    url: str
    span: Span
    form: str  # inline, autolink, bare, html, or definition


@lru_cache(maxsize=1)  # many rules ask for it
def addresses(document: Document) -> tuple[Address, ...]:
    """Every address that is written out, of links first, then of definitions."""
    found = [Address(link.url, span, link.form) for link in document.links if (span := link.destination)]
    found += [Address(one.url, one.destination, "definition") for one in document.tree.definitions]
    return tuple(found)


@lru_cache(maxsize=1)
def odd_addresses(document: Document) -> tuple[Address, ...]:
    """The addresses that are not plain ones of the web, most often few: local ones, and what may have a slip."""
    return tuple(address for address in addresses(document) if not is_plain(address.url))


def is_plain(url: str) -> bool:
    """Whether nothing can be wrong with an address as far as one sees; `http` stands in it once."""
    return _PLAIN.fullmatch(url) is not None and url.find("http", 4) < 0 and not url.endswith((")", "%20"))


def edit_address(address: Address, after: str, text: str) -> tuple[Edit, ...]:
    """The smallest edit that makes `after` of an address; none where it is written with escapes."""
    start, end = address.span
    before = address.url
    if text[start:end] != before or before == after:
        return ()
    first = 0
    shortest = min(len(before), len(after))
    while first < shortest and before[first] == after[first]:
        first += 1
    last = 0
    while last < shortest - first and before[-1 - last] == after[-1 - last]:
        last += 1
    words = after[first : len(after) - last]
    return (Edit(start + first, end - last, words, Effect(Change.DESTINATION, before, after)),)


_CODE = frozenset({"code", "kbd", "samp", "tt"})


class Passage(NamedTuple):
    """A heading, paragraph or cell, and the spans in which its brackets may have their partners.

    `around` are the items and quotes that hold it, and, for a paragraph directly above a list, both together.
    """

    block: Block
    around: tuple[Span, ...]


class TextPosition(NamedTuple):
    """The text node at an offset with its block, the link whose text it is, and whether it is in `*emphasis*`."""

    text: Text
    block: Block
    link: Link | None
    emphasised: bool


def find_passages(document: Document, offset: int) -> tuple[Passage, ...]:
    """Return the innermost block with inlines at an offset, unless it is HTML; in a table all cells of the row."""
    blocks = document.tree.blocks
    index = _index_at(blocks, offset)
    if index is None:
        return ()
    block = blocks[index]
    around: tuple[Span, ...] = ()
    first: int | None = None
    if block.kind == "paragraph" and index + 1 < len(blocks) and blocks[index + 1].kind == "list":
        around = (Span(block.start, blocks[index + 1].end),)
    elif block.kind == "list" and index and blocks[index - 1].kind == "paragraph":
        first = blocks[index - 1].start
    while block.blocks and block.kind != "row":
        index = _index_at(block.blocks, offset)
        if index is None:
            return ()
        block = block.blocks[index]
        if block.kind in ("item", "quote"):
            around += (Span(block.start, block.end),)
    if block.kind == "row":
        return tuple(Passage(cell, ()) for cell in block.blocks if cell.inlines)
    if not block.inlines or block.kind == "html":
        return ()
    return (Passage(block, around if first is None else (*around, Span(first, block.end))),)


def passages_of(document: Document, lines: Iterable[int]) -> Iterator[Passage]:
    """Yield the passages that lines (from 0, rising) end in, each once."""
    source, done = document.source, -1
    for number in lines:
        offset = source.starts[number] + len(source.lines[number].rstrip()) - 1
        for passage in find_passages(document, offset) if offset >= done else ():
            done = passage.block.end
            yield passage


def find_text(document: Document, offset: int) -> TextPosition | None:
    """Return the text at an offset; None for an escape, an entity, a URL or anything else that is not text."""
    passages = find_passages(document, offset)
    block = next((block for block, _ in passages if block.start <= offset < block.end), None)
    if block is None:
        return None
    nodes: Sequence[Inline] = block.inlines
    link, emphasised = None, False
    while (index := _index_at(nodes, offset)) is not None:
        node = nodes[index]
        if isinstance(node, Text):
            plain = node.end - node.start == len(node.value)
            return TextPosition(node, block, link, emphasised) if plain else None
        if isinstance(node, Link):
            if node.image or _shows_url(node):
                return None
            link = node
        elif isinstance(node, Emphasis):
            emphasised = emphasised or len(node.delimiter) == 1
        else:
            return None
        nodes = node.children
    return None


def blocks_around(document: Document, offset: int) -> Iterator[Block]:
    """Yield the blocks that hold a character, outermost first."""
    blocks = document.tree.blocks
    while (index := _index_at(blocks, offset)) is not None:
        yield blocks[index]
        blocks = blocks[index].blocks


def leaf(document: Document, offset: int) -> Block | None:
    """Return the innermost block at an offset."""
    return next(reversed([*blocks_around(document, offset)]), None)


def is_text(document: Document, offset: int, *, of_link: bool = False) -> bool:
    """Return whether a character is shown as it is written; text of links counts only with `of_link`."""
    position = None if within(document.tree.protected, offset) else find_text(document, offset)
    return position is not None and (of_link or position.link is None)


def opening(text: str, close: int, marks: str, longest: int) -> int:
    """Return the offset of the bracket that `close` ends, in its line and at most `longest` before it; else -1.

    `marks` are the opening and the closing bracket.
    """
    depth, offset, floor = 0, close, max(-1, close - longest)
    floor = max(floor, text.rfind("\n", floor + 1, close), text.rfind("\r", floor + 1, close))
    while offset > floor:
        if text[offset] in marks and text[offset - 1 : offset] != "\\":
            depth += 1 if text[offset] == marks[1] else -1
            if depth == 0:
                return offset
        offset -= 1
    return -1


def texts(nodes: Sequence[Inline]) -> Iterator[Text]:
    """Yield the text nodes of inlines, with those of links, without code in HTML and URLs that are shown as such."""
    code = ""
    for node in nodes:
        if isinstance(node, Html):
            if code == "" and node.tag in _CODE:
                code = node.tag
            elif node.tag == f"/{code}":
                code = ""
        elif code:
            continue
        elif isinstance(node, Text):
            yield node
        elif isinstance(node, Emphasis) or (isinstance(node, Link) and not (node.image or _shows_url(node))):
            yield from texts(node.children)


@lru_cache(maxsize=1)  # many rules ask for it
def entry_spans(document: Document) -> tuple[Span, ...]:
    """Return the spans of entries with everything nested in them, sorted and without overlaps."""
    found: list[Span] = []
    for span in sorted(entry.span for entry in document.entries):
        if not found or span.start >= found[-1].end:
            found.append(span)
        elif span.end > found[-1].end:
            found[-1] = Span(found[-1].start, span.end)
    return tuple(found)


def outer_entries(entries: Iterable[Entry], document: Document) -> list[Entry]:
    """Return entries without those that are nested in another one, which tell more of it."""
    starts = {span.start for span in entry_spans(document)}
    return [entry for entry in entries if entry.span.start in starts]


def within(spans: Sequence[Span], offset: int) -> bool:
    """Return whether an offset is in one of the spans, which are sorted and do not overlap."""
    index = bisect_right(spans, offset, key=lambda span: span.end)
    return index < len(spans) and spans[index].start <= offset


def _index_at(nodes: Sequence[Block] | Sequence[Inline], offset: int) -> int | None:
    index = bisect_right(nodes, offset, key=lambda node: node.start) - 1
    return index if index >= 0 and offset < nodes[index].end else None


def _shows_url(link: Link) -> bool:
    """Return whether a link's text is its URL."""
    return link.form in ("bare", "autolink")
