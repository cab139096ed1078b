"""What a feed says of an entry, in every format."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from shelfread.exports.entries.plain import plain
from shelfread.exports.entries.reference import Reference, reference_of
from shelfread.exports.feed.history import FeedItem


def reference(item: FeedItem) -> Reference:
    """Return the work that an item lists."""
    return reference_of(item.entry, item.vocabulary)


def summary(item: FeedItem) -> str:
    """Return venue and year, authors, description and section in one line; the title if there are none."""
    return " ".join(_parts(item)) or plain(item.entry["title"])


def _parts(item: FeedItem) -> Iterator[str]:
    entry = item.entry
    if venue := venue_and_year(item):
        yield f"{venue}."
    if entry["authors"]:
        yield f"{plain(', '.join(entry['authors'])).rstrip('.')}."
    if entry["description"]:
        yield plain(entry["description"])
    if len(entry["section"]) > 1:
        yield f"In {plain(' > '.join(entry['section'][1:]))}."


def venue_and_year(item: FeedItem) -> str:
    """Return `OSDI 2020`, or what is known of it."""
    venue, year = item.entry["venue"] or item.entry["venue_text"] or "", item.entry["year"]
    shown = "" if year is None or str(year) in venue else str(year)
    return plain(f"{venue} {shown}")


def timestamp(time: datetime) -> str:
    """Return a time as RFC 3339 writes it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0")
