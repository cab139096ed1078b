"""Reference links, and the definitions that they use."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.core.diagnostics import Span
from shelfread.document.model import Document
from shelfread.markdown.node import Link
from shelfread.server.features.places import definition_at, holds, link_at


def label_at(document: Document, offset: int) -> str | None:
    """Return the normalised label of the reference link or of the definition's label at an offset."""
    definition = definition_at(document, offset)
    if definition is not None and holds((definition.start, definition.text.end + 1), offset):
        return definition.label
    link = link_at(document, offset)
    return link.label if link is not None and link.form == "reference" else None


def label_span(link: Link, text: str) -> Span:
    """Return the span of a reference link's label: of `[text][label]` the second part, else the text."""
    first = link.text.end + 2
    return Span(first, link.end - 1) if link.end - 1 > first and text[first - 1] == "[" else link.text


def uses_of(label: str, document: Document) -> Iterator[Link]:
    """Yield the reference links with a normalised label."""
    return (link for link in document.links if link.form == "reference" and link.label == label)
