"""What a page says of itself: the `citation_*` tags of publishers, Open Graph, its title."""

from __future__ import annotations

from html.parser import HTMLParser

from shelfread.core.support.regex import lazy
from shelfread.imports.services.service import ServiceError
from shelfread.imports.services.untrusted import doi_of, text_of, year_of
from shelfread.index.answers import Work
from shelfread.links.classify.page_content import decode_page
from shelfread.links.exchange import REDIRECTS, Fetch, FetchError, Reply, Request
from shelfread.links.http.wire_url import redirected

_REDIRECTS = 10
_MARKUP = ("text/html", "application/xhtml+xml")
_YEAR = lazy(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_VENUES = ("citation_conference_title", "citation_journal_title", "citation_inbook_title")


async def fetch_page(url: str, fetch: Fetch) -> Work | None:
    """Return what the page at a URL says of itself; None if it says nothing.

    Raises ServiceError if it cannot be read.
    """
    reply = await _follow(url, fetch)
    if not reply.headers.get("content-type", "").lower().startswith(_MARKUP):
        return None
    head = _Head()
    head.feed(decode_page(reply.body, reply.headers.get("content-type", "")))
    return _work(head, url)


async def _follow(url: str, fetch: Fetch) -> Reply:
    host = url.partition("://")[2].partition("/")[0]
    current = url
    for _ in range(_REDIRECTS):
        try:
            reply = await fetch(Request(current))
            if reply.status == 200:
                return reply
            location = reply.headers.get("location", "")
            if reply.status not in REDIRECTS or not location:
                raise ServiceError(host, f"answered {reply.status}")
            current = redirected(current, location)
        except FetchError as error:
            raise ServiceError(host, f"does not answer: {error}") from None
    raise ServiceError(host, "redirects too often")


def _work(head: _Head, url: str) -> Work | None:
    cited = head.first("citation_title")
    title = cited or head.first("og:title") or text_of(head.title)
    if not title:
        return None
    year = _YEAR.search(head.first("citation_publication_date") or head.first("citation_date"))
    venue = next(filter(None, map(head.first, _VENUES)), "") if cited else ""
    return Work(
        source=url.partition("://")[2].partition("/")[0],
        title=title,
        authors=tuple(map(_given_first, head.values.get("citation_author", ()))) if cited else (),
        venue=venue,
        year=year_of(year[0]) if cited and year else None,
        doi=doi_of(head.first("citation_doi")),
        url=url,
        description=head.first("og:description") or head.first("description"),
    )


def _given_first(name: str) -> str:
    """Return `Ada Lovelace` of `Lovelace, Ada`."""
    family, comma, given = name.partition(",")
    return f"{given.strip()} {family.strip()}" if comma and "," not in given else name


class _Head(HTMLParser):
    """The title and the meta tags of a page; the body is not read."""

    def __init__(self) -> None:
        super().__init__()
        self.title = ""
        self.values: dict[str, list[str]] = {}
        self._in_title = self._is_done = False

    def first(self, name: str) -> str:
        """Return the first value of a meta tag; empty if there is none."""
        return next(iter(self.values.get(name, ())), "")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in reversed(attrs)}
        self._in_title = tag == "title" and not self.title and not self._is_done
        if tag == "body":
            self._is_done = True
        elif tag == "meta" and not self._is_done and (value := text_of(given.get("content"))):
            name = (given.get("name") or given.get("property") or "").lower()
            self.values.setdefault(name, []).append(value)

    def handle_endtag(self, tag: str) -> None:
        self._in_title = False

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title += data
