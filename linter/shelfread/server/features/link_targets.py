"""What the links of a list lead to: pages of the project, their headings and other anchors; and what links open."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeAlias
from urllib.parse import quote, unquote

from shelfread.core.diagnostics import Span
from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.index.local_links import is_local, linked_page
from shelfread.markdown.node import Definition, Link

_PREFIX = "user-content-"
"""What GitHub puts before anchors in HTML."""
_WEB = ("http://", "https://", "mailto:")
_LONGEST = 2000
"""Characters of a URL."""
Sources: TypeAlias = Callable[[str], "Source | None"]
"""Returns the text of a file of the project, None if it cannot be read."""


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


class OpenLink(NamedTuple):
    """A span, and the URI that it opens."""

    span: Span
    uri: str


def document_links(document: Document, sources: Sources, context: RuleContext) -> list[OpenLink]:
    """Return the links of a document that open something: web pages, and files inside the project, at their line.

    What leads out of the project, or has another scheme, is left out.
    """
    resolver = _Resolver(document, sources, context)
    links: tuple[Link | Definition, ...] = (*document.links, *document.tree.definitions)
    # The span is that of the destination as written; of a reference link the whole link.
    return [
        OpenLink(link.destination or Span(link.start, link.end), uri)
        for link in links
        if (uri := resolver.uri(link.url)) is not None
    ]


class _Resolver:
    """Finds what the URLs of one document open."""

    def __init__(self, document: Document, sources: Sources, context: RuleContext) -> None:
        self.sources = cache(sources)
        self.path = document.source.path or ""
        self.finder = TargetFinder(context)
        self.context = context
        self.files = context.files_around(self.path)

    def uri(self, url: str) -> str | None:
        """Return what a URL opens, None if that is nothing that may be opened."""
        if len(url) > _LONGEST or not url.isprintable():
            return None
        if url.lower().startswith(_WEB):
            return quote(url, safe="%/:?#[]@!$&'()*+,;=~-._")
        target = self.finder.find(url, self.path)
        if target is not None and (target.page != self.path or target.landmark is not None):
            return self._of_target(target)
        return self._of_file(url)

    def _of_target(self, target: LinkTarget) -> str | None:
        uri = self._file_uri(target.page)
        if uri is None or target.landmark is None:
            return uri
        source = self.sources(target.page)
        landmark = self.context.project.facts[target.page].landmarks[target.landmark]
        return f"{uri}#L{source.line_at(landmark.start) + 1 if source is not None else 1}"

    def _of_file(self, url: str) -> str | None:
        """Return the URI of a file or folder of the project that exists."""
        file = unquote(url.partition("#")[0].partition("?")[0])
        if (
            not is_local(url)
            or not file
            or "\0" in file
            or (file.startswith("/") and not self.files.is_git_root)
        ):
            return None
        base = self.files.root if file.startswith("/") else os.path.dirname(os.path.abspath(self.path))
        return self._file_uri(os.path.join(base, file.lstrip("/")))

    def _file_uri(self, path: str) -> str | None:
        """Return the URI of a path; None if it is outside of the project, or does not exist."""
        real = os.path.realpath(path)
        inside = self.context.disk.from_root(real, self.files.root)
        if inside is None or self.files.find(inside) is not True:
            return None
        return Path(real).as_uri()
