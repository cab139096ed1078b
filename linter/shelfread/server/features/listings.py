"""The places where a project lists one thing."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.index.duplicates.repeated import is_same_name
from shelfread.index.facts import Listing
from shelfread.index.project_index import ProjectIndex


def other_listings(path: str, entry: int, project: ProjectIndex) -> list[Listing]:
    """Return the other listings of an entry, given by its index in a file, in order of paths and lines."""
    facts = project.facts.get(path)
    if facts is None:
        return []
    own = [(key, listing) for key, listing in facts.identities if listing.entry == entry]
    found: dict[tuple[str, int], Listing] = {}
    for key, listing in own:
        for other in _others(key, listing, project):
            found.setdefault(other[:2], other)
    found.pop((path, entry), None)
    return sorted(found.values(), key=lambda listing: listing[:2])


def _others(key: str, listing: Listing, project: ProjectIndex) -> Iterator[Listing]:
    duplicates = project.duplicates
    if listing.keys:
        yield from (other for other, _ in duplicates.other_listings(listing))
    elif duplicates.times[key] > 1:
        for facts in project.facts.values():
            for other_key, other in facts.identities:
                if other_key == key and is_same_name(listing.title, other.title, key):
                    yield other
