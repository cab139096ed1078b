"""Years of headings and of what stands below them."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.checks.paper.venue import year_of
from shelfread.core.diagnostics import RawDiagnostic, Severity, Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document, Entry, Section
from shelfread.document.recognizers.citation import arxiv_year
from shelfread.index.context import RuleContext

_ABOUT = lazy(r"[~≤≥<>+≈]|(?:19|20)\d\d\s*[-–—]|[-–—]\s*(?:19|20)\d\d")
_LEAST = 4
"""Of so many entries under a year one may be of another and still be a slip."""
_CLEAR = 9
"""Of so many it surely is."""


def year_section(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Entries that state another year than the heading above them, where nearly none does."""
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
    if len(differing) * _LEAST > agreeing:
        return  # the headings mean something else
    severity = Severity.WARNING if len(differing) * _CLEAR <= agreeing else Severity.INFO
    text = document.source.text
    for entry, year in differing:
        yield RawDiagnostic(_where(entry, text), {"stated": entry.year, "year": year}, severity=severity)


def _years(sections: tuple[Section, ...]) -> list[int | None]:
    """The year of each section: its heading's, else that of the section above."""
    years: list[int | None] = []
    for section in sections:
        if section.year is not None:
            years.append(None if _ABOUT.search(section.title) else section.year)
        else:
            above = section.parent
            years.append(years[above] if above is not None and above < len(years) else None)
    return years


def _is_published(entry: Entry) -> bool:
    """Whether an entry states a year that is not a preprint's: that one may be older or newer."""
    cited = entry.citation
    return cited is None or cited.venue is None or cited.venue.kind != "preprint"


def _where(entry: Entry, text: str) -> Span:
    """Where an entry states its year; else its title."""
    if entry.citation is not None:
        if entry.citation.year != entry.year:
            return entry.title.span
        return year_of(entry.citation, text) or entry.citation.span
    at = text.find(str(entry.year), *entry.title_line)
    return Span(at, at + 4) if at >= 0 else entry.title.span
