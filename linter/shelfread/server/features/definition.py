"""Where what a link, a reference or a repeated entry means is defined."""

from __future__ import annotations

from shelfread.core.diagnostics import Span
from shelfread.document.model import Document, EntryIndex
from shelfread.index.context import RuleContext
from shelfread.server.features.listings import other_listings
from shelfread.server.features.places import Place, definition_at, heading_at, holds, link_at
from shelfread.server.features.reference_links import label_at
from shelfread.server.features.targets import LinkTarget, TargetFinder


def find_definitions(document: Document, context: RuleContext, offset: int) -> list[Place]:
    """Return the places that what stands at an offset leads to.

    That is the definition of a reference link, the heading or tag of an anchor, a page of the project, the other
    places of an entry that is listed several times, or a heading itself.
    """
    path = document.source.path or ""
    label = label_at(document, offset)
    if label is not None:
        return [Place(path, each.text) for each in document.tree.definitions if each.label == label][:1]
    if (target := target_at(document, context, offset)) is not None:
        return [place_of(target, context)]
    return listings_at(document, context, offset)


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


def place_of(target: LinkTarget, context: RuleContext) -> Place:
    """Return the place of a target: a heading's text, a tag, or the start of a page."""
    if target.landmark is None:
        return Place(target.page, Span(0, 0))
    landmark = context.project.facts[target.page].landmarks[target.landmark]
    return Place(target.page, Span(landmark.start, landmark.end))


def listings_at(document: Document, context: RuleContext, offset: int) -> list[Place]:
    """Return the other places of the entry whose title is at an offset."""
    entry = EntryIndex(document.entries).around(Span(offset, offset))
    if entry is None or not holds(entry.title.span, offset):
        return []
    index = next(index for index, each in enumerate(document.entries) if each is entry)
    others = other_listings(document.source.path or "", index, context.project)
    return [Place(other.path, other.span) for other in others]
