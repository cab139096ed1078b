"""Papers that are listed as preprints where the project knows their venue."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shelfread.checks.paper.venue import year_of
from shelfread.core.diagnostics import Applicability, Change, Edit, Effect, RawDiagnostic, Severity
from shelfread.core.support.regex import lazy
from shelfread.document.model import Citation, Document, Entry
from shelfread.document.recognizers.citation import find_mentions
from shelfread.index.context import RuleContext
from shelfread.index.duplicates.papers import is_renamed
from shelfread.index.duplicates.repeated import NEAR
from shelfread.index.facts import Listing
from shelfread.index.publication import Publication
from shelfread.taxonomy.vocabulary import Vocabulary

_MARKS = lazy(r"[\s,.:;'’‘`()\[\]_-]*")
_ID = lazy(r"[\s,.:;()\[_-]{1,4}\d{4}\.\d{4,5}(?:v\d{1,2})?")
_MOST = 2000
"""So much of an entry is searched for the venue's name."""
_OUT = ("conference", "journal", "minor")


def superseded(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Papers listed as preprints, whose venue stands elsewhere in the project."""
    for listing in context.project.duplicates.repeated(document.source.path or ""):
        best = _published(listing, context) if _is_preprint(listing) else None
        if best is not None:
            entry = document.entries[listing.entry]
            place = _place(entry, listing, *best, document.source.text, context.vocabulary)
            if place is not None:
                yield place


def _place(
    entry: Entry, listing: Listing, other: Listing, key: str, text: str, vocabulary: Vocabulary
) -> RawDiagnostic | None:
    """Where a preprint is stated; None where the entry names the venue itself."""
    there = other.publication
    assert there is not None
    said = text[slice(*entry.span)][:_MOST]
    if re.search(rf"(?<!\w){re.escape(there.name)}(?!\w)", said) or any(
        mention.venue is not None and mention.venue.id == there.venue
        for mention in find_mentions(said, vocabulary)
    ):
        return None
    cited = entry.citation if listing.publication is not None else None
    values = {"here": cited.text if cited else "a preprint", "there": there.text, "where": other.where}
    late = bool(cited and cited.year and there.year and there.year < cited.year - 1)
    certain = is_renamed(listing, other) and not (key.startswith(NEAR) or there.from_heading or late)
    if cited is None or there.kind == "minor" or not certain:
        span = entry.title.span if cited is None else cited.span
        return RawDiagnostic(span, values, severity=Severity.INFO)
    if other.path == listing.path and other.section == listing.section:
        return RawDiagnostic(cited.span, values)  # twice in one section: one of the two goes
    return RawDiagnostic(cited.span, values, _replaced(entry, cited, there, text), Applicability.UNSAFE)


def _is_preprint(listing: Listing) -> bool:
    """Whether a paper is said to be a preprint, or of no venue and with no link but arXiv's."""
    if listing.publication is not None:
        return listing.publication.kind == "preprint"
    return all(key.startswith(("arxiv:", "title:")) for key in listing.keys)


def _published(listing: Listing, context: RuleContext) -> tuple[Listing, str] | None:
    """The other listing that states a venue: the first with its year, else the first of all."""
    found: list[tuple[bool, Listing, str]] = []
    for other, key in context.project.duplicates.other_listings(listing):
        if other.publication is not None and other.publication.kind in _OUT:
            found.append(
                (other.publication.kind != "minor" and other.publication.year is not None, other, key)
            )
    best = next((one for one in found if one[0]), found[0] if found else None)
    return best[1:] if best else None


def _replaced(entry: Entry, cited: Citation, stated: Publication, text: str) -> tuple[Edit, ...]:
    """The citation with the venue and year of another, in its own form; none where it says more than these."""
    name, year = cited.name, year_of(cited, text)
    if name is None or entry.block.kind == "heading":
        return ()  # other words in a heading are another anchor
    if stated.year is None and cited.year is not None:
        return ()
    if any(link.link.start <= cited.span.start < link.link.end for link in entry.links):
        return ()  # a label says where its link leads
    if not cited.span.start <= name.span.start <= name.span.end <= cited.span.end:
        return ()
    if year is None and entry.year is not None and not entry.year_from_arxiv_id and cited.year is None:
        return ()  # the year stands elsewhere
    before = text[slice(*cited.span)]
    front, back = text[cited.span.start : name.span.start], text[name.span.end : cited.span.end]
    if not _MARKS.fullmatch(front):
        return ()
    if not back or _ID.fullmatch(back):
        back = f" {stated.year}" if stated.year else ""
    elif year is not None and year.start >= name.span.end:
        start, end = year.start - name.span.end, year.end - name.span.end
        if not _MARKS.fullmatch(back[:start] + back[end:]):
            return ()
        back = back[:start] + str(stated.year)[start - end :] + back[end:]
    else:
        return ()
    after = front + stated.name + back
    return (Edit(*cited.span, after, Effect(Change.WORDS, before, after)),)
