"""Things listed twice."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.core.diagnostics import RawDiagnostic, Severity
from shelfread.document.identity.keys import fold_title
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.index.duplicates.near_titles import is_typo
from shelfread.index.duplicates.papers import are_separate_publications, is_wrong_identifier
from shelfread.index.duplicates.repeated import NEAR, Repeat, are_similar_titles, is_same_name
from shelfread.index.facts import Listing

_LONG_TITLE = 5
"""So many blanks."""


def duplicate(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Entries that the project lists before; under another heading, or by design, it is for information.

    Not so where the change that is asked about listed a thing again: then the list did not mean to.
    """
    path = document.source.path or ""
    listings: dict[int, Listing] | None = None
    for index, repeat in context.project.duplicates.repeats(path).items():
        if listings is None:
            listings = {listing.entry: listing for _, listing in context.project.facts[path].identities}
        entry, other, listing = document.entries[index], repeat.other, listings[index]
        under, apart, certain = "", False, repeat.near and not repeat.design
        if entry.kind == "classic":
            if not is_same_name(listing.title, other.title, repeat.key):
                continue
        elif repeat.key.startswith("title:"):
            if not _is_same(listing, other):
                continue
            apart = are_separate_publications(listing, other)
            certain = certain and not apart
        elif repeat.key.startswith(NEAR):
            under, certain = ", under nearly the same title", certain and _is_misspelt(listing, other)
        elif not (are_similar_titles(listing.title, other.title) or _is_name(listing, other)):
            if repeat.key.startswith("url:"):
                continue
            under = ", under another title"
            certain = certain or is_wrong_identifier(listing, other, repeat.key)
        if not (certain or under or apart or repeat.design):
            certain = _is_new(listing, repeat, context)
        severity = Severity.WARNING if certain else Severity.INFO
        yield RawDiagnostic(entry.title.span, {"where": other.where, "under": under}, severity=severity)


def _is_new(listing: Listing, repeat: Repeat, context: RuleContext) -> bool:
    """Whether the change that is asked about added one of two listings, to files that were there.

    What only moved or got another link is no more often there than before. A list that has many
    things twice means to, and so may a file that is new.
    """
    base, other = context.base, repeat.other
    if base is None:
        return False
    before = base.context.project.duplicates
    if not before.times[repeat.key]:
        return False
    if base.document(listing.path) is None or base.document(other.path) is None:
        return False
    if base.paths.get(listing.path) in before.repeating:
        return False
    return any(
        all(before.times[key] < context.project.duplicates.times[key] for key in one.keys or (repeat.key,))
        for one in (listing, other)
    )


def _is_same(listing: Listing, other: Listing) -> bool:
    """Whether two listings of one title, and of no identifier, are of one thing.

    Short titles recur (the same workshop in another year), and what is nested in a thing of its own
    title is a part of it: the poster, the journal's version.
    """
    if listing.title.count(" ") < _LONG_TITLE and listing.text != other.text:
        return False
    outer = len(other.section)
    nested = len(listing.section) > outer and listing.section[:outer] == other.section
    return not (nested and fold_title(listing.section[outer]) == other.title)


def _is_misspelt(one: Listing, other: Listing) -> bool:
    """Whether two titles of one venue and year differ in one letter."""
    a, b = one.publication, other.publication
    agree = a is not None and b is not None and (a.venue, a.year) == (b.venue, b.year)
    return agree and is_typo(one.title, other.title)


def _is_name(one: Listing, other: Listing) -> bool:
    """Whether one listing's title is the other's name: a table lists papers by these."""
    return one.title in (other.title, other.name) or other.title == one.name
