"""Papers that have been published since they were listed, and papers without a venue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shelfread.checks.common.restated_citation import restate
from shelfread.checks.complete.insertion import insert_citation, insert_year
from shelfread.checks.complete.sources import (
    Stated,
    is_printable,
    is_usual,
    papers_of,
    works_of,
)
from shelfread.checks.complete.sources import (
    published as published_at,
)
from shelfread.core.diagnostics import Applicability, Edit, RawDiagnostic, RawDiagnostics, Severity, Span
from shelfread.document.model import Document, Entry
from shelfread.index.context import RuleContext
from shelfread.index.publication import heading_publication


def published(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield papers that are cited as preprints and have been published."""
    text = document.source.text
    for entry in papers_of(document):
        cited = entry.citation
        if cited is None or cited.venue is None or cited.venue.kind != "preprint":
            continue
        stated = published_at(works_of(entry, context), context.vocabulary)
        edits: tuple[Edit, ...] = ()
        if len(stated) == 1 and is_printable(stated[0].publication):
            edits = restate(entry, cited, stated[0].publication, text)
        yield from _diagnostic(cited.span, stated, edits, {"here": cited.text})


def venue(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield papers without a venue, if half of the list's papers have one."""
    papers = papers_of(document) if context.answers.works else []
    if not is_usual(entry.citation is not None for entry in papers):
        return
    for entry in papers:
        if entry.citation is None and not _is_in_section_of_venue(entry, document):
            stated = published_at(works_of(entry, context), context.vocabulary)
            edits: tuple[Edit, ...] = ()
            if len(stated) == 1 and is_printable(stated[0].publication):
                edits = insert_citation(entry, document, stated[0].publication)
            yield from _diagnostic(entry.title.span, stated, edits, {})


def year(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield venues without a year, if half of the list's venues have one."""
    cited = [entry for entry in papers_of(document) if entry.citation is not None and entry.citation.venue]
    if not context.answers.works or not is_usual(entry.year is not None for entry in cited):
        return
    for entry in cited:
        assert entry.citation is not None and entry.citation.venue is not None
        if entry.year is not None or _is_in_section_of_venue(entry, document):
            continue
        here = entry.citation.venue.id
        same = [
            stated
            for stated in published_at(works_of(entry, context), context.vocabulary)
            if stated.publication.venue == here and stated.publication.year is not None
        ]
        edits = insert_year(entry, document, same[0].publication.year or 0) if len(same) == 1 else ()
        yield from _diagnostic(entry.citation.span, same, edits, {})


def _is_in_section_of_venue(entry: Entry, document: Document) -> bool:
    """Return whether a heading above states the venue."""
    return entry.section is not None and heading_publication(document, entry.section) is not None


def _diagnostic(
    span: Span, stated: Sequence[Stated], edits: tuple[Edit, ...], values: Mapping[str, object]
) -> RawDiagnostics:
    """Yield what one or more sources state; if they differ, without a fix."""
    if len(stated) == 1:
        publication = stated[0].publication
        values = {**values, "there": publication.text, "year": publication.year, "sources": stated[0].by}
        yield RawDiagnostic(span, values, edits, Applicability.UNSAFE, message="agreed")
    elif stated:
        shown = ", ".join(f"{each.publication.text} ({each.by})" for each in stated)
        yield RawDiagnostic(span, {**values, "shown": shown}, severity=Severity.INFO, message="differ")
