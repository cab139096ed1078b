"""Papers that are listed as preprints although another place of the project states their venue."""

from __future__ import annotations

import re

from shelfread.checks.common.listings import other_listings, repeated
from shelfread.checks.common.restated_citation import restate
from shelfread.core.diagnostics import Applicability, RawDiagnostic, RawDiagnostics, Severity
from shelfread.document.model import Document, Entry
from shelfread.document.recognizers.venues import find_mentions
from shelfread.index.context import RuleContext
from shelfread.index.duplicates.repeats import NEAR, is_renamed
from shelfread.index.facts import Listing
from shelfread.taxonomy.vocabulary import Vocabulary

_MAX_SEARCHED = 2000
"""Characters of an entry that are searched for the venue's name."""
_PUBLISHED = ("conference", "journal", "minor")


def superseded(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report papers listed as preprints whose venue is stated elsewhere in the project."""
    for listing in repeated(document, context):
        best = _published(listing, context) if _is_preprint(listing) else None
        if best is not None:
            entry = document.entries[listing.entry]
            if not _names_venue(entry, best[0], document.source.text, context.vocabulary):
                yield _diagnostic(entry, listing, *best, document.source.text)


def _names_venue(entry: Entry, other: Listing, text: str, vocabulary: Vocabulary) -> bool:
    """Whether an entry names the venue of another listing itself."""
    stated = other.publication
    assert stated is not None
    searched = text[slice(*entry.span)][:_MAX_SEARCHED]
    return bool(re.search(rf"(?<!\w){re.escape(stated.name)}(?!\w)", searched)) or any(
        mention.venue is not None and mention.venue.id == stated.venue
        for mention in find_mentions(searched, vocabulary)
    )


def _diagnostic(entry: Entry, listing: Listing, other: Listing, key: str, text: str) -> RawDiagnostic:
    there = other.publication
    assert there is not None
    cited = entry.citation if listing.publication is not None else None
    values = {"there": there.text, "where": other.where}
    if cited is None:
        return RawDiagnostic(entry.title.span, values, severity=Severity.INFO, message="uncited")
    values["here"] = cited.text
    late = bool(cited.year and there.year and there.year < cited.year - 1)
    certain = is_renamed(listing, other) and not (key.startswith(NEAR) or there.from_heading or late)
    if there.kind == "minor" or not certain:
        return RawDiagnostic(cited.span, values, severity=Severity.INFO, message="cited")
    same_section = other.path == listing.path and other.section == listing.section  # one of the two has to go
    edits = () if same_section else restate(entry, cited, there, text)
    return RawDiagnostic(cited.span, values, edits, Applicability.UNSAFE, message="cited")


def _is_preprint(listing: Listing) -> bool:
    """Whether a paper is cited as a preprint, or states no venue and links to arXiv only."""
    if listing.publication is not None:
        return listing.publication.kind == "preprint"
    return all(key.startswith(("arxiv:", "title:")) for key in listing.keys)


def _published(listing: Listing, context: RuleContext) -> tuple[Listing, str] | None:
    """Return the first other listing with a venue and year, else the first with a venue, and the shared key."""
    found: list[tuple[bool, Listing, str]] = []
    for other, key, _ in other_listings(context, listing):
        if other.publication is not None and other.publication.kind in _PUBLISHED:
            found.append(
                (other.publication.kind != "minor" and other.publication.year is not None, other, key)
            )
    best = next((candidate for candidate in found if candidate[0]), found[0] if found else None)
    return best[1:] if best else None
