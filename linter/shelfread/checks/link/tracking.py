"""Query parameters of URLs that only track visitors."""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from urllib.parse import unquote

from markdown_it.common.utils import unescapeAll

from shelfread.core.diagnostics import Change, Edit, Effect, RawDiagnostic, RawDiagnostics, Severity
from shelfread.core.edits import TextEdit, apply_edits
from shelfread.core.support.regex import lazy
from shelfread.document.list_addresses import Address, addresses
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.taxonomy.hosts import TRACKING, TRACKING_OF_HOST

_CANDIDATE = lazy(rf"(?i)[?&;](?:{'|'.join((TRACKING, *TRACKING_OF_HOST))})=")
_OF_HOST = [
    (names, lazy(rf"(?i)https?://(?:[\w-]+\.)*{hosts}[/?]")) for names, hosts in TRACKING_OF_HOST.items()
]
_AROUND_PICTURE = lazy(r"(?i)[\"']?[^<>\"']{0,200}(?:[\"'][^<>\"']{0,200}){0,8}>\s{0,40}<(?:img|picture)\b")
# A campaign that names the list's place is agreed on, as with sponsors.
_AGREED = lazy(r"(?i)git-?hub|awesome|sponsor|readme|affiliat|referral|partner")


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
        # A badge is pasted as its service gives it.
        is_badge = text.endswith(")](", 0, address.span.start) or _AROUND_PICTURE.match(
            text, address.span.end
        )
        severity = Severity.INFO if is_badge else Severity.WARNING
        yield RawDiagnostic(address.span, {"parameters": ", ".join(parameters)}, edits, severity=severity)


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
    effect = Effect(Change.DESTINATION, address.url, unescapeAll(apply_edits(written, cuts)))
    start = address.span.start
    return tuple(Edit(start + cut.start, start + cut.end, "", effect) for cut in cuts)
