"""What the headings above an entry state of it: year and venue."""

from __future__ import annotations

from shelfread.core.support.named_tuple import NamedTuple
from shelfread.document.model import Document
from shelfread.imports.imported_entry import ImportedEntry
from shelfread.taxonomy.vocabulary import Venue


class Stated(NamedTuple):
    """The year and the venue of all entries below a heading; None where it names none."""

    year: int | None
    venue: Venue | None
    titles: tuple[str, ...]
    """The headings that state them."""

    @property
    def fields(self) -> frozenset[str]:
        """The names of the fields that are stated."""
        return frozenset(name for name in ("year", "venue") if getattr(self, name) is not None)


def stated_above(document: Document, section: int | None) -> Stated:
    """Return what a section's heading states, and where it does not, those above it."""
    year, venue = None, None
    titles: list[str] = []
    while section is not None:
        found = document.sections[section]
        cited = found.citation.venue if found.citation else None
        if (year is None and found.year is not None) or (venue is None and cited is not None):
            titles.append(found.title)
        year, venue = year if year is not None else found.year, venue or cited
        section = found.parent
    return Stated(year, venue, tuple(titles))


def contradiction(entry: ImportedEntry, stated: Stated) -> str | None:
    """Return how an entry differs from what the headings above it state; None if it does not."""
    faults = []
    if stated.venue is not None and entry["venue"] != stated.venue.label:
        faults.append(f"its venue is {entry['venue'] or entry['venue_text'] or 'not known'}")
    if stated.year is not None and entry["year"] != stated.year:
        faults.append(f"its year is {entry['year'] or 'not known'}")
    if not faults:
        return None
    titles = " > ".join(f"'{title}'" for title in reversed(stated.titles))
    return f"{' and '.join(faults)}, but it is below {titles}"
