"""Reads lists in Markdown, in any dialect, as `export` does."""

from __future__ import annotations

from shelfread.core.source import Source
from shelfread.core.support.regex import lazy
from shelfread.document.export import exported_entry
from shelfread.document.read import read as read_document
from shelfread.imports.model import Import
from shelfread.taxonomy.taxonomy import Taxonomy

KIND = "markdown"
_MARKS = lazy(
    r"^(?:#{1,6} \S|[ \t]*[-*+] +\S|[ \t]*\|.*\|[ \t]*$|[ \t]*<(?:table|tr|td|li|details|h\d|a|p)\b)|\]\([^)\s]",
    10,
)


def looks_like(text: str) -> bool:
    """Return whether a text has marks of Markdown: links, headings, list items, tables."""
    return _MARKS.search(text) is not None


def read(source: Source, taxonomy: Taxonomy) -> Import:
    """Return the entries of a list."""
    document = read_document(source, taxonomy.vocabulary)
    return Import([exported_entry(entry, document, taxonomy) for entry in document.entries], [])
