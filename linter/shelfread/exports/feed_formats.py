"""A feed as Atom (RFC 4287), JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/) and Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import groupby
from typing import Any
from xml.sax.saxutils import escape as xml
from xml.sax.saxutils import quoteattr

from shelfread.core.patterns import lazy
from shelfread.exports.cited_work import plain, upright, work_of
from shelfread.exports.feed_history import Feed, FeedItem
from shelfread.markdown.html import destination, escape
from shelfread.report.rendering import dumps

_CALL = lazy(r"[@#](?=\w)|(?<=GH)-(?=\d)")


def atom(feed: Feed) -> Iterator[str]:
    """Yield the XML; texts have no character that XML 1.0 forbids."""
    yield '<?xml version="1.0" encoding="utf-8"?>'
    yield '<feed xmlns="http://www.w3.org/2005/Atom">'
    yield "  <generator>shelfread</generator>"
    yield f"  <id>{feed.id}</id>"
    yield f"  <title>{xml(plain(feed.title))}</title>"
    yield f"  <updated>{_timestamp(feed.updated)}</updated>"
    yield f"  <author><name>{xml(plain(feed.title))}</name></author>"
    for item in feed.items:
        yield "  <entry>"
        yield from (f"    {element}" for element in _atom_elements(item))
        yield "  </entry>"
    yield "</feed>"


def _atom_elements(item: FeedItem) -> Iterator[str]:
    work = work_of(item.entry, item.vocabulary)
    yield f"<id>{item.id}</id>"
    yield f"<title>{xml(work.title)}</title>"
    yield f"<published>{_timestamp(item.added)}</published>"
    yield f"<updated>{_timestamp(item.added)}</updated>"
    yield f"<author><name>{xml(plain(item.author) or 'unknown')}</name></author>"
    if work.url:
        yield f"<link href={quoteattr(work.url)}/>"
    yield from (f"<category term={quoteattr(keyword)}/>" for keyword in work.keywords)
    yield f'<content type="text">{xml(_summary(item))}</content>'


def json(feed: Feed) -> Iterator[str]:
    """Yield the object; each item has its entry too, as `shelfread export` prints it."""
    yield dumps(
        {
            "version": "https://jsonfeed.org/version/1.1",
            "_shelfread": {"about": "an item's _shelfread is its entry as shelfread export prints it"},
            "title": plain(feed.title),
            "items": [_json_item(item) for item in feed.items],
        }
    )


def _json_item(item: FeedItem) -> dict[str, Any]:
    work = work_of(item.entry, item.vocabulary)
    data = {
        "id": item.id,
        "url": work.url,
        "title": work.title,
        "content_text": _summary(item),
        "date_published": _timestamp(item.added),
        "authors": [{"name": plain(item.author)}] if plain(item.author) else [],
        "tags": list(work.keywords),
        "_shelfread": dict(item.entry),
    }
    return {key: value for key, value in data.items() if value}


def markdown(feed: Feed) -> Iterator[str]:
    """Yield the days and their entries; days are those of UTC."""
    yield "<!-- Written by shelfread feed. -->"
    yield ""
    yield f"# New in {_shown(feed.title)}"
    for day, items in groupby(feed.items, lambda item: item.added.date()):
        yield ""
        yield f"## {day.isoformat()}"
        yield ""
        yield from map(_markdown_item, items)


def _markdown_item(item: FeedItem) -> str:
    work = work_of(item.entry, item.vocabulary)
    title = _shown(work.title)
    line = f"- [{title}]({destination(work.url)})" if work.url else f"- {title}"
    if venue := _venue_and_year(item):
        line += f" ({_shown(venue)})"
    if item.entry["description"]:
        line += f" - {_shown(item.entry['description'])}"
    return line


def _shown(text: str) -> str:
    """Return the Markdown of a text, in which nobody is called: it may be posted as a release."""
    return _CALL.sub(r"\g<0>&#8203;", escape(plain(text)))


def _summary(item: FeedItem) -> str:
    """Return venue and year, authors, description and section in one line; the title if there are none."""
    entry, venue = item.entry, _venue_and_year(item)
    parts = (
        f"{venue}." if venue else "",
        f"{', '.join(upright(plain(author)) for author in entry['authors']).rstrip('.')}."
        if entry["authors"]
        else "",
        _sentence(plain(entry["description"] or "")),
        f"In {plain(' > '.join(entry['section'][1:]))}." if len(entry["section"]) > 1 else "",
    )
    return " ".join(filter(None, parts)) or plain(entry["title"])


def _sentence(text: str) -> str:
    return f"{text}." if text[-1:].isalnum() else text


def _venue_and_year(item: FeedItem) -> str:
    venue, year = item.entry["venue"] or item.entry["venue_text"] or "", item.entry["year"]
    shown = "" if year is None or str(year) in venue else str(year)
    return plain(f"{venue} {shown}")


def _timestamp(time: datetime) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0")
