"""What papers lack that most papers of the list have, and sources know: a venue, a year, a DOI, a link to code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from shelfread.checks.common.restated_citation import restate
from shelfread.checks.complete.added_fields import insert_citation, insert_link, insert_year
from shelfread.core.diagnostics import Applicability, Edit, RawDiagnostic, RawDiagnostics, Severity, Span
from shelfread.document.model import Document, Entry, LabelledLink
from shelfread.index.answers import Work
from shelfread.index.context import RuleContext
from shelfread.index.facts import Publication, heading_publication
from shelfread.index.known_works import Stated, is_printable, works_of
from shelfread.index.known_works import published as published_at


def published(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield papers that are cited as preprints and have been published."""
    text = document.source.text
    for entry in _papers_of(document):
        cited = entry.citation
        if cited is None or cited.venue is None or cited.venue.kind != "preprint":
            continue
        stated = published_at(works_of(entry, context.answers), context.vocabulary)
        printable = _printable(stated)
        edits = restate(entry, cited, printable, text) if printable else ()
        yield from _diagnostic(cited.span, stated, edits, {"here": cited.text})


def venue(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield papers without a venue, if half of the list's papers have one."""
    papers = _papers_of(document) if context.answers.works else []
    if not _is_usual(entry.citation is not None for entry in papers):
        return
    for entry in papers:
        if entry.citation is None and not _is_in_section_of_venue(entry, document):
            stated = published_at(works_of(entry, context.answers), context.vocabulary)
            printable = _printable(stated)
            edits = insert_citation(entry, document, printable) if printable else ()
            yield from _diagnostic(entry.title.span, stated, edits, {})


def year(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield venues without a year, if half of the list's venues have one."""
    cited = [entry for entry in _papers_of(document) if entry.citation is not None and entry.citation.venue]
    if not context.answers.works or not _is_usual(entry.year is not None for entry in cited):
        return
    for entry in cited:
        assert entry.citation is not None and entry.citation.venue is not None
        if entry.year is not None or _is_in_section_of_venue(entry, document):
            continue
        here = entry.citation.venue.id
        same = [
            stated
            for stated in published_at(works_of(entry, context.answers), context.vocabulary)
            if stated.publication.venue == here and stated.publication.year is not None
        ]
        edits = insert_year(entry, document, same[0].publication.year or 0) if len(same) == 1 else ()
        yield from _diagnostic(entry.citation.span, same, edits, {})


def _printable(stated: Sequence[Stated]) -> Publication | None:
    """Return what all sources state, if a list may print it."""
    publication = stated[0].publication if len(stated) == 1 else None
    return publication if publication is not None and is_printable(publication) else None


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


def _papers_of(document: Document) -> list[Entry]:
    return [entry for entry in document.entries if entry.kind == "paper"]


def _is_usual(cases: Iterable[bool]) -> bool:
    """Return whether half of some papers or more have something, so that the others lack it."""
    counted = list(cases)
    return 2 * sum(counted) >= len(counted)


def code(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield papers without a link to code, if half of the list's papers have one."""
    yield from _lacking(
        document,
        context,
        has=lambda entry: "github" in entry.identifiers or any(map(_is_code, entry.links)),
        is_kind=_is_code,
        url=lambda work: work.code,
    )


def doi(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield papers without a DOI, if half of the list's papers have one."""
    yield from _lacking(
        document,
        context,
        has=lambda entry: "doi" in entry.identifiers,
        is_kind=lambda link: "doi.org/" in link.link.url,
        url=lambda work: f"https://doi.org/{work.doi}" if work.doi and not work.is_preprint else "",
    )


def _is_code(link: LabelledLink) -> bool:
    return link.role is not None and link.role.id == "code"


def _lacking(
    document: Document,
    context: RuleContext,
    *,
    has: Callable[[Entry], bool],
    is_kind: Callable[[LabelledLink], bool],
    url: Callable[[Work], str],
) -> RawDiagnostics:
    papers = _papers_of(document) if context.answers.works else []
    having = [has(entry) for entry in papers]
    if not _is_usual(having):
        return
    for entry, has_it in zip(papers, having, strict=True):
        if has_it:
            continue
        found: dict[str, dict[str, None]] = {}
        for work in works_of(entry, context.answers):
            if address := url(work):
                found.setdefault(address, {})[work.source] = None
        shown = ", ".join(f"{address} ({', '.join(sources)})" for address, sources in found.items())
        if len(found) == 1:
            edits = insert_link(entry, document, is_kind, next(iter(found)))
            yield RawDiagnostic(
                entry.title.span, {"shown": shown}, edits, Applicability.UNSAFE, message="agreed"
            )
        elif found:
            yield RawDiagnostic(entry.title.span, {"shown": shown}, severity=Severity.INFO, message="differ")
