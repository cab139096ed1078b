"""What the links of a list lead to, where what stands at an offset is defined, and all places in the project that mean the same."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import NamedTuple
from urllib.parse import unquote

from shelfread.core.diagnostics import Span
from shelfread.document.model import Document, Entry, EntryIndex
from shelfread.index.context import RuleContext
from shelfread.index.facts import Listing
from shelfread.index.pages import linked_page
from shelfread.index.project_index import ProjectIndex
from shelfread.index.repeats import is_same_name, is_same_paper
from shelfread.markdown.node import Definition, Link
from shelfread.server.under_cursor import (
    FileSpan,
    definition_at,
    heading_at,
    holds,
    label_at,
    label_span,
    link_at,
)

_PREFIX = "user-content-"  # what GitHub puts before anchors in HTML


class LinkTarget(NamedTuple):
    """An anchor of a page, or the page itself if `landmark` is None."""

    page: str
    landmark: int | None = None  # the index among the landmarks of the page


class LocalLink(NamedTuple):
    """A link or a definition, and what of the project it leads to."""

    path: str
    link: Link | Definition
    destination: Span
    target: LinkTarget | None  # none if the project has no such page or anchor

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
        self._page = cache(partial(linked_page, context=context))
        self._anchors = cache(self._indexes)

    def find(self, url: str, path: str) -> LinkTarget | None:
        """Return what a URL in the page `path` leads to; None if the project has no such page or anchor."""
        file, _, fragment = url.partition("#")
        page = self._page(file, path) if file else path
        if page is None or page not in self.project.facts:
            return None
        if not fragment:
            return LinkTarget(page)
        wanted = unquote(fragment)
        bare = wanted.removeprefix(_PREFIX)
        exact, folded = self._anchors(page)
        indexes = (exact.get(wanted), exact.get(bare), folded.get(bare.casefold()))
        return next((LinkTarget(page, index) for index in indexes if index is not None), None)

    def _indexes(self, page: str) -> tuple[dict[str, int], dict[str, int]]:
        """Return the indexes of a page's anchors, and of its anchors without case, as on GitHub."""
        anchors = list(enumerate(self.project.anchors(page) or ()))
        exact = {anchor: index for index, anchor in reversed(anchors)}
        return exact, {anchor.casefold(): index for index, anchor in reversed(anchors)}


def local_links(document: Document, finder: TargetFinder) -> Iterator[LocalLink]:
    """Yield the links and definitions of a document that may lead to a page of the project or an anchor."""
    path = document.source.path or ""
    links: tuple[Link | Definition, ...] = (*document.links, *document.tree.definitions)
    for link in links:
        if link.destination is not None and "://" not in link.url:
            yield LocalLink(path, link, link.destination, finder.find(link.url, path))


def find_definitions(document: Document, context: RuleContext, offset: int) -> list[FileSpan]:
    """Return the places that what stands at an offset leads to: a definition, heading, anchor, page, or the same entry."""
    label = label_at(document, offset)
    if label is not None:
        return _definitions_of(label, document)[:1]
    if (target := target_at(document, context, offset)) is not None:
        return [_place_of(target, context)]
    return _listings_at(document, context, offset)


def _definitions_of(label: str, document: Document) -> list[FileSpan]:
    path = document.source.path or ""
    definitions = document.tree.definitions
    return [FileSpan(path, definition.text) for definition in definitions if definition.label == label]


def target_at(document: Document, context: RuleContext, offset: int) -> LinkTarget | None:
    """Return the anchor or page that a link at an offset leads to, or the heading there."""
    path, project = document.source.path or "", context.project
    link = link_at(document, offset) or definition_at(document, offset)
    if link is not None and (target := TargetFinder(context).find(link.url, path)) is not None:
        return target
    if path not in project.facts:
        return None
    heading = heading_at(project.facts[path].landmarks, offset)
    return None if heading is None else LinkTarget(path, heading)


def _place_of(target: LinkTarget, context: RuleContext) -> FileSpan:
    if target.landmark is None:
        return FileSpan(target.page, Span(0, 0))
    landmark = context.project.facts[target.page].landmarks[target.landmark]
    return FileSpan(target.page, Span(landmark.start, landmark.end))


def _listings_at(document: Document, context: RuleContext, offset: int) -> list[FileSpan]:
    """Return the other places of the entry whose title is at an offset."""
    entry = EntryIndex(document.entries).around(Span(offset, offset))
    if entry is None or not holds(entry.title.span, offset):
        return []
    return [FileSpan(other.path, other.span) for other in other_listings(entry, document, context.project)]


def find_references(
    document: Document, context: RuleContext, offset: int, *, with_declaration: bool
) -> list[FileSpan]:
    """Return the places in the project that mean what stands at an offset."""
    path = document.source.path or ""
    label = label_at(document, offset)
    if label is not None:
        uses_of = (link for link in document.links if link.form == "reference" and link.label == label)
        uses = [FileSpan(path, label_span(link, document.source.text)) for link in uses_of]
        return [*_definitions_of(label, document), *uses] if with_declaration else uses
    listings = _listings_at(document, context, offset)
    target = target_at(document, context, offset)
    if target is None or target.landmark is None:
        return listings
    finder = TargetFinder(context)
    links = [
        FileSpan(link.path, link.fragment)
        for facts in context.project.facts.values()
        for link in facts.references
        if finder.find(link.url, link.path) == target
    ]
    return [*([_place_of(target, context)] if with_declaration else ()), *links, *listings]


def other_listings(entry: Entry, document: Document, project: ProjectIndex) -> list[Listing]:
    """Return the other listings of an entry in the project, in order of paths and lines."""
    path = document.source.path or ""
    facts = project.facts.get(path)
    number = next(index for index, other in enumerate(document.entries) if other is entry)
    own = {key: listing for key, listing in facts.identities if listing.entry == number} if facts else {}
    others = {other[:2]: other for other in _same_listings(own, project)}
    others.pop((path, number), None)
    return [others[place] for place in sorted(others)]


def _same_listings(own: dict[str, Listing], project: ProjectIndex) -> Iterator[Listing]:
    """Yield the listings with one of the keys, and papers with nearly the same title."""
    for facts in project.facts.values() if own else ():
        for key, other in facts.identities:
            listing = own.get(key)
            if listing is None or bool(listing.keys) != bool(other.keys):
                continue
            if (
                is_same_paper(listing, other, key)
                if listing.keys
                else is_same_name(listing.title, other.title, key)
            ):
                yield other
    for listing in list(own.values())[:1]:
        if listing.keys:
            yield from (other for other, _ in project.duplicates.other_listings(listing))
