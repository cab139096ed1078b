"""A feed as Atom (RFC 4287)."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from shelfread.exports.entries.plain import plain
from shelfread.exports.feed.history import Feed, FeedItem
from shelfread.exports.feed.item import reference, summary, timestamp


def lines(feed: Feed) -> Iterator[str]:
    """Yield the XML; texts have no character that XML 1.0 forbids."""
    yield '<?xml version="1.0" encoding="utf-8"?>'
    yield '<feed xmlns="http://www.w3.org/2005/Atom">'
    yield "  <generator>shelfread</generator>"
    yield f"  <id>{feed.id}</id>"
    yield f"  <title>{escape(plain(feed.title))}</title>"
    yield f"  <updated>{timestamp(feed.updated)}</updated>"
    yield f"  <author><name>{escape(plain(feed.title))}</name></author>"
    for item in feed.items:
        yield "  <entry>"
        yield from (f"    {element}" for element in _elements(item))
        yield "  </entry>"
    yield "</feed>"


def _elements(item: FeedItem) -> Iterator[str]:
    work = reference(item)
    yield f"<id>{item.id}</id>"
    yield f"<title>{escape(work.title)}</title>"
    yield f"<published>{timestamp(item.added)}</published>"
    yield f"<updated>{timestamp(item.added)}</updated>"
    yield f"<author><name>{escape(plain(item.author) or 'unknown')}</name></author>"
    if work.url:
        yield f"<link href={quoteattr(work.url)}/>"
    yield from (f"<category term={quoteattr(keyword)}/>" for keyword in work.keywords)
    yield f'<content type="text">{escape(summary(item))}</content>'
