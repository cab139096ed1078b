"""A feed as Markdown: a heading for each day, newest first."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from shelfread.exports.entries.plain import plain
from shelfread.exports.feed.history import Feed, FeedItem
from shelfread.exports.feed.item import reference, venue_and_year
from shelfread.markdown.escape import destination, escape

FIRST_LINE = "<!-- Written by shelfread feed. -->"


def lines(feed: Feed) -> Iterator[str]:
    """Yield the days and their entries; days are those of UTC."""
    yield FIRST_LINE
    yield ""
    yield f"# New in {escape(plain(feed.title))}"
    for day, items in groupby(feed.items, lambda item: item.added.date()):
        yield ""
        yield f"## {day.isoformat()}"
        yield ""
        yield from map(_item, items)


def _item(item: FeedItem) -> str:
    work = reference(item)
    title = escape(work.title)
    line = f"- [{title}]({destination(work.url)})" if work.url else f"- {title}"
    if venue := venue_and_year(item):
        line += f" ({escape(venue)})"
    if item.entry["description"]:
        line += f" - {escape(plain(item.entry['description']))}"
    return line
