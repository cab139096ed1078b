"""Links to a place of a page of the project: `infra.md#storage`, `#storage`."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple
from urllib.parse import unquote

from shelfread.core.diagnostics import Span
from shelfread.document.model import Document


class Reference(NamedTuple):
    """A link to an anchor: the page that it leads to, by its path from here, and where it is written."""

    page: str
    anchor: str
    """Percent-decoded."""
    url: str
    path: str
    """The file that the link stands in."""
    fragment: Span
    """What stands behind `#`."""


def find_references(document: Document) -> Iterator[Reference]:
    """The links to anchors, of links and of definitions, that are written without escapes."""
    path, text = document.source.path or "", document.source.text
    folder = posixpath.dirname(path)
    pages = {"": path}
    links = ((link.url, link.destination) for link in document.links)
    definitions = ((one.url, one.destination) for one in document.tree.definitions)
    for url, place in chain(links, definitions):
        if "#" not in url or "://" in url or place is None or text[place.start : place.end] != url:
            continue
        written, _, fragment = url.partition("#")
        if written not in pages:
            pages[written] = posixpath.normpath(posixpath.join(folder, unquote(written)))
        at = Span(place.end - len(fragment), place.end)
        yield Reference(pages[written], unquote(fragment), url, path, at)
