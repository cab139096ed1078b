"""URLs that run a script, hold a page of data or lead to the reader's disk."""

from __future__ import annotations

from shelfread.core.diagnostics import RawDiagnostic, RawDiagnostics
from shelfread.core.support.regex import lazy
from shelfread.document.list_addresses import odd_addresses
from shelfread.document.model import Document
from shelfread.index.context import RuleContext

# Browsers ignore control characters and line ends within a scheme.
_SCHEME = lazy(
    r"(?i)[\x00-\x20]*((?:j[\s\x00-\x1f]*a[\s\x00-\x1f]*v[\s\x00-\x1f]*a|v[\s\x00-\x1f]*b)[a-z\s\x00-\x1f]*|file|data):"
)
_CONTROL = lazy(r"[\s\x00-\x1f]+")
_MESSAGES = {"javascript": "script", "vbscript": "script", "file": "file", "data": "data"}


def script(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield URLs with the schemes `javascript:`, `vbscript:`, `file:` and, unless for a picture, `data:`."""
    for address in odd_addresses(document):
        match = _SCHEME.match(address.url)
        if match is None:
            continue
        scheme = _CONTROL.sub("", match[1]).lower()
        after = address.url[match.end() :]
        if scheme not in _MESSAGES or (scheme == "data" and after[:6].lower() == "image/"):
            continue
        if address.form == "autolink" and not after.startswith("//") and scheme in ("file", "data"):
            continue  # `<file:name>` explains a format
        yield RawDiagnostic(address.span, {"scheme": scheme}, message=_MESSAGES[scheme])
