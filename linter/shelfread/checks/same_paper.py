"""One paper in several places: what they state of it is to agree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from shelfread.checks.venues import year_of
from shelfread.diagnostic import Place, Severity, Span
from shelfread.document.identifiers import identify
from shelfread.document.model import Document, Entry
from shelfread.survey.alike import is_typo
from shelfread.survey.facts import Listing
from shelfread.survey.papers import both_published, earlier, is_sure, shared, unlike
from shelfread.survey.repeats import NEAR
from shelfread.survey.stated import Stated
from shelfread.survey.survey import Survey

_OUT = ("conference", "journal")
_NAME_BLANKS = 3
"""A title of fewer blanks may be a paper's name alone."""


class Difference(NamedTuple):
    """A field that two listings state otherwise, and how certain it is that one of them is wrong."""

    field: str
    span: Span
    here: str
    there: str
    severity: Severity


def same_paper_differs(document: Document, survey: Survey) -> Iterator[Place]:
    """Papers whose venue, year, title or link is another than where the project lists them before."""
    for listing in survey.repeated(document.source.path or ""):
        entry = document.entries[listing.entry]
        told: set[str] = set()
        for other, key in survey.others(listing):
            if key.startswith(NEAR) or not earlier(other, listing):
                continue
            for one in _differing(entry, listing, other, document, survey):
                if one.field not in told:
                    told.add(one.field)
                    values = {"field": one.field, "here": one.here, "there": one.there, "where": other.where}
                    yield Place(one.span, values, severity=one.severity)


def _differing(
    entry: Entry, one: Listing, other: Listing, document: Document, survey: Survey
) -> Iterator[Difference]:
    """The fields that differ: each with its place, its two values, and how certain it is to be a slip."""
    common = shared(one, other)
    a, b = one.stated, other.stated
    if a is not None and b is not None and is_sure(one, other):
        found = _field(a, b, one, other, survey)
        if found is not None:
            field, severity = found
            span = _place(entry, field, document.source.text)
            yield Difference(field, span, a.text, b.text, severity)
    if common and one.title.replace(" ", "") != other.title.replace(" ", ""):
        if one.title not in other.title and other.title not in one.title and not _is_name(one, other):
            severity = Severity.WARNING if is_typo(one.title, other.title) else Severity.INFO
            yield Difference("title", entry.title.span, one.printed, other.printed, severity)
    elif (
        not common
        and is_sure(one, other)
        and (a is None or b is None or (a.venue, a.year) == (b.venue, b.year))
    ):
        yield from _links(entry, one, other)


def _is_name(one: Listing, other: Listing) -> bool:
    """Whether one of two listings gives a paper's name only, as tables do."""
    return min(one.title.count(" "), other.title.count(" ")) < _NAME_BLANKS


def _field(a: Stated, b: Stated, one: Listing, other: Listing, survey: Survey) -> tuple[str, Severity] | None:
    """Which of venue and year differs, as far as one paper cannot have both."""
    if a.kind not in (*_OUT, "preprint") or b.kind not in (*_OUT, "preprint"):
        return None
    if "preprint" in (a.kind, b.kind):
        revised = a.kind == b.kind and bool(shared(one, other)) and a.year != b.year
        return ("year", Severity.INFO) if revised and a.year and b.year else None
    severity = Severity.INFO if a.above or b.above else Severity.WARNING
    if a.venue == b.venue:
        return ("year", severity) if a.year != b.year and a.year and b.year else None
    venues = survey.vocabulary.venues
    if survey.vocabulary.same(venues[a.venue], venues[b.venue]):
        return None
    if a.kind != b.kind or both_published(one, other):
        return ("venue", Severity.INFO)  # at a conference, and its longer version in a journal
    return ("venue", severity)


def _links(entry: Entry, one: Listing, other: Listing) -> Iterator[Difference]:
    """Two identifiers of one kind: one of the links may be another paper's."""
    there = {kind: value for kind, _, value in (key.partition(":") for key in other.keys)}
    for link in entry.links:
        for kind, value in identify(link.link.url).items():
            if kind in there and f"{kind}:{value.lower()}" in one.keys and there[kind] != value.lower():
                span = link.link.destination or Span(link.link.start, link.link.end)
                yield Difference("link", span, f"{kind} {value}", f"{kind} {there[kind]}", Severity.INFO)
                return


def _place(entry: Entry, field: str, text: str) -> Span:
    """Where an entry states its venue, or the year of it; its title where a heading does."""
    cited = entry.citation
    if cited is None:
        return entry.title.span
    return (field == "year" and year_of(cited, text)) or cited.span


def two_titles(document: Document, survey: Survey) -> Iterator[Place]:
    """Papers whose identifier is listed before under a title that has nothing in common with theirs."""
    for listing in survey.repeated(document.source.path or ""):
        entry = document.entries[listing.entry]
        for key in listing.keys:
            if key.startswith(("title:", "url:")):
                continue
            other = next((one for one in survey.listings(key) if earlier(one, listing)), None)
            if other is not None and unlike(listing, other) and not _leads_to_code(entry):
                yield Place(entry.title.span, {"key": key, "title": other.printed, "where": other.where})
                break


def _leads_to_code(entry: Entry) -> bool:
    """Whether a title leads to code or data, whose paper has a title of its own."""
    first = entry.links[0].role if entry.links else None
    return entry.dialect == "linked-title" and first is not None and first.id != "paper"
