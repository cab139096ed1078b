"""Where else the project lists the papers of a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.index.facts import Listing


def repeated(document: Document, context: RuleContext) -> Iterator[Listing]:
    """Yield the listings of a file's papers that the project lists more than once, with differences."""
    facts = context.own_facts(document)
    if facts is not None:
        for entry in _repeated_entries(context, facts.path):
            yield facts.listings[entry]


def other_listings(context: RuleContext, listing: Listing) -> Sequence[tuple[Listing, str, bool]]:
    """Return the other listings of a paper, each with the key that both have and whether it comes before.

    The most reliable key comes first.
    """
    return _other_listings(context, listing.path, listing.entry)


def _repeated_entries(context: RuleContext, path: str) -> list[int]:
    return [listing.entry for listing in context.project.duplicates.repeated(path)]


def _other_listings(context: RuleContext, path: str, entry: int) -> list[tuple[Listing, str, bool]]:
    duplicates = context.project.duplicates
    listing = context.project.facts[path].listings[entry]
    found = duplicates.other_listings(listing)
    return [(other, key, duplicates.is_before(other, listing)) for other, key in found]
