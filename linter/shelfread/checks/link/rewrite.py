"""Replaces the URL of a link, escaped for the link's form, and a link text that repeats it."""

from __future__ import annotations

from functools import lru_cache
from urllib.parse import quote

from shelfread.core.diagnostics import Edit, Span
from shelfread.core.support.regex import lazy
from shelfread.document.list_addresses import Address, replace
from shelfread.document.model import Document
from shelfread.index.context import RuleContext

_LONGEST = 2000
_WEB = lazy(r"(?i)https?://[^\s/?#\\@]+(?:[/?#]|$)")
# Not allowed in a URL (RFC 3986), letters of any script aside; brackets are for IPv6 hosts only.
_FOREIGN = lazy(r"[^\w\-.~:/?#@!$&'()*+,;=%]")
_ENTITY = lazy(r"&(?=#?\w+;)")
_MARKUP = lazy(r"[*`&~\[\]<>\\|]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
_AFTER_BARE = tuple("?!.,:;*_~'")


def readdress(document: Document, context: RuleContext, address: Address, to: str) -> tuple[Edit, ...]:
    """Return the edits that replace a URL by `to` and keep its fragment; none if `to` cannot be written there."""
    text, span = document.source.text, address.span
    raw, fragment = text[slice(*span)], address.url.partition("#")[2]
    to = clean(f"{to}#{fragment}" if fragment and "#" not in to else to) or address.url
    written = _written(to, address.form)
    if to == address.url or written is None or (address.form == "bare" and raw != address.url):
        return ()
    if raw == address.url and written == to:
        edits = replace(address, to, text)
    else:
        # Effects are compared after parsing as Markdown, so `&` is escaped where it looks like an entity.
        edits = (Edit.relink(span, address.url, _ENTITY.sub("&amp;", to), written),)
    return (*edits, *_shown(document, context, address, to))


def clean(url: str) -> str | None:
    """Return a URL from a server with all characters encoded that a URL may not have; None if it is no web URL."""
    if len(url) > _LONGEST or not _WEB.match(url) or not url.isprintable():
        return None
    url = _FOREIGN.sub(lambda match: quote(match[0]), url)
    return url if _is_balanced(url) else url.replace("(", "%28").replace(")", "%29")


def _written(url: str, form: str) -> str | None:
    """Return a URL as it is written in a link of this form; None if it cannot be written."""
    if form == "autolink":
        return None if _ENTITY.search(url) else url
    if form == "html":
        return url.replace("&", "&amp;").replace("'", "&#39;")
    if form == "bare":
        return None if _ENTITY.search(url) or url.endswith(_AFTER_BARE) else url
    return _ENTITY.sub("&amp;", url)


def _is_balanced(url: str) -> bool:
    depth = 0
    for character in url:
        depth += (character == "(") - (character == ")")
        if depth < 0:
            return False
    return depth == 0


def _shown(document: Document, context: RuleContext, address: Address, to: str) -> tuple[Edit, ...]:
    """Return the edit of a link text that repeats the URL; none if the new text could be read as markup."""
    start = _repeated(document).get(address.span)
    if start is None or _MARKUP.search(to):
        return ()
    return (Edit.reword(Span(start, start + len(address.url)), address.url, to),)


@lru_cache(maxsize=1)
def _repeated(document: Document) -> dict[Span, int]:
    """Return where link texts repeat their URL, by the span of the destination."""
    text = document.source.text
    return {
        link.destination: text.index(link.url, link.text.start)
        for link in document.links
        if link.destination is not None
        and link.form in ("inline", "html")
        and link.url
        and text[slice(*link.text)].strip() == link.url
    }
