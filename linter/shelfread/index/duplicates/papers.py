"""Listings of one paper in several places of a project, and how they differ."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from shelfread.core.support.regex import lazy
from shelfread.index.duplicates.near_titles import STOP_WORDS
from shelfread.index.duplicates.repeated import NEAR, are_similar_titles, identities
from shelfread.index.facts import Facts, Listing

Papers: TypeAlias = Mapping[str, list[Listing]]
"""By identity key, the listings of papers with more than one; of listings that agree only the first."""

_MAX_LISTINGS = 8
"""At most so many different listings of one key are kept."""
_LONG_TITLE = 5
_UNIQUE_TITLE = 6
"""Titles of at least so many words are hardly ever used twice."""
# Events that take place again under the same title.
_SERIES = lazy(r"\b(?:workshop|tutorial|symposium|challenge|competition|conference|lecture|course)\b")
_PUBLISHED = ("doi:", "acl:", "usenix:", "pmlr:", "neurips:", "mlsys:")
# Of bioRxiv, SSRN, TechRxiv, Research Square, Zenodo, Preprints, ChemRxiv, OSF.
_PREPRINTS = tuple(f"doi:10.{n}/" for n in (1101, 2139, 36227, 21203, 5281, 20944, 26434, 31219))
_IDS = (*_PUBLISHED, "arxiv:", "openreview:")


def group_papers(facts: Mapping[str, Facts], near: Mapping[str, str]) -> Papers:
    """Return the listings of papers by identity key, in order of paths and lines."""
    firsts: dict[str, Listing] = {}
    groups: dict[str, list[Listing]] = {}
    for path in sorted(facts):
        for key, listing in identities(facts[path], near):
            if not listing.keys or (first := firsts.setdefault(key, listing)) is listing:
                continue
            _add(groups.setdefault(key, [first]), listing)
    return {key: group for key, group in groups.items() if len(group) > 1}


def amend_papers(papers: Papers, changed: Facts, near: Mapping[str, str]) -> Papers:
    """Return the groups that a fixed file has a part in, with its listings as they are now."""
    own: dict[str, list[Listing]] = {}
    for key, listing in identities(changed, near):
        if listing.keys:
            own.setdefault(key, []).append(listing)
    groups = {}
    for key, listings in own.items():
        group = [other for other in papers.get(key, ()) if other.path != changed.path]
        for listing in listings:
            _add(group, listing)
        if len(group) > 1:
            groups[key] = sorted(group, key=lambda listing: listing[:2])
    return groups


def _add(group: list[Listing], listing: Listing) -> None:
    """Add a listing to those of its key, unless it agrees with one of them or they are enough."""
    if len(group) < _MAX_LISTINGS and not any(_agree(listing, other) for other in group):
        group.append(listing)


def _agree(listing: Listing, other: Listing) -> bool:
    return (listing.title, listing.keys, listing.publication) == (other.title, other.keys, other.publication)


def is_same_paper(listing: Listing, other: Listing, key: str) -> bool:
    """Return whether two listings with a common key are of one paper; one may have a wrong link."""
    if key.startswith(NEAR):
        return not _SERIES.search(listing.title)
    if key.startswith("title:"):
        is_long = listing.title.count(" ") + 1 >= _LONG_TITLE
        return bool(shared_ids(listing, other)) or (is_long and not _SERIES.search(listing.title))
    return are_similar_titles(listing.title, other.title) or listing.name == other.name != ""


def is_surely_same_paper(listing: Listing, other: Listing) -> bool:
    """Return whether two listings of one title are surely of one paper: by an identifier, or a long title.

    Links without an identifier may lead to the pages of a series, such as a workshop in two years.
    """
    if any(key in other.keys for key in listing.keys if not key.startswith("title:")):
        return True
    if listing.title.count(" ") + 1 < _UNIQUE_TITLE:
        return False
    identified = any(key.startswith(_IDS) for key in (*listing.keys, *other.keys))
    return identified or not (listing.linked and other.linked)


def shared_ids(listing: Listing, other: Listing) -> set[str]:
    """Return the identifiers that both listings have."""
    return {key for key in listing.keys if key in other.keys and key.startswith(_IDS)}


def are_separate_publications(listing: Listing, other: Listing) -> bool:
    """Return whether two listings of one title may be of two publications: at a workshop, and in a journal."""
    a, b = listing.publication, other.publication
    if a is None or b is None or "preprint" in (a.kind, b.kind) or shared_ids(listing, other):
        return False
    return a.venue != b.venue or (a.kind == "minor") != (b.kind == "minor")


def both_published(listing: Listing, other: Listing) -> bool:
    """Return whether two listings have identifiers of two publications."""
    if shared_ids(listing, other):
        return False
    return all(any(key.startswith(_PUBLISHED) for key in keys) for keys in (listing.keys, other.keys))


def is_wrong_identifier(listing: Listing, other: Listing, key: str) -> bool:
    """Return whether one of two titles surely has the wrong identifier: a publication keeps its title."""
    if not have_unrelated_titles(listing, other):
        return False
    if key.startswith(_PUBLISHED) and not key.startswith(_PREPRINTS):
        return True
    a, b = listing.publication, other.publication
    if a is None or b is None or not a.kind == b.kind == "conference":
        return False
    return (a.venue, a.year) != (b.venue, b.year)


def have_unrelated_titles(listing: Listing, other: Listing) -> bool:
    """Return whether two titles of at least three words share hardly any, stop words apart."""
    first, second = set(listing.title.split()) - STOP_WORDS, set(other.title.split()) - STOP_WORDS
    shorter = min(len(first), len(second))
    same_name = listing.name == other.name != ""
    return shorter >= 3 and len(first & second) * 4 <= shorter and not same_name


def is_title_within(listing: Listing, other: Listing) -> bool:
    """Return whether the words of the first title occur in a row in the other."""
    return f" {listing.title} " in f" {other.title} "


def is_renamed(listing: Listing, other: Listing) -> bool:
    """Return whether two titles are surely of one paper: equal, one within the other, or with the same name."""
    if is_title_within(listing, other) or is_title_within(other, listing):
        return True
    return listing.name == other.name != "" or listing.title.replace(" ", "") == other.title.replace(" ", "")
