"""What was opened and never closed, so that the page shows the rest of the list otherwise, and markers that a merge left."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document
from shelfread.document.passages import leaf
from shelfread.markdown.node import Block, Html, walk_blocks, walk_inlines

_MARKER = lazy(r"(?:^|(?<=[\r\n]))(?:(<{7})(?:[ \t][^\r\n]*)?|={7}|>{7}(?:[ \t]([^\r\n]*))?)(?![^\r\n])")
# What git writes after `>>>>>>>`: a branch, or a commit and its message. Nested quotes have words there.
_OTHER_SIDE = lazy(r"[0-9a-f]{7,40}\b.*|[^\s>]+\s*", re.IGNORECASE)


class Conflict(NamedTuple):
    """The offset of the first marker of a conflict, and of its last one; None for a marker alone."""

    start: int
    end: int | None


def find_conflicts(document: Document) -> Iterator[Conflict]:
    """Yield each complete conflict, and each marker of an incomplete one; `=======` if it is text, no heading's line."""
    source = document.source
    if not any(mark in source.text for mark in ("<<<<<<<", ">>>>>>>", "=======")):
        return
    opened: int | None = None
    is_divided = False
    for match in _MARKER.finditer(source.text):
        start = match.start()
        block = leaf(document, start)
        if block is not None and block.kind == "code":
            continue  # an example
        if match[1]:
            if opened is not None:
                yield Conflict(opened, None)
            opened, is_divided = start, False
        elif match[0][0] == "=":
            is_divided = opened is not None
            if opened is None and block is not None and block.kind == "paragraph" and start > 0:
                yield Conflict(start, None)
        elif opened is not None and is_divided:
            yield Conflict(opened, start)
            opened = None
        elif match[2] is not None and _OTHER_SIDE.fullmatch(match[2]):
            if opened is not None:
                yield Conflict(opened, None)
            yield Conflict(start, None)
            opened = None
    if opened is not None:
        yield Conflict(opened, None)


_LIST_LIKE = lazy(r"(?:^|[\r\n])(?:#{1,4} \S|[-*+] \[[^\[\]\r\n]+\]\(http)")
_FENCE = lazy(r"(?:^|[\r\n])[ \t>]*(?:```+|~~~+)[ \t]*[\w+-]+[ \t]*(?=[\r\n]|$)")
# Tags that end with their paragraph, as nobody means them to go on.
_FORMATS = frozenset("b strong i em u s del ins sub sup code kbd small big font mark a".split())
_AROUND = frozenset("details summary center h1 h2 h3 h4 h5 h6".split())  # tags that may hold several blocks


class Unclosed(NamedTuple):
    """Something that was opened and not closed: `comment`, `code` or `tag`, and where it begins."""

    kind: str
    span: Span
    mark: str  # what was opened: `<!--`, the fence, the tag

    @property
    def hides(self) -> bool:
        """Whether the rest of the page is not shown as the list that it is."""
        return self.kind != "tag"


@lru_cache(maxsize=1)
def find_unclosed(document: Document) -> tuple[Unclosed, ...]:
    """Return what was opened and never closed, in order."""
    hidden = [*_comments(document), *_code(document)]
    found = hidden or _tags(document)  # what is hidden may have the ends of the tags
    return tuple(sorted(found, key=lambda one: one.span))


def hides_headings(document: Document) -> bool:
    """Return whether an open comment or code block hides a part of the page, so that its headings are not known."""
    return any(one.hides for one in find_unclosed(document))


def _comments(document: Document) -> Iterator[Unclosed]:
    """Yield comments without an end, and those that only the end of another one closes."""
    for comment in document.tree.comments:
        inner = comment.value.find("<!--", 4)
        if not comment.value.rstrip().endswith("-->") or (
            inner > 0 and _LIST_LIKE.search(comment.value, 0, inner)
        ):
            yield Unclosed("comment", Span(comment.start, comment.start + 4), "<!--")


def _code(document: Document) -> Iterator[Unclosed]:
    """Yield the code block that takes a part of the list with it: one without an end, or with the beginning of another one."""
    source = document.source
    fences = [block for block in walk_blocks(document.tree.blocks) if block.kind == "code" and block.marker]
    last = next((block for block in reversed(fences) if not _is_closed(block, source.lines)), None)
    for block in fences:
        content = source.text[block.start : block.end]
        body = "\n".join(source.lines[block.first + 1 : block.last])
        listed = _LIST_LIKE.search(body) is not None
        begins = listed and _FENCE.search(body) is not None and not source.lines[block.first].strip(" \t>`~")
        if begins or (
            last is not None and (block is last or (listed and not source.lines[block.first].strip(" \t>`~")))
        ):
            start = block.start + len(content) - len(content.lstrip(" \t>"))
            yield Unclosed("code", Span(start, start + len(block.marker)), block.marker)
            return


def _is_closed(block: Block, lines: Sequence[str]) -> bool:
    end = lines[block.last - 1].strip(" \t>\r")
    return block.last - block.first > 1 and end.startswith(block.marker) and not end.strip(block.marker[0])


def _tags(document: Document) -> Iterator[Unclosed]:
    """Yield the tags without their end: those of formats within a block, those of `<details>` in the page."""
    around: list[Unclosed] = []
    for block in walk_blocks(document.tree.blocks):
        formats: list[Unclosed] = []
        for name, span in _tags_of(block, document.source.text):
            opened = around if name.removeprefix("/") in _AROUND else formats
            if name[0] != "/":
                opened.append(Unclosed("tag", span, name))
                continue
            index = next((at for at in range(len(opened) - 1, -1, -1) if opened[at].mark == name[1:]), None)
            if index is not None:
                del opened[index]
        if block.kind != "html":  # those in blocks of HTML may end in another one
            yield from formats
    yield from around


def _tags_of(block: Block, text: str) -> Iterator[tuple[str, Span]]:
    """Yield the tags of a block that need an end, with their spans."""
    if block.kind == "html":
        from shelfread.markdown.html import split_html  # many lists have no HTML

        for piece in split_html(text[block.start : block.end]):
            if piece.name.removeprefix("/") in _AROUND:
                yield piece.name, Span(block.start + piece.start, block.start + piece.end)
        return
    for node in walk_inlines(block.inlines):
        if isinstance(node, Html) and node.tag.removeprefix("/") in _FORMATS | _AROUND:
            yield node.tag, Span(node.start, node.end)
