"""A source read into a document: sections and entries in the order in which they stand."""

from __future__ import annotations

from shelfread.core.source import Source
from shelfread.document.entry.links import all_links
from shelfread.document.model import Document
from shelfread.document.section_dates import date_section, settle_kinds
from shelfread.document.walk import DocumentWalk
from shelfread.markdown.parse import parse
from shelfread.taxonomy.vocabulary import Vocabulary


def read(source: Source, vocabulary: Vocabulary) -> Document:
    """Everything that a list says, whatever its dialect; never fails on any text."""
    tree = parse(source)
    links = tuple(all_links(tree.blocks))
    reader = DocumentWalk(source, links, vocabulary)
    reader.read_blocks(tree.blocks)
    sections = tuple(date_section(section, vocabulary) for section in reader.outline.sections)
    entries = tuple(settle_kinds(reader.entries, reader.heads, vocabulary))
    return Document(source, tree, sections, entries, links)
