"""The places that lead to a heading, an anchor or a definition, and the places of a repeated entry."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.server.features.definition import listings_at, place_of, target_at
from shelfread.server.features.places import Place
from shelfread.server.features.reference_links import label_at, label_span, uses_of
from shelfread.server.features.targets import LinkTarget, TargetFinder


def find_references(
    document: Document, context: RuleContext, offset: int, *, with_declaration: bool
) -> list[Place]:
    """Return the places in the project that mean what stands at an offset."""
    path = document.source.path or ""
    label = label_at(document, offset)
    if label is not None:
        uses = [Place(path, label_span(link, document.source.text)) for link in uses_of(label, document)]
        definitions = [Place(path, each.text) for each in document.tree.definitions if each.label == label]
        return [*definitions, *uses] if with_declaration else uses
    listings = listings_at(document, context, offset)
    target = target_at(document, context, offset)
    if target is None or target.landmark is None:
        return listings
    links = [*_links(target, context), *listings]
    return [place_of(target, context), *links] if with_declaration else links


def _links(target: LinkTarget, context: RuleContext) -> Iterator[Place]:
    finder = TargetFinder(context)
    for facts in context.project.facts.values():
        for link in facts.references:
            if finder.find(link.url, link.path) == target:
                yield Place(link.path, link.fragment)
