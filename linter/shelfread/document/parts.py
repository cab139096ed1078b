"""Reads a list part by part, so that after an edit only the changed parts are read again.

A part begins at a heading, where CommonMark's block parser has no state, and ends where the next one begins. What the
parts share is passed from one to the next (the open sections) or counted over all of them (definitions, whether the
list is one of papers). Each part is a document by itself, in which offsets and lines count from its own beginning.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from shelfread.core.source import Source
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.document.entry.title_line import TitleLine
from shelfread.document.file_kind import FileKind, classify
from shelfread.document.model import Document, Entry, NonEntry, Section
from shelfread.document.overviews import Listed, has_tables, part_overviews
from shelfread.document.pieces import Piece, Pieces, linked_headings
from shelfread.document.section_dates import (
    KindCounts,
    OrganisationCounts,
    count_kinds,
    count_organisations,
    date_sections,
    settle_kinds,
    settle_organisations,
    settle_tools,
)
from shelfread.document.walk import DocumentWalk, OuterSections
from shelfread.markdown.protected import find_front_matter
from shelfread.taxonomy.vocabulary import Vocabulary

_NO_SECTIONS = OuterSections()


class Walked(NamedTuple):
    """What was read of a piece by itself, before the other parts are considered."""

    piece: Piece
    outer: OuterSections
    linked: frozenset[int]
    """The numbers of its headings that are entries, as most are among their siblings."""
    sections: tuple[Section, ...]
    """The outer ones first."""
    open: tuple[int, ...]
    """The indexes of the sections that are open at its end."""
    inner: OuterSections
    """The same without their places, for the next part."""
    entries: Sequence[Entry]
    title_lines: Mapping[int, TitleLine]
    non_entries: Sequence[NonEntry]
    kinds: KindCounts


class Settled(NamedTuple):
    """The entries of a part, given whether the list is one of papers and has organisations for venues."""

    walked: Walked
    are_papers: bool
    tooled: Sequence[Entry]
    """Before organisations are told from venues."""
    counts: OrganisationCounts
    are_organisations: bool
    entries: Sequence[Entry]
    has_tables: bool


class Part(NamedTuple):
    """A part of a document, as a document."""

    settled: Settled
    document: Document
    """Its first sections are the open ones above it, without a place in the text."""
    memo: dict[Any, Any]
    """What was computed of the part alone."""

    @property
    def walked(self) -> Walked:
        return self.settled.walked

    @property
    def outer(self) -> int:
        """The number of the sections above it."""
        return len(self.settled.walked.outer.sections)


class Parts(NamedTuple):
    """A document by its parts."""

    source: Source
    parts: tuple[Part, ...]
    references: Mapping[str, tuple[str, str]]
    vocabulary: Vocabulary
    memo: dict[Any, Any]
    """What was computed of the parts alone."""


def read_parts(source: Source, vocabulary: Vocabulary, before: Parts | None = None) -> Parts | None:
    """Return the parts of a list; those of an earlier version are kept where they are the same.

    None for a file that is no list, or has newlines of several kinds.
    """
    if classify(source) is not FileKind.LIST or not _has_one_newline(source.text):
        return None
    front_matter = find_front_matter(source) if source.text.startswith(("---", "+++")) else 0
    old = before.parts if before is not None and before.vocabulary is vocabulary else ()
    if old and old[0].walked.piece.front_matter != front_matter:
        old = ()
    references = before.references if before is not None else {}
    pieces = Pieces(source, front_matter, [part.walked.piece for part in old], references)
    pieces.read()
    walked = _walk(pieces.found, vocabulary, old)
    parts = _finish(_settle(walked, vocabulary, old), vocabulary, old)
    return Parts(source, tuple(parts), pieces.references, vocabulary, {})


def _has_one_newline(text: str) -> bool:
    count = text.count("\r")
    return not count or count == text.count("\r\n") == text.count("\n")


def _walk(pieces: Sequence[Piece], vocabulary: Vocabulary, old: Sequence[Part]) -> Iterator[Walked]:
    """Yield what is read of each piece; what was read of it in an earlier version is kept."""
    known = {id(part.walked.piece): part.walked for part in old}
    inner = _NO_SECTIONS
    for piece, linked in zip(pieces, linked_headings(pieces), strict=True):
        outer = inner.above(piece.level) if piece.level else inner
        walked = known.get(id(piece))
        if walked is None or walked.outer != outer or walked.linked != linked:
            walked = _read_piece(piece, outer, linked, vocabulary)
        inner = walked.inner
        yield walked


def _read_piece(piece: Piece, outer: OuterSections, linked: frozenset[int], vocabulary: Vocabulary) -> Walked:
    blocks = piece.tree.blocks
    headings = [index for index, block in enumerate(blocks) if block.kind == "heading"] if linked else []
    walk = DocumentWalk(piece.source, piece.links, vocabulary, outer)
    walk.read_blocks(blocks, frozenset([headings[number] for number in linked]))
    return Walked(
        piece=piece,
        outer=outer,
        linked=linked,
        sections=date_sections(walk.outline.sections, vocabulary),
        open=tuple(walk.outline.open),
        inner=walk.outer_sections(),
        entries=walk.entries,
        title_lines=walk.title_lines,
        non_entries=walk.non_entries,
        kinds=count_kinds(walk.entries, vocabulary),
    )


def _settle(walked: Iterable[Walked], vocabulary: Vocabulary, old: Sequence[Part]) -> list[Settled]:
    """Return the entries of the parts, given what all of them are."""
    parts = list(walked)
    known = {id(part.walked): part.settled for part in old}
    counts = [part.kinds for part in parts]
    are_papers = KindCounts(
        sum([count.entries for count in counts]), sum([count.papers for count in counts])
    ).are_papers
    settled = [_settle_kinds(part, are_papers, known.get(id(part)), vocabulary) for part in parts]
    totals = [sum(column) for column in zip(*(part.counts for part in settled), strict=True)]
    are_organisations = OrganisationCounts(*totals).are_organisations if totals else False
    return [_settle_organisations(part, are_organisations) for part in settled]


def _settle_kinds(part: Walked, are_papers: bool, known: Settled | None, vocabulary: Vocabulary) -> Settled:
    if known is not None and known.are_papers is are_papers:
        return known
    entries = part.entries
    if not are_papers:
        entries = settle_kinds(entries, part.title_lines, vocabulary)
    entries = settle_tools(entries, part.sections, vocabulary)
    counts = count_organisations(entries)
    return Settled(part, are_papers, entries, counts, False, entries, has_tables(entries))


def _settle_organisations(part: Settled, are_organisations: bool) -> Settled:
    if part.are_organisations is are_organisations:
        return part
    entries = settle_organisations(part.tooled) if are_organisations else part.tooled
    return part._replace(are_organisations=are_organisations, entries=entries)


def _finish(parts: Sequence[Settled], vocabulary: Vocabulary, old: Sequence[Part]) -> Iterator[Part]:
    """Yield the parts without the rows of overviews."""
    known = {id(part.settled): part for part in old}
    listed = Listed(part.entries for part in parts)
    overviews = 0
    for part in parts:
        before = known.get(id(part))
        if before is not None and not part.has_tables:
            yield before
            continue
        entries, found = part_overviews(part.entries, listed, overviews > 0)
        overviews += len(found)
        if before is not None and _are_same(before.document.entries, entries):
            yield before
            continue
        walked = part.walked
        skipped = sorted([*walked.non_entries, *found], key=lambda item: item.span.start)
        document = Document(
            source=walked.piece.source,
            tree=walked.piece.tree,
            sections=walked.sections,
            entries=tuple(entries),
            links=walked.piece.links,
            non_entries=tuple(skipped),
        )
        yield Part(part, document, {})


def _are_same(entries: Sequence[Entry], others: Sequence[Entry]) -> bool:
    """Return whether two rows have the same objects."""
    return len(entries) == len(others) and all(map(lambda a, b: a is b, entries, others))
