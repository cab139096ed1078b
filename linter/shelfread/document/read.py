"""Reads a source into a document."""

from __future__ import annotations

from shelfread.core.source import Source
from shelfread.document.entry.links import all_links
from shelfread.document.model import Document
from shelfread.document.overviews import part_overviews
from shelfread.document.section_dates import date_sections, settle_kinds, settle_organisations, settle_tools
from shelfread.document.walk import DocumentWalk
from shelfread.markdown.parse import parse
from shelfread.taxonomy.vocabulary import Vocabulary


def read(source: Source, vocabulary: Vocabulary) -> Document:
    """Return the sections, entries and links of a list. Never fails on any text."""
    tree = parse(source)
    links = tuple(all_links(tree.blocks))
    walk = DocumentWalk(source, links, vocabulary)
    walk.read_blocks(tree.blocks)
    sections = date_sections(walk.outline.sections, vocabulary)
    settled = settle_kinds(walk.entries, walk.title_lines, vocabulary)
    settled = settle_organisations(settle_tools(settled, walk.outline.sections, vocabulary))
    entries, overviews = part_overviews(settled)
    skipped = tuple(sorted([*walk.non_entries, *overviews], key=lambda item: item.span.start))
    return Document(source, tree, sections, tuple(entries), links, skipped)
