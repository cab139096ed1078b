"""The places where a project lists one thing."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.index.duplicates.repeats import is_same_name, is_same_paper
from shelfread.index.facts import Listing
from shelfread.index.project_index import ProjectIndex


def other_listings(path: str, entry: int, project: ProjectIndex) -> list[Listing]:
    """Return the other listings of an entry, given by its index in a file, in order of paths and lines."""
    facts = project.facts.get(path)
    own = {key: listing for key, listing in facts.identities if listing.entry == entry} if facts else {}
    found = {other[:2]: other for other in _others(own, project)}
    found.pop((path, entry), None)
    return [found[place] for place in sorted(found)]


def _others(own: dict[str, Listing], project: ProjectIndex) -> Iterator[Listing]:
    """Yield the listings with one of the keys, and papers with nearly the same title."""
    for facts in project.facts.values() if own else ():
        for key, other in facts.identities:
            listing = own.get(key)
            if listing is not None and bool(listing.keys) == bool(other.keys):
                is_same = is_same_paper if listing.keys else _is_same_thing
                if is_same(listing, other, key):
                    yield other
    for listing in list(own.values())[:1]:
        if listing.keys:
            yield from (other for other, _ in project.duplicates.other_listings(listing))


def _is_same_thing(listing: Listing, other: Listing, key: str) -> bool:
    return is_same_name(listing.title, other.title, key)
