"""`http:` links to hosts that serve HTTPS."""

from __future__ import annotations

from shelfread.core.diagnostics import Edit, RawDiagnostic, RawDiagnostics, Span
from shelfread.core.support.regex import lazy
from shelfread.document.list_addresses import addresses
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.taxonomy.hosts import serves_https

_HTTP = lazy(r"(?i)http://([^/?#:@\\]+)(?=[/?#]|$)")


def insecure(document: Document, context: RuleContext, *, hosts: tuple[str, ...] = ()) -> RawDiagnostics:
    """Yield `http:` URLs of hosts that are known to serve HTTPS; `hosts` adds more of them."""
    text = document.source.text
    for address in addresses(document):
        if address.url[:5].lower() != "http:":
            continue
        match = _HTTP.match(address.url)
        start = address.span.start
        if match is None or text[start : start + 5].lower() != "http:":
            continue
        host = match[1].lower()
        if serves_https(host) or host in hosts:
            edit = Edit.relink(Span(start, start + 4), address.url, "https" + address.url[4:], "https")
            yield RawDiagnostic(address.span, {"host": host}, (edit,))
