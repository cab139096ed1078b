"""A document read from a text, with the bundled vocabulary."""

from __future__ import annotations

from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.taxonomy.load import load

TAXONOMY = load(None)


def read_text(text: str) -> Document:
    """Return the document of a text."""
    return read(Source.from_bytes(text.encode(), "list.md"), TAXONOMY.vocabulary)
