"""Papers that the project lists in several places: what they state differently, and which have been published since."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TypeAlias

from shelfread.core.diagnostics import Edit, RawDiagnostic, RawDiagnostics, Severity, Span
from shelfread.core.patterns import lazy
from shelfread.core.wording import is_slip
from shelfread.document.model import Citation, Document, Entry
from shelfread.index.context import RuleContext
from shelfread.index.facts import Listing, Publication
from shelfread.index.repeated_entries import leads_to_code
from shelfread.index.repeats import (
    NEAR,
    both_published,
    have_unrelated_titles,
    is_extension,
    is_renamed,
    is_surely_same_paper,
    shared_ids,
)
from shelfread.taxonomy.vocabulary import Vocabulary

_WORD = lazy(r"[^\W\d_]{2}")
_PUBLISHED = ("conference", "journal")
_Pair: TypeAlias = tuple[Entry, Listing, Listing]  # an entry, its listing, and another listing of the paper
_Comparison: TypeAlias = Callable[[_Pair], RawDiagnostic | bool]
_MAX_SEARCHED = 2000  # characters of an entry that are searched for the venue's name
_PUBLICATIONS = ("conference", "journal", "minor")


def _repeated(document: Document, context: RuleContext) -> Iterator[Listing]:
    """Yield the listings of a file's papers that the project lists more than once, with differences."""
    facts = context.own_facts(document)
    if facts is not None:
        yield from (
            facts.listings[listing.entry] for listing in context.project.duplicates.repeated(facts.path)
        )


def same_paper_differs(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report papers whose venue, year, title or link differs from where the project lists them first."""
    duplicates = context.project.duplicates
    for listing in _repeated(document, context):
        entry = document.entries[listing.entry]
        comparisons: list[_Comparison] = [
            lambda pair: _compare_citations(pair, document.source.text, context.vocabulary),
            _compare_titles,
        ]
        for other, key in duplicates.other_listings(listing):
            if key.startswith(NEAR) or not duplicates.is_before(other, listing):
                continue
            for compare in tuple(comparisons):
                found = compare((entry, listing, other))
                if found is not False:
                    comparisons.remove(compare)  # only the first listing that states it counts
                if isinstance(found, RawDiagnostic):
                    yield found


def _compare_citations(pair: _Pair, text: str, vocabulary: Vocabulary) -> RawDiagnostic | bool:
    """Return the difference of venue or year, else whether both listings state them."""
    entry, listing, other = pair
    a, b = listing.publication, other.publication
    if a is None or b is None or not is_surely_same_paper(listing, other):
        return False
    if not (listing.title in other.title or other.title in listing.title):
        return False  # two papers, of which one has the other's preprint
    found = _differing_field(listing, other, vocabulary)
    if found is None:
        return a.kind == b.kind
    field, severity = found
    here, there = (a.year, b.year) if field == "year" else (a.text, b.text)
    values = {"field": field, "here": here, "there": there, "where": other.where}
    return RawDiagnostic(_field_span(entry, field, text), values, severity=severity)


def _compare_titles(pair: _Pair) -> RawDiagnostic | bool:
    """Return the slip in one of two titles under one identifier, else whether they are equal: others may be of another version."""
    entry, listing, other = pair
    if not shared_ids(listing, other):
        return False
    if not is_slip(listing.title.replace(" ", ""), other.title.replace(" ", "")):
        return listing.title == other.title
    here, there = listing.printed_title, other.printed_title
    values = {"field": "title", "here": here, "there": there, "where": other.where}
    return RawDiagnostic(entry.title.span, values)


def _differing_field(listing: Listing, other: Listing, vocabulary: Vocabulary) -> tuple[str, Severity] | None:
    """Return whether venue or year differs in a way that one paper cannot have, else None."""
    a, b = listing.publication, other.publication
    assert a is not None and b is not None
    if a.kind != b.kind or a.kind not in _PUBLISHED:
        return None  # a preprint, or a conference paper and its longer version in a journal
    severity = Severity.INFO if a.from_heading or b.from_heading else Severity.WARNING
    if a.venue == b.venue:
        return ("year", severity) if a.year != b.year and a.year and b.year else None
    if vocabulary.are_equivalent(vocabulary.venues[a.venue], vocabulary.venues[b.venue]):
        return None
    return None if both_published(listing, other) else ("venue", severity)


def _field_span(entry: Entry, field: str, text: str) -> Span:
    """Return where an entry states its venue or year, or its title if the heading above states them."""
    cited = entry.citation
    if cited is None:
        return entry.title.span
    return (field == "year" and cited.year_span(text)) or cited.span


def two_titles(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report papers whose identifier is listed before under a title that has nothing in common with theirs."""
    duplicates = context.project.duplicates
    for listing in _repeated(document, context):
        entry = document.entries[listing.entry]
        for key in listing.keys:
            if key.startswith(("title:", "url:")):
                continue
            earlier = (other for other in duplicates.listings(key) if duplicates.is_before(other, listing))
            other = next(earlier, None)
            if other is not None and have_unrelated_titles(listing, other) and not leads_to_code(entry):
                values = {"key": key, "title": other.printed_title, "where": other.where}
                yield RawDiagnostic(entry.title.span, values)
                break


def superseded(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report papers listed as preprints whose venue is stated in another section; `entry/duplicate` reports those of one section."""
    facts = context.own_facts(document)
    listings = facts.listings.values() if facts is not None else ()
    states_venues = sum(each.publication is not None for each in listings) * 2 > len(listings)
    for listing in _repeated(document, context):
        best = _published(listing, context) if _is_preprint(listing) else None
        if best is None or (best.path, best.section) == (listing.path, listing.section):
            continue
        entry, text = document.entries[listing.entry], document.source.text
        assert best.publication is not None
        if listing.publication is not None:
            name, searched = re.escape(best.publication.name), text[slice(*entry.span)][:_MAX_SEARCHED]
            is_old = not re.search(rf"(?<!\w){name}(?!\w)", searched)
        else:
            is_old = states_venues and not _says_more(entry, text, context.vocabulary)
        if is_old:
            yield _diagnostic(entry, listing, best, text)


def _says_more(entry: Entry, text: str, vocabulary: Vocabulary) -> bool:
    """Whether an entry has more than a title, people and labelled links: other words may be its venue."""
    title, at = entry.title.span, entry.span.start
    taken = [title, *(field.span for field in (entry.name, *entry.authors, *entry.affiliations) if field)]
    for label, _, link in entry.links:
        if not link.start <= title.start < link.end and vocabulary.role(label) is None:
            return True
        taken.append(Span(link.start, link.end))
    for start, end in (*sorted(taken), Span(entry.span.end, entry.span.end)):
        if start > at and _WORD.search(text, at, start):
            return True
        at = max(at, end)
    return False


def _diagnostic(entry: Entry, listing: Listing, other: Listing, text: str) -> RawDiagnostic:
    there = other.publication
    assert there is not None
    cited = entry.citation if listing.publication is not None else None
    values = {"there": there.text, "where": other.where}
    if cited is None:
        return RawDiagnostic(entry.title.span, values, severity=Severity.INFO, message="uncited")
    values["here"] = cited.text
    late = bool(cited.year and there.year and there.year < cited.year - 1)
    is_same = any(key in other.keys for key in listing.keys)  # else the titles are nearly equal
    certain = is_same and is_renamed(listing, other) and not (there.from_heading or late)
    if there.kind == "minor" or not certain:
        return RawDiagnostic(cited.span, values, severity=Severity.INFO, message="cited")
    edits = restate(entry, cited, there, text)
    return RawDiagnostic(cited.span, values, edits, safe=False, message="cited")


def _is_preprint(listing: Listing) -> bool:
    """Whether a paper is cited as a preprint, or states no venue and links to arXiv only."""
    if listing.publication is not None:
        return listing.publication.kind == "preprint"
    kinds = {key.partition(":")[0] for key in listing.keys}
    return "arxiv" in kinds and kinds <= {"arxiv", "title"}


def _published(listing: Listing, context: RuleContext) -> Listing | None:
    """Return the first other listing of the same paper with a venue and year, else the first with a venue."""
    found: list[tuple[bool, Listing]] = []
    for other, key in context.project.duplicates.other_listings(listing):
        stated, is_longer = other.publication, key.startswith(NEAR) and is_extension(listing, other)
        if stated is not None and stated.kind in _PUBLICATIONS and not is_longer:
            found.append((stated.kind != "minor" and stated.year is not None, other))
    return next((other for is_full, other in found if is_full), found[0][1] if found else None)


_SEPARATORS = lazy(r"[\s,.:;'’‘`()\[\]_-]*")
_ID = lazy(r"[\s,.:;()\[_-]{1,4}\d{4}\.\d{4,5}(?:v\d{1,2})?")


def restate(entry: Entry, cited: Citation, stated: Publication, text: str) -> tuple[Edit, ...]:
    """Return edits that put another venue and year into a citation; none if it says more than these."""
    name, year = cited.name, cited.year_span(text)
    if name is None or entry.is_heading:
        return ()  # other words in a heading change its anchor
    if stated.year is None and cited.year is not None:
        return ()
    if any(label.link.start <= cited.span.start < label.link.end for label in entry.links):
        return ()  # a label describes its own link
    if not cited.span.start <= name.span.start <= name.span.end <= cited.span.end:
        return ()
    if year is None and entry.year is not None and not entry.year_from_arxiv_id and cited.year is None:
        return ()  # the year is stated elsewhere
    front, back = text[cited.span.start : name.span.start], text[name.span.end : cited.span.end]
    if not _SEPARATORS.fullmatch(front):
        return ()
    if not back or _ID.fullmatch(back):
        back = f" {stated.year}" if stated.year else ""
    elif year is not None and year.start >= name.span.end:
        start, end = year.start - name.span.end, year.end - name.span.end
        if not _SEPARATORS.fullmatch(back[:start] + back[end:]):
            return ()
        back = back[:start] + str(stated.year)[start - end :] + back[end:]
    else:
        return ()
    return (Edit.reword(cited.span, text[slice(*cited.span)], front + stated.name + back),)
