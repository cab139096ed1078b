"""The anchors of a page: what `#x` may lead to, by GitHub's rules or GitBook's."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shelfread.document.model import Document
from shelfread.syntax.html import attributes
from shelfread.syntax.node import Block, Break, Code, Emphasis, Html, Inline, Link, Text

_ID = re.compile(r"""\b(?:id|name)\s*=""", re.IGNORECASE)
_HEADING_TAG = re.compile(r"h[1-6]")


def find_anchors(document: Document, slugs: str = "github") -> list[str]:
    """Every anchor in order: the headings' slugs, numbered where they repeat, and all ids and names."""
    from github_slugger import GithubSlugger

    slugger = GithubSlugger()
    anchors: list[str] = []
    for kind, value in _sources(document.tree.blocks):
        if kind == "id":
            anchors.append(value)
        elif slugs == "gitbook":
            anchors.append(re.sub(r"-+", "-", slugger.slug(value)).strip("-"))
        else:
            anchors.append(slugger.slug(value))
    return anchors


def heading_text(inlines: tuple[Inline, ...]) -> str:
    """A heading's text as slugs are made of it: no tags, no images, links by their words."""
    parts: list[str] = []
    for node in inlines:
        if isinstance(node, Text | Code):
            parts.append(node.value)
        elif isinstance(node, Break):
            parts.append(" ")
        elif isinstance(node, Emphasis) or isinstance(node, Link) and not node.image:
            parts.append(heading_text(node.children))
    return "".join(parts)


def _sources(blocks: tuple[Block, ...]) -> Iterator[tuple[str, str]]:
    for block in blocks:
        if block.kind == "heading":
            yield "heading", heading_text(block.inlines)
        for node in _tags(block.inlines):
            if _ID.search(node.value):
                written = attributes(node.value)
                for name in ("id", "name"):
                    if name in written and written[name].value:
                        yield "id", written[name].value
        if block.kind == "html":
            yield from _html_headings(block.inlines)
        yield from _sources(block.blocks)


def _tags(inlines: tuple[Inline, ...]) -> Iterator[Html]:
    for node in inlines:
        if isinstance(node, Html):
            if node.tag[:1] not in ("/", "!"):
                yield node
        elif isinstance(node, Emphasis | Link):
            yield from _tags(node.children)


def _html_headings(inlines: tuple[Inline, ...]) -> Iterator[tuple[str, str]]:
    opened: int | None = None
    for at, node in enumerate(inlines):
        if isinstance(node, Html) and _HEADING_TAG.fullmatch(node.tag):
            opened = at
        elif isinstance(node, Html) and _HEADING_TAG.fullmatch(node.tag.lstrip("/")) and opened is not None:
            yield "heading", heading_text(inlines[opened + 1 : at]).strip()
            opened = None
