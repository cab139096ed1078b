"""What the links of a list lead to: pages of the project, their headings and other anchors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote

from shelfread.core.diagnostics import Span
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.index.local_links import linked_page
from shelfread.markdown.node import Definition, Link

_PREFIX = "user-content-"
"""What GitHub puts before anchors in HTML."""


class LinkTarget(NamedTuple):
    """An anchor of a page, or the page itself if `landmark` is None."""

    page: str
    landmark: int | None = None
    """The index among the landmarks of the page."""


class LocalLink(NamedTuple):
    """A link or a definition, and what of the project it leads to."""

    path: str
    link: Link | Definition
    destination: Span
    target: LinkTarget | None
    """None if the project has no such page or anchor."""

    @property
    def file(self) -> str:
        """What is before `#` in the URL."""
        return self.link.url.partition("#")[0]

    @property
    def fragment(self) -> str:
        """What is behind `#` in the URL."""
        return self.link.url.partition("#")[2]


class TargetFinder:
    """Finds what URLs lead to; the pages and anchors of a project are looked up once."""

    def __init__(self, context: RuleContext) -> None:
        self.context = context
        self.project = context.project
        self._pages: dict[tuple[str, str], str | None] = {}
        self._anchors: dict[str, tuple[dict[str, int], dict[str, int]]] = {}

    def find(self, url: str, path: str) -> LinkTarget | None:
        """Return what a URL in the page `path` leads to; None if the project has no such page or anchor."""
        file, _, fragment = url.partition("#")
        page = self._page(file, path) if file else path
        if page is None or page not in self.project.facts:
            return None
        if not fragment:
            return LinkTarget(page)
        index = self._anchor(page, unquote(fragment))
        return None if index is None else LinkTarget(page, index)

    def _page(self, file: str, path: str) -> str | None:
        key = file, path
        if key not in self._pages:
            self._pages[key] = linked_page(file, path, self.context)
        return self._pages[key]

    def _anchor(self, page: str, wanted: str) -> int | None:
        """Return the index of an anchor, which may differ in case, as on GitHub."""
        if page not in self._anchors:
            anchors = list(enumerate(self.project.anchors(page) or ()))
            exact = {anchor: index for index, anchor in reversed(anchors)}
            self._anchors[page] = exact, {anchor.casefold(): index for index, anchor in reversed(anchors)}
        exact, folded = self._anchors[page]
        bare = wanted.removeprefix(_PREFIX)
        indexes = (exact.get(wanted), exact.get(bare), folded.get(bare.casefold()))
        return next((index for index in indexes if index is not None), None)


def local_links(document: Document, finder: TargetFinder) -> Iterator[LocalLink]:
    """Yield the links and definitions of a document that may lead to a page of the project or an anchor."""
    path = document.source.path or ""
    links: tuple[Link | Definition, ...] = (*document.links, *document.tree.definitions)
    for link in links:
        if link.destination is not None and "://" not in link.url:
            yield LocalLink(path, link, link.destination, finder.find(link.url, path))
