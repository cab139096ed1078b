"""Venues and years as entries state them, held against what is known of the venue and of the link."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import date

from shelfread.core.diagnostics import Applicability, Change, Edit, Effect, RawDiagnostic, Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Citation, Document, Entry
from shelfread.document.recognizers.citation import find_mentions
from shelfread.index.context import RuleContext
from shelfread.index.conventions.majority import When, learn
from shelfread.index.conventions.observations import VENUE_NAME
from shelfread.index.conventions.question import Question
from shelfread.taxonomy.vocabulary import Evidence, Venue, Vocabulary

_DIGITS = lazy(r"\d+")
_WORKSHOP = lazy(
    r"workshop|\bws\b|@|competition|challenge|tutorial|companion|adjunct|extended abstract", re.IGNORECASE
)
_PART = lazy(r"findings|workshop|companion|industry|demo|track", re.IGNORECASE)
_PROVING = ("paper", "review")


# ------------------------------------------------------------------------------ what the link proves
def venue_agrees(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Entries whose paper link is of another venue or year than the one stated."""
    vocabulary, text = context.vocabulary, document.source.text
    for entry in document.entries:
        citation = entry.citation
        if citation is None or citation.venue is None or citation.venue.kind == "preprint":
            continue
        proofs = [
            proof
            for link in entry.links
            if link.role is not None
            and link.role.id in _PROVING
            and (proof := vocabulary.evidence(link.link.url)) is not None
        ]
        if proofs and not any(_agrees(citation.venue, citation.year, proof, vocabulary) for proof in proofs):
            place = _differing(entry, citation, proofs[0], text, vocabulary)
            if place is not None:
                yield place


def _agrees(venue: Venue, year: int | None, proof: Evidence, vocabulary: Vocabulary) -> bool:
    assert proof.venue is not None
    if not vocabulary.are_equivalent(venue, proof.venue):
        return False
    if year is None or proof.year is None or venue.id != proof.venue.id:
        return True
    # ASPLOS has volumes of a year that are presented in the next.
    return year == proof.year or (venue.id == "asplos" and year == proof.year + 1)


def _differing(
    entry: Entry, citation: Citation, proof: Evidence, text: str, vocabulary: Vocabulary
) -> RawDiagnostic | None:
    """The part of a citation that differs; None where the entry's line says what the link does as well."""
    assert citation.venue is not None and proof.venue is not None
    around = text[citation.span.start - 20 : citation.span.end + 30]
    if _WORKSHOP.search(around):
        return None
    line = text[entry.title_line.start : entry.title_line.end]
    if any(
        mention.venue is not None and _agrees(mention.venue, mention.year, proof, vocabulary)
        for mention in find_mentions(line, vocabulary)
    ):
        return None
    other_venue = not vocabulary.are_equivalent(citation.venue, proof.venue)
    year = proof.year if proof.year != citation.year else None
    label = proof.venue.label_in(proof.year or citation.year or 0)
    edits: list[Edit] = []
    at = year_of(citation, text)
    if other_venue:
        edits += _named(citation, label, text)
    if year is not None and citation.year is not None:
        edits += [] if at is None else [_dated(at, year, text)]
    whole = len(edits) == other_venue + (year is not None and citation.year is not None)
    span = at if not other_venue and at is not None else citation.span
    if other_venue and year is None and citation.name is not None:
        span = citation.name.span
    values = {"stated": citation.text, "proven": f"{label} {proof.year or ''}".rstrip()}
    if entry.block.kind == "heading":
        whole = False  # other words in a heading are another anchor
    return RawDiagnostic(span, values, tuple(edits) if whole else (), Applicability.UNSAFE)


def year_of(citation: Citation, text: str) -> Span | None:
    """Where a citation has its year, four digits or two."""
    year = str(citation.year)
    digits = _DIGITS.finditer(text, *citation.span)
    found = [match.span() for match in digits if match[0] in (year, year[2:])]
    return Span(*found[-1]) if found else None


def _dated(at: Span, year: int, text: str) -> Edit:
    before = text[at.start : at.end]
    after = str(year)[-len(before) :]
    return Edit(*at, after, Effect(Change.WORDS, before, after))


def _named(citation: Citation, label: str, text: str) -> list[Edit]:
    name = citation.name
    if name is None or text[name.span.start : name.span.end] != name.value:
        return []
    return [Edit(*name.span, label, Effect(Change.WORDS, name.value, label))]


# ----------------------------------------------------------------------------------------- editions
def venue_year(document: Document, context: RuleContext, *, today: str = "") -> Iterator[RawDiagnostic]:
    """Editions that were never held, or lie beyond the next year; `today` is an ISO date."""
    latest = (date.fromisoformat(today) if today else date.today()).year + 1
    text = document.source.text
    stated = [entry.citation for entry in document.entries if entry.citation is not None]
    stated += [section.citation for section in document.sections if section.citation is not None]
    for citation in stated:
        venue, year = citation.venue, citation.year
        if venue is None or year is None:
            continue
        at = year_of(citation, text)
        if year > latest:
            if at is None or at.end - at.start < 4:
                continue  # two digits may be a day or a volume
            fault = f"lies beyond {latest}"
        elif venue.held_in(year) is False:
            fault = f"was never held{_near(venue, year)}"
        else:
            continue
        yield RawDiagnostic(
            at or citation.span, {"venue": venue.label_in(year), "year": year, "fault": fault}
        )


def _near(venue: Venue, year: int) -> str:
    """The editions around a year: ` (2018 and 2020 were)`."""
    before = next((one for one in range(year - 1, year - 6, -1) if venue.held_in(one)), None)
    after = next((one for one in range(year + 1, year + 6) if venue.held_in(one)), None)
    if before and after:
        return f" ({before} and {after} were)"
    if after:
        return f" (the first was in {after})"
    return f" (the last was in {before})" if before else ""


# ------------------------------------------------------------------------------------------- names
def venue_alias(
    document: Document, context: RuleContext, *, when: When = "learned"
) -> Iterator[RawDiagnostic]:
    """Venues under a name that they no longer had, or that the list writes otherwise."""
    usual: dict[str, str | None] = {}
    for citation, span, heading in _names(document):
        name, venue = document.source.text[span.start : span.end], citation.venue
        assert venue is not None
        known = context.conventions.forms(Question(VENUE_NAME, venue.id))
        right, why = _outdated(name, venue, citation.year)
        if right is None and len(known) > 1 and when != "never":
            key = f"{venue.id} {name}"
            if key not in usual:
                usual[key] = _usual(name, venue, known, when)
            right = usual[key]
            why = f"{known[right]} of {known.total()} entries here have `{right}`" if right else ""
        if right is None:
            continue
        same = name.casefold() == right.casefold()
        edits: tuple[Edit, ...] = ()
        if same or not heading:  # another word in a heading is another anchor
            edits = (Edit(*span, right, Effect(Change.WORDS, name, right)),)
        safe = Applicability.SAFE if same else Applicability.UNSAFE
        yield RawDiagnostic(span, {"name": name, "why": why}, edits, safe)


def _names(document: Document) -> Iterator[tuple[Citation, Span, bool]]:
    """Where entries and headings name a venue that is known."""
    text = document.source.text
    for entry in document.entries:
        citation = entry.citation
        if citation is not None and citation.venue is not None and citation.name is not None:
            name = citation.name
            if text[name.span.start : name.span.end] == name.value and not _in_address(name.span, text):
                yield citation, name.span, entry.block.kind == "heading"
    for section in document.sections:
        citation = section.citation
        if section.kind != "heading" or citation is None or citation.year is None:
            continue  # a list's marks (`**Arxiv**`) are a convention of their own
        if citation.venue is not None and citation.name is not None:
            at = text.find(citation.name.value, *section.span)
            if at >= 0:
                yield citation, Span(at, at + len(citation.name.value)), True


def _in_address(span: Span, text: str) -> bool:
    """Whether a name is part of an address or a file's name that is printed."""
    return text[span.start - 1 : span.start] in ("/", "_", "=") or text[span.end : span.end + 1] in ("/", "_")


def _outdated(name: str, venue: Venue, year: int | None) -> tuple[str | None, str]:
    """The name that a venue had in a year by which it no longer had the one given, and since when.

    That a venue is given its present name for an edition before that is nobody's mistake.
    """
    given = next((one for one in venue.names if one.label.casefold() == name.casefold()), None)
    if year is None or given is None or given.last is None or year <= given.last:
        return None, ""
    right = venue.label_in(year)
    return right, f"it has been {right} since {given.last + 1}"


def _usual(name: str, venue: Venue, known: Counter[str], when: When) -> str | None:
    """How the list names a venue, where that is clear and is not this name."""
    folded = name.casefold()
    cases = Counter({one: count for one, count in known.items() if one.casefold() == folded})
    own = next((label for label in venue.labels if label in cases and not label.islower()), None)
    if own is not None and own != name and cases[own] * 3 >= cases.total() * 2:
        return own  # the venue's own way to write itself, and the list's
    if own is None and (spelling := learn(cases, when)) is not None and spelling.form != name:
        return spelling.form
    if "/" in name or _PART.search(name) or any(one.label.casefold() == folded for one in venue.names):
        return None  # a joint edition, a part of it, or what it was called then
    convention = learn(known, when)
    return None if convention is None or convention.form.casefold() == folded else convention.form
