"""What the links of a document open: pages of the web, and files of the project."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeAlias
from urllib.parse import quote, unquote

from shelfread.core.diagnostics import Span
from shelfread.core.source import Source
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.index.local_links import is_local
from shelfread.markdown.node import Definition, Link
from shelfread.server.features.link_targets import LinkTarget, TargetFinder

_WEB = ("http://", "https://", "mailto:")
_LONGEST = 2000
"""Characters of a URL."""


Sources: TypeAlias = Callable[[str], "Source | None"]
"""Returns the text of a file of the project, None if it cannot be read."""


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
