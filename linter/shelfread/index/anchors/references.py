"""Links to anchors of the project's pages: `infra.md#storage`, `#storage`."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from urllib.parse import unquote

from shelfread.core.diagnostics import Span
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.document.model import Document
from shelfread.markdown.node import Definition, Link


class Reference(NamedTuple):
    """A link to an anchor of a page of the project."""

    page: str
    """The path of the page that it leads to."""
    anchor: str
    """Percent-decoded."""
    url: str
    path: str
    """The file that holds the link."""
    fragment: Span
    """The span after `#`."""


def find_references(document: Document) -> Iterator[Reference]:
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
        yield Reference(pages[written], unquote(fragment), url, path, fragment_span)
