"""Venues and years that do not agree with the entry's paper link."""

from __future__ import annotations

from shelfread.checks.common.restated_citation import year_span
from shelfread.core.diagnostics import Applicability, Edit, RawDiagnostic, RawDiagnostics
from shelfread.core.spans import around
from shelfread.core.support.regex import lazy
from shelfread.document.model import Citation, Document, Entry
from shelfread.document.recognizers.venues import find_mentions
from shelfread.index.context import RuleContext
from shelfread.taxonomy.vocabulary import Evidence, Venue, Vocabulary

_WORKSHOP = lazy(r"(?i)workshop|\bws\b|@|competition|challenge|tutorial|companion|adjunct|extended abstract")
# Words behind the name of a competition or a corpus: `the CoNLL-2014 shared task test set`.
_TASK = lazy(
    r"(?i)\W{0,3}(?:shared[ -]task|test[ -]?set|dev[ -]?set|corpus|corpora|data ?set|benchmark)\b(?!s)"
)
_FINDINGS = lazy(r"(?i)findings of (?:the )?")
_PROVING = ("paper", "review")


def venue_agrees(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report entries whose paper link is to another venue or year than the stated one."""
    vocabulary, text = context.vocabulary, document.source.text
    for entry in document.entries:
        citation = entry.citation
        if citation is None or citation.venue is None or citation.venue.kind == "preprint":
            continue
        papers = (label for label in entry.links if label.role is not None and label.role.id in _PROVING)
        proofs = [proof for label in papers if (proof := vocabulary.evidence(label.link.url)) is not None]
        if proofs and not any(_agrees(citation.venue, citation.year, proof, vocabulary) for proof in proofs):
            yield from _difference(entry, citation, proofs[0], text, vocabulary)


def _agrees(venue: Venue, year: int | None, proof: Evidence, vocabulary: Vocabulary) -> bool:
    assert proof.venue is not None
    if not vocabulary.are_equivalent(venue, proof.venue):
        return False
    if year is None or proof.year is None or venue.id != proof.venue.id:
        return True
    # ASPLOS has volumes of a year that are presented in the next.
    return year == proof.year or (venue.id == "asplos" and year == proof.year + 1)


def _difference(
    entry: Entry, citation: Citation, proof: Evidence, text: str, vocabulary: Vocabulary
) -> RawDiagnostics:
    """Report the part of a citation that differs, unless the title line states the link's venue as well."""
    assert citation.venue is not None and proof.venue is not None
    if _WORKSHOP.search(around(text, *citation.span, 20, 30)):
        return
    if _TASK.match(text, citation.span.end):
        return
    line = text[entry.title_line.start : entry.title_line.end]
    mentions = ((mention.venue, mention.year) for mention in find_mentions(line, vocabulary))
    if any(venue is not None and _agrees(venue, year, proof, vocabulary) for venue, year in mentions):
        return
    other_venue = not vocabulary.are_equivalent(citation.venue, proof.venue)
    year = proof.year if proof.year != citation.year else None
    label = proof.venue.label_in(proof.year or citation.year or 0)
    printed_year = year_span(citation, text)
    name = citation.name
    edits: list[Edit | None] = []
    if other_venue:
        is_printed = name is not None and text[slice(*name.span)] == name.value
        findings = _FINDINGS.match(name.value) if name else None
        right = (findings[0] if findings else "") + label
        edits.append(Edit.reword(name.span, name.value, right) if name and is_printed else None)
    if year is not None and citation.year is not None:
        before = text[slice(*printed_year)] if printed_year else ""
        edits.append(Edit.reword(printed_year, before, str(year)[-len(before) :]) if printed_year else None)
    span = printed_year if not other_venue and printed_year is not None else citation.span
    if other_venue and year is None and name is not None:
        span = name.span
    # No fix if only a part can be edited; other words in a heading would change its anchor.
    possible = () if None in edits or entry.block.kind == "heading" else tuple(filter(None, edits))
    values = {"stated": citation.text, "proven": f"{label} {proof.year or ''}".rstrip()}
    yield RawDiagnostic(span, values, possible, Applicability.UNSAFE)
