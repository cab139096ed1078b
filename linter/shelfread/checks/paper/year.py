"""Years that do not agree with an arXiv id, with the section above, or with a venue's editions."""

from __future__ import annotations

from datetime import date

from shelfread.checks.common.restated_citation import year_span
from shelfread.core.diagnostics import RawDiagnostic, RawDiagnostics, Severity, Span
from shelfread.document.model import Document, Entry, Section
from shelfread.document.years import arxiv_year
from shelfread.index.context import RuleContext

_LEAST_AGREEING = 4
"""With fewer agreeing entries for each one that differs, the years of headings mean something else."""


# ----------------------------------------------------------------------------------- paper/year-agrees
def year_agrees(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report preprints whose stated year is before that of their arXiv id; a later one may be a version's."""
    text = document.source.text
    for entry in document.entries:
        citation, identifier = entry.citation, entry.identifiers.get("arxiv")
        if identifier is None or citation is None or citation.venue is None or citation.year is None:
            continue
        if citation.venue.id != "arxiv" or identifier in citation.text:
            continue
        year = arxiv_year(identifier)
        if year is None or citation.year >= year or _is_of_january(identifier, year, citation.year):
            continue
        span = year_span(citation, text) or citation.span
        yield RawDiagnostic(span, {"stated": citation.year, "id": identifier, "year": year})


def _is_of_january(identifier: str, year: int, stated: int) -> bool:
    """Whether an id is of the January after the stated year, when a paper of that year may have been posted."""
    return identifier.partition(".")[0].endswith("01") and stated == year - 1


# ---------------------------------------------------------------------------------- paper/year-section
def year_section(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report entries that state another year than the section above, if few do."""
    if not any(section.year for section in document.sections):
        return
    years = _years(document.sections)
    differing: list[tuple[Entry, int]] = []
    agreeing = 0
    for entry in document.entries:
        year = years[entry.section] if entry.section is not None else None
        if entry.kind != "paper" or year is None or entry.year is None or entry.year_from_arxiv_id:
            continue
        if entry.year == year:
            agreeing += 1
        elif _is_published(entry) and arxiv_year(entry.identifiers.get("arxiv", "")) != year:
            differing.append((entry, year))
    if len(differing) * _LEAST_AGREEING > agreeing:
        return  # the years of these headings mean something else
    text = document.source.text
    for entry, year in differing:
        values = {"stated": entry.year, "year": year}
        yield RawDiagnostic(_stated_span(entry, text), values, severity=Severity.WARNING)


def _years(sections: tuple[Section, ...]) -> list[int | None]:
    """Return the year of each section: that of its heading, else that of its parent."""
    years: list[int | None] = []
    for section in sections:
        if section.year is not None:
            years.append(section.year)
        else:
            parent = section.parent
            years.append(years[parent] if parent is not None and parent < len(years) else None)
    return years


def _is_published(entry: Entry) -> bool:
    """Whether an entry cites no preprint, whose year may be that of another version."""
    cited = entry.citation
    return cited is None or cited.venue is None or cited.venue.kind != "preprint"


def _stated_span(entry: Entry, text: str) -> Span:
    """Return where an entry states its year, else its title."""
    if entry.citation is not None:
        if entry.citation.year != entry.year:
            return entry.title.span
        return year_span(entry.citation, text) or entry.citation.span
    start = text.find(str(entry.year), *entry.title_line)
    return Span(start, start + 4) if start >= 0 else entry.title.span


# ------------------------------------------------------------------------------------- paper/venue-year
def venue_year(document: Document, context: RuleContext, *, today: str = "") -> RawDiagnostics:
    """Report editions that were never held, or are later than next year; `today` is an ISO date."""
    latest = (date.fromisoformat(today).year if today else context.disk.this_month()[0]) + 1
    text = document.source.text
    stated = [entry.citation for entry in document.entries if entry.citation is not None]
    stated += [section.citation for section in document.sections if section.citation is not None]
    for citation in stated:
        venue, year = citation.venue, citation.year
        if venue is None or year is None:
            continue
        span = year_span(citation, text)
        values: dict[str, object] = {"venue": venue.label_in(year), "year": year}
        if year > latest:
            if span is None or span.end - span.start < 4:
                continue  # two digits may be a day or a volume
            message, values["latest"] = "future", latest
        elif venue.held_in(year) is False:
            message = "never-held"
        else:
            continue
        yield RawDiagnostic(span or citation.span, values, message=message)
