"""URLs that say less or more than where they lead: shorteners and parameters that track visitors."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Collection, Iterator
from urllib.parse import unquote

from markdown_it.common.utils import unescapeAll

from shelfread.checks.common import WORDS
from shelfread.core.diagnostics import (
    Edit,
    RawDiagnostic,
    RawDiagnostics,
    Severity,
    Span,
    TextEdit,
    apply_edits,
)
from shelfread.core.patterns import lazy
from shelfread.document.model import Document
from shelfread.document.passages import Address, addresses, entry_spans, within
from shelfread.index.context import RuleContext
from shelfread.taxonomy.hosts import SHORTENERS, TRACKING, TRACKING_OF_HOST

# Words that somebody chose, so they say where they lead and live as long as their owner likes: `spec-tutorial-slides`.
_CHOSEN = lazy(
    r"(?:[a-z]+\d{0,4}|[A-Z][a-z]+\d{0,4}|[A-Z]+)(?:[-_](?:[a-z]+|[A-Z](?:[a-z]+|[A-Z]*))?\d{0,4})+|[a-z]{9,}"
)
_MARKS = lazy(r"[\W_]+")
# Shorteners that lead to one site only, amzn.to mostly as a link that pays the list.
_OF_ONE_SITE = frozenset(("amzn.to", "wp.me"))
_LONGEST = 60
_MANY = 10  # from so many short URLs on, half of them repeated, they are the style of the list
_CANDIDATE = lazy(rf"(?i)[?&;](?:{'|'.join((TRACKING, *TRACKING_OF_HOST))})=")
_OF_HOST = [
    (names, lazy(rf"(?i)https?://(?:[\w-]+\.)*{hosts}[/?]")) for names, hosts in TRACKING_OF_HOST.items()
]
# A campaign that names the list's place is agreed on, as with sponsors.
_AGREED = lazy(r"(?i)git-?hub|awesome|sponsor|readme|affiliat|referral|partner")


def shortener(document: Document, context: RuleContext, *, allow: tuple[str, ...] = ()) -> RawDiagnostics:
    """Yield links through a URL shortener; `allow` names the hosts of shorteners that are accepted."""
    found = [each for each in _short_urls(document) if each[2] not in allow]
    if not found:
        return
    counts = Counter(url for url, *_ in found)
    if len(found) >= _MANY and len(counts) * 2 <= len(found):
        return  # the style of the list
    entries = entry_spans(document)
    definitions = {one.destination for one in document.tree.definitions}
    for _, span, host, chosen in found:
        if not within(entries, span.start) and span not in definitions:
            continue  # what stands around the entries is the maintainer's own word
        severity = Severity.INFO if host in _OF_ONE_SITE or chosen else Severity.ERROR
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
    return host if word and word not in WORDS["shortener_pages"] else None


def tracking(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield URLs with query parameters that only track visitors."""
    folder: str | None = None
    for address in addresses(document):
        url = address.url
        if "?" not in url or not _CANDIDATE.search(url):
            continue
        if folder is None:
            folder = _folder_name(document)
        names = "|".join(["", *(name for name, host in _OF_HOST if host.match(url))])
        pattern = re.compile(rf"[?&]((?:{TRACKING}{names}))=([^&#]*)", re.IGNORECASE)
        query = url[url.index("?") :].partition("#")[0]
        found = pattern.findall(query)
        if not found or any(_is_agreed(name, value, folder) for name, value in found):
            continue
        parameters = dict.fromkeys(name for name, _ in found)
        text = document.source.text
        edits = _removal(address, parameters, text)
        yield RawDiagnostic(address.span, {"parameters": ", ".join(parameters)}, edits)


def _folder_name(document: Document) -> str:
    """Return the name of the list's folder, which a campaign for the list would have."""
    path = os.path.abspath(document.source.path or ".")
    return os.path.basename(os.path.dirname(path)).rpartition("__")[2].partition("@")[0].lower()


def _is_agreed(name: str, value: str, folder: str) -> bool:
    if not name.lower().startswith("utm_"):
        return False
    value = unquote(value).lower()
    return bool(_AGREED.search(value)) or (len(value) > 3 and value in folder)


def _removal(address: Address, names: Collection[str], text: str) -> tuple[Edit, ...]:
    """Return the edits that remove parameters; none if the URL has escapes that hide them."""
    written = text[slice(*address.span)]
    first = len(written.partition("?")[0])
    last = first + len(written[first:].partition("#")[0])
    cuts: list[TextEdit] = []
    is_first_kept = True
    for match in re.finditer(r"([?]|&amp;|&)((?:(?!&)[^?])*|[^&]*)", written[first:last]):
        start, end = first + match.start(), first + match.end()
        if match[2].partition("=")[0] in names:
            if cuts and cuts[-1].end == start:
                start = cuts.pop().start
            cuts.append(TextEdit(start, end, ""))
        elif is_first_kept:
            is_first_kept = False
            if cuts:  # the first parameter that stays comes right after `?`
                cuts = [TextEdit(first + 1, first + match.start(2), "")]
    if not cuts or unescapeAll(written) != address.url:
        return ()
    after = unescapeAll(apply_edits(written, cuts))
    start = address.span.start
    return tuple(
        Edit.relink(Span(start + cut.start, start + cut.end), address.url, after, "") for cut in cuts
    )
