"""One paper in several places: what they state of it is to agree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from shelfread.checks.paper.venue import year_of
from shelfread.core.diagnostics import RawDiagnostic, Severity, Span
from shelfread.document.identity.identifiers import identify
from shelfread.document.model import Document, Entry
from shelfread.index.context import RuleContext
from shelfread.index.duplicates.near_titles import is_typo
from shelfread.index.duplicates.papers import (
    both_published,
    have_unrelated_titles,
    is_listed_before,
    is_surely_same_paper,
    is_title_within,
    shared_ids,
)
from shelfread.index.duplicates.repeated import NEAR
from shelfread.index.facts import Listing
from shelfread.index.publication import Publication
from shelfread.taxonomy.vocabulary import Vocabulary

_OUT = ("conference", "journal")
_NAME_BLANKS = 3
"""A title of fewer blanks may be a paper's name alone."""


class Pair(NamedTuple):
    """An entry, its listing, and another listing of the paper."""

    entry: Entry
    one: Listing
    other: Listing


class Difference(NamedTuple):
    """A field that two listings state otherwise, and how certain it is that one of them is wrong."""

    field: str
    span: Span
    here: str
    there: str
    severity: Severity


def same_paper_differs(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Papers whose venue, year, title or link is another than where the project lists them before."""
    for listing in context.project.duplicates.repeated(document.source.path or ""):
        entry = document.entries[listing.entry]
        left = [_cited, _titled, _linked]
        for other, key in context.project.duplicates.other_listings(listing):
            if key.startswith(NEAR) or not is_listed_before(other, listing):
                continue
            for compare in tuple(left):
                found = compare(Pair(entry, listing, other), document.source.text, context.vocabulary)
                if found is not False:
                    left.remove(compare)  # the first place that states it counts
                if isinstance(found, Difference):
                    values = {"field": found.field, "here": found.here, "there": found.there}
                    yield RawDiagnostic(found.span, {**values, "where": other.where}, severity=found.severity)


def _cited(pair: Pair, text: str, vocabulary: Vocabulary) -> Difference | bool:
    """Venue and year: a difference, or whether both state them."""
    entry, one, other = pair
    a, b = one.publication, other.publication
    if a is None or b is None or not is_surely_same_paper(one, other):
        return False
    found = _field(a, b, one, other, vocabulary)
    if found is None:
        return a.kind == b.kind
    field, severity = found
    return Difference(field, _place(entry, field, text), a.text, b.text, severity)


def _titled(pair: Pair, text: str, vocabulary: Vocabulary) -> Difference | bool:
    """Titles under one identifier: a difference, or whether both are more than a name."""
    entry, one, other = pair
    if not shared_ids(one, other) or _is_name(one, other):
        return False
    if one.title.replace(" ", "") == other.title.replace(" ", ""):
        return True
    if is_title_within(one, other) or is_title_within(other, one):
        return False
    severity = Severity.WARNING if is_typo(one.title, other.title) else Severity.INFO
    return Difference("title", entry.title.span, one.printed_title, other.printed_title, severity)


def _linked(pair: Pair, text: str, vocabulary: Vocabulary) -> Difference | bool:
    """Identifiers under one title: a difference, as one of the links may be another paper's."""
    entry, one, other = pair
    a, b = one.publication, other.publication
    if shared_ids(one, other) or not is_surely_same_paper(one, other):
        return False
    if a is not None and b is not None and (a.venue, a.year) != (b.venue, b.year):
        return False
    there = {kind: value for kind, _, value in (key.partition(":") for key in other.keys)}
    for link in entry.links:
        for kind, value in identify(link.link.url).items():
            if there.get(kind, value.lower()) != value.lower() and f"{kind}:{value.lower()}" in one.keys:
                span = link.link.destination or Span(link.link.start, link.link.end)
                return Difference("link", span, f"{kind} {value}", f"{kind} {there[kind]}", Severity.INFO)
    return False


def _is_name(one: Listing, other: Listing) -> bool:
    """Whether one of two listings gives a paper's name only, as tables do."""
    return min(one.title.count(" "), other.title.count(" ")) < _NAME_BLANKS


def _field(
    a: Publication, b: Publication, one: Listing, other: Listing, vocabulary: Vocabulary
) -> tuple[str, Severity] | None:
    """Which of venue and year differs, as far as one paper cannot have both."""
    if a.kind not in (*_OUT, "preprint") or b.kind not in (*_OUT, "preprint"):
        return None
    if "preprint" in (a.kind, b.kind):
        revised = a.kind == b.kind and bool(shared_ids(one, other)) and a.year != b.year
        return ("year", Severity.INFO) if revised and a.year and b.year else None
    severity = Severity.INFO if a.from_heading or b.from_heading else Severity.WARNING
    if a.venue == b.venue:
        return ("year", severity) if a.year != b.year and a.year and b.year else None
    if vocabulary.are_equivalent(vocabulary.venues[a.venue], vocabulary.venues[b.venue]):
        return None
    if a.kind != b.kind or both_published(one, other):
        return ("venue", Severity.INFO)  # at a conference, and its longer version in a journal
    return ("venue", severity)


def _place(entry: Entry, field: str, text: str) -> Span:
    """Where an entry states its venue, or the year of it; its title where a heading does."""
    cited = entry.citation
    if cited is None:
        return entry.title.span
    return (field == "year" and year_of(cited, text)) or cited.span


def two_titles(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Papers whose identifier is listed before under a title that has nothing in common with theirs."""
    for listing in context.project.duplicates.repeated(document.source.path or ""):
        entry = document.entries[listing.entry]
        for key in listing.keys:
            if key.startswith(("title:", "url:")):
                continue
            other = next(
                (one for one in context.project.duplicates.listings(key) if is_listed_before(one, listing)),
                None,
            )
            if other is not None and have_unrelated_titles(listing, other) and not _leads_to_code(entry):
                yield RawDiagnostic(
                    entry.title.span, {"key": key, "title": other.printed_title, "where": other.where}
                )
                break


def _leads_to_code(entry: Entry) -> bool:
    """Whether a title leads to code or data, whose paper has a title of its own."""
    first = entry.links[0].role if entry.links else None
    return entry.dialect == "linked-title" and first is not None and first.id != "paper"
