"""Reads a source into a document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from shelfread.core.source import Source
from shelfread.document.dated_sections import date_sections
from shelfread.document.doubts import doubt
from shelfread.document.file_kind import FileKind, classify
from shelfread.document.model import Document, Entry, MisreadSeries, NonEntry
from shelfread.document.places import read_places
from shelfread.document.settled_entries import settle
from shelfread.document.walk import DocumentWalk
from shelfread.markdown.node import Tree, all_links
from shelfread.markdown.parse import parse
from shelfread.taxonomy.vocabulary import Vocabulary

_SERIES = 4
"""So many entries are needed for what all of them show; it is imported for the lists that have them."""


def read(source: Source, vocabulary: Vocabulary, tree: Tree | None = None) -> Document:
    """Return the sections, entries and links of a list, of which a `tree` may be known. Never fails on any text."""
    tree = parse(source) if tree is None else tree
    links = tuple(all_links(tree.blocks))
    walk = DocumentWalk(source, tree.blocks, links, vocabulary)
    walk.read_blocks(tree.blocks)
    sections = date_sections(walk.outline.sections, vocabulary)
    doubted = walk.outline.doubted_sections()
    entries, overviews = settle(
        walk.entries, walk.title_lines, walk.outline.sections, source, vocabulary, doubted, walk.lists_titles
    )
    entries = read_places(entries, vocabulary)
    if sum(1 for entry in entries if entry.kind == "classic") >= _SERIES:
        from shelfread.document.credits import read_credits

        entries = read_credits(entries)
    entries = doubt(entries, source.text, vocabulary)
    misread: tuple[MisreadSeries, ...] = ()
    if len(entries) >= _SERIES:
        from shelfread.document.misread import audit_series

        entries, misread = audit_series(entries, sections)
    kind = classify(source)
    if kind is not FileKind.LIST:
        misread = ()
        overviews, entries = [*overviews, *_examples(entries, kind)], []
    skipped = tuple(sorted([*walk.non_entries, *overviews], key=lambda item: item.span.start))
    return Document(source, tree, sections, tuple(entries), links, skipped, kind, misread)


def _examples(entries: Iterable[Entry], kind: FileKind) -> Iterator[NonEntry]:
    """Yield what a file that is no list has instead of entries, without what is nested in another."""
    end = -1
    for entry in entries:
        if entry.span.start >= end:
            end = entry.span.end
            yield NonEntry(entry.span, entry.line, entry.end_line, f"part of a {kind.value}")
