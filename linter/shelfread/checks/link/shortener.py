"""Links through URL shorteners."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from shelfread.core.diagnostics import RawDiagnostic, RawDiagnostics, Severity, Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.taxonomy.hosts import SHORTENERS

# The service's own pages, which a list of shorteners links.
_PAGES = frozenset(
    "about api app apps blog contact dashboard developers docs faq features help home index.html index.php login "
    "plans pricing privacy product pages register signup stats support terms tools".split()
)
# Words that somebody chose, so they say where they lead and live as long as their owner likes: `spec-tutorial-slides`.
_CHOSEN = lazy(
    r"(?:[a-z]+\d{0,4}|[A-Z][a-z]+\d{0,4}|[A-Z]+)(?:[-_](?:[a-z]+|[A-Z][a-z]*|[A-Z]+)?\d{0,4})+|[a-z]{9,}"
)
_MARKS = lazy(r"[\W_]+")
_OF_ONE_SITE = frozenset(("amzn.to", "wp.me"))
"""Shorteners that lead to one site only, amzn.to mostly as a link that pays the list."""
_LONGEST = 60
_MANY = 10
"""From so many short URLs on, half of them repeated, they are the style of the list."""


def shortener(document: Document, context: RuleContext, *, allow: tuple[str, ...] = ()) -> RawDiagnostics:
    """Yield links through a URL shortener; `allow` names the hosts of shorteners that are accepted."""
    found = [each for each in _short_urls(document) if each[2] not in allow]
    if not found:
        return
    counts = Counter(url for url, *_ in found)
    is_style = len(found) >= _MANY and len(counts) * 2 <= len(found)
    for url, span, host, chosen in found:
        if is_style and not counts.pop(url, 0):
            continue  # each URL is reported once
        severity = Severity.INFO if is_style or host in _OF_ONE_SITE or chosen else Severity.ERROR
        yield RawDiagnostic(span, {"host": host}, severity=severity)


def _short_urls(document: Document) -> Iterator[tuple[str, Span, str, bool]]:
    """Yield the short URLs that readers follow, not those of pictures, with their spans and hosts.

    The last value is whether the words of the URL were chosen.
    """
    pictures = set()
    for link in document.links:
        if link.image:
            pictures.add(link.label)
        elif link.destination is not None and len(link.url) < _LONGEST and (host := _shortener_of(link.url)):
            chosen = _is_chosen(link.url, document.source.text[slice(*link.text)])
            yield link.url, link.destination, host, chosen
    for definition in document.tree.definitions:
        if definition.label not in pictures and (host := _shortener_of(definition.url)):
            yield definition.url, definition.destination, host, _is_chosen(definition.url, definition.label)


def _is_chosen(url: str, text: str) -> bool:
    """Return whether the path of a short URL is words instead of a random code, or what the link says."""
    word = url.split("/", 4)[3].partition("#")[0].partition("?")[0]
    return _CHOSEN.fullmatch(word) is not None or _MARKS.sub("", text).casefold() == word.casefold()


def _shortener_of(url: str) -> str | None:
    """Return the host of a short URL, which has a single word as its path; None for any other URL."""
    parts = url.split("/", 4)
    if len(parts) < 4 or parts[1] or (len(parts) > 4 and parts[4][:1] not in ("", "?", "#")):
        return None
    host = parts[2]
    if host not in SHORTENERS:
        host = host.lower().removeprefix("www.")
        if host not in SHORTENERS:
            return None
    word = parts[3].partition("#")[0].partition("?")[0].lower()
    return host if word and word not in _PAGES else None
