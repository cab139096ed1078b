"""A feed as JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from shelfread.exports.entries.plain import plain
from shelfread.exports.feed.history import Feed, FeedItem
from shelfread.exports.feed.item import reference, summary, timestamp
from shelfread.report.json_text import dumps


def lines(feed: Feed) -> Iterator[str]:
    """Yield the object; each item has its entry too, as `shelfread export` prints it."""
    yield dumps(
        {
            "version": "https://jsonfeed.org/version/1.1",
            "title": plain(feed.title),
            "_shelfread": {"about": "an item's _shelfread is its entry as shelfread export prints it"},
            "items": [_item(item) for item in feed.items],
        }
    )


def _item(item: FeedItem) -> dict[str, Any]:
    work = reference(item)
    found = {
        "id": item.id,
        "url": work.url,
        "title": work.title,
        "content_text": summary(item),
        "date_published": timestamp(item.added),
        "authors": [{"name": plain(item.author)}] if plain(item.author) else [],
        "tags": list(work.keywords),
        "_shelfread": dict(item.entry),
    }
    return {key: value for key, value in found.items() if value}
