"""The anchors of a page, by GitHub's rules or GitBook's, and the links that lead to them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple
from unicodedata import category
from urllib.parse import unquote

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document
from shelfread.markdown.html import attributes
from shelfread.markdown.node import Block, Break, Code, Definition, Emphasis, Html, Inline, Link, Text

_ID = lazy(r"""\b(?:id|name)\s*=""", re.IGNORECASE)
# In a whole text in lower case. It begins with letters: with a word boundary it would take twenty times as long.
_MAY_HAVE_ID = lazy(r"(?:id|name)\s*=")
_HEADING_TAG = lazy(r"h[1-6]")
# Circled, squared and negative letters are alphabetic to Unicode, though they are no letters.
_LETTER_SYMBOLS = ((0x24B6, 0x24E9), (0x1F130, 0x1F149), (0x1F150, 0x1F169), (0x1F170, 0x1F189))
_KEPT = frozenset("- ") | {chr(code) for first, last in _LETTER_SYMBOLS for code in range(first, last + 1)}


class Landmark(NamedTuple):
    """What a fragment may lead to: a heading by its slug, or an id or name attribute as written."""

    heading: bool
    text: str
    start: int = 0
    end: int = 0  # the span of the heading's text, or of the tag
    level: int = 0  # of a heading, from 1


def find_landmarks(document: Document) -> Iterator[Landmark]:
    """Yield the landmarks of a page in order; `slug_landmarks` makes slugs of them."""
    text = document.source.text
    return _landmarks(document.tree.blocks, text if _MAY_HAVE_ID.search(text.lower()) else "")


def slug_landmarks(landmarks: Iterable[Landmark], slugs: str = "github") -> tuple[str, ...]:
    """Return every anchor in order; a slug that is taken gets a number, as on GitHub."""
    taken: dict[str, int] = {}
    anchors: list[str] = []
    for landmark in landmarks:
        if not landmark.heading:
            anchors.append(landmark.text)
            continue
        slug = original = slug_of(landmark.text, slugs)
        while slug in taken:
            taken[original] += 1
            slug = f"{original}-{taken[original]}"
        taken[slug] = 0
        anchors.append(slug)
    return tuple(anchors)


def slug_of(text: str, slugs: str = "github") -> str:
    """Return the slug of a heading; GitBook joins hyphens and strips those at the ends."""
    slug = "".join(character for character in text.lower() if _is_kept(character)).replace(" ", "-")
    return re.sub(r"-+", "-", slug).strip("-") if slugs == "gitbook" else slug


@cache
def _is_kept(character: str) -> bool:
    """Return whether GitHub keeps a character: letters, marks, decimal digits, connectors, `-` and blanks, not `²`."""
    kind = category(character)
    return kind[0] in "LM" or kind in ("Nd", "Nl", "Pc") or character in _KEPT


def heading_text(inlines: tuple[Inline, ...]) -> str:
    """Return the text of a heading that its slug is made of: no tags, no images, only the text of links."""
    parts: list[str] = []
    for node in inlines:
        if isinstance(node, Text | Code):
            parts.append(node.value)
        elif isinstance(node, Break):
            parts.append(" ")
        elif isinstance(node, Emphasis) or (isinstance(node, Link) and not node.image):
            parts.append(heading_text(node.children))
    return "".join(parts)


def _landmarks(blocks: tuple[Block, ...], text: str) -> Iterator[Landmark]:
    """`text` is the page's, or empty if none of its tags has an id or a name."""
    for block in blocks:
        if block.kind == "heading":
            yield Landmark(True, heading_text(block.inlines), *block.content, block.level)
        if block.inlines and (text or block.kind == "html"):
            for start, end, tag in _tags(block.inlines, text) if "<" in text[block.start : block.end] else ():
                if _ID.search(tag):
                    values = attributes(tag)
                    for name in ("id", "name"):
                        if name in values and values[name].value:
                            yield Landmark(False, values[name].value, start, end)
            if block.kind == "html":
                yield from _html_headings(block.inlines)
        if block.blocks and (text or block.kind != "table"):
            yield from _landmarks(block.blocks, text)


def _tags(inlines: tuple[Inline, ...], text: str) -> Iterator[tuple[int, int, str]]:
    """Yield every opening tag with its span, those of HTML's links and images too."""
    for node in inlines:
        if isinstance(node, Html):
            if node.tag[:1] not in ("/", "!"):
                yield node.start, node.end, node.value
        elif isinstance(node, Link) and node.form == "html":
            end = node.end if node.image else node.text.start
            yield node.start, end, text[node.start : end]
            yield from _tags(node.children, text)
        elif isinstance(node, Emphasis | Link) and node.children:
            yield from _tags(node.children, text)


def _html_headings(inlines: tuple[Inline, ...]) -> Iterator[Landmark]:
    opened: int | None = None
    for index, node in enumerate(inlines):
        if isinstance(node, Html) and _HEADING_TAG.fullmatch(node.tag):
            opened = index
        elif isinstance(node, Html) and _HEADING_TAG.fullmatch(node.tag.lstrip("/")) and opened is not None:
            title = heading_text(inlines[opened + 1 : index]).strip()
            yield Landmark(True, title, inlines[opened].end, node.start, int(node.tag[-1]))
            opened = None


class AnchorReference(NamedTuple):
    """A link to an anchor of a page of the project."""

    page: str  # the path of the page that it leads to
    anchor: str  # percent-decoded
    url: str
    path: str  # the file that holds the link
    fragment: Span  # the span after `#`


def find_references(document: Document) -> Iterator[AnchorReference]:
    """Yield the links and definitions that lead to an anchor and are written without escapes."""
    path, text = document.source.path or "", document.source.text
    folder = posixpath.dirname(path)
    pages = {"": path}
    links: tuple[Link | Definition, ...] = (*document.links, *document.tree.definitions)
    for link in links:
        url, span = link.url, link.destination
        if "#" not in url or "://" in url or span is None or text[span.start : span.end] != url:
            continue
        written, _, fragment = url.partition("#")
        if written not in pages:
            pages[written] = posixpath.normpath(posixpath.join(folder, unquote(written)))
        fragment_span = Span(span.end - len(fragment), span.end)
        yield AnchorReference(pages[written], unquote(fragment), url, path, fragment_span)
