"""DOIs that are malformed, or linked by another URL than https://doi.org/."""

from __future__ import annotations

import re

from shelfread.core.diagnostics import RawDiagnostic, RawDiagnostics
from shelfread.core.support.regex import lazy
from shelfread.document.list_addresses import addresses, replace
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.index.conventions.conventions import When
from shelfread.index.conventions.observations import ACM_LINK, acm_form

_RESOLVER = lazy(r"(?i)(?P<scheme>https?)://(?P<host>(?:www\.|dx\.)?doi\.org|doi\.acm\.org)/(?P<path>.*)")
_DOI = lazy(r"(?i)10\.\d{4,9}(?:\.\d+)*(?:/|%2F)[^\s?#]+")
_SHORT_DOI = lazy(r"(?i)10/[a-z0-9]+")
_RESOLVED = "https://doi.org/"
_ACM_FORMS = (_RESOLVED, "https://dl.acm.org/doi/", "https://dl.acm.org/doi/abs/")
_ACM_PAPER = lazy(r"(?i)https?://(?:www\.)?dl\.acm\.org/doi/(?:\w+/)?(?P<doi>10\.1145/[^?#]+)")


def doi_form(document: Document, context: RuleContext, *, when: When = "learned") -> RawDiagnostics:
    """Report DOIs that are malformed, or linked by another URL than the list's."""
    text = document.source.text
    form = _RESOLVED if when == "always" else None
    if when == "learned":
        form = context.usual_form(ACM_LINK)
    for address in addresses(document):
        url = address.url
        if "doi" not in url or ("10" not in url and "doi.org" not in url):
            continue
        resolver = _RESOLVER.match(url)
        if resolver is not None:
            message, right = _resolved(resolver)
        elif form is not None and "dl.acm.org" in url:
            message, right = _in_acm_form(url, form)
        else:
            continue
        if message:
            edits = replace(address, right, text) if right else ()
            yield RawDiagnostic(address.span, {"url": right}, edits, message=message)


def _resolved(resolver: re.Match[str]) -> tuple[str, str]:
    """Return the message about a URL of a DOI resolver and the URL to use; both are empty if nothing is wrong."""
    path, message = resolver["path"], ""
    if not _DOI.match(path):
        doi = _DOI.search(path)
        if doi is None:
            return ("no-doi" if path[:1].isdigit() and not _SHORT_DOI.fullmatch(path) else ""), ""
        message, path = "nested", path[doi.start() :]
    if path.startswith("10.5555/"):
        return "acm-number", ""
    right = path.rstrip(".,;").replace("%20", "")
    if not message and right != path:
        message = "extra-characters"
    host = resolver["host"].lower()
    if not message and host != "doi.org":  # link/insecure reports http://doi.org
        message = "other-name" if host == "www.doi.org" else "old-url"
    return message, _RESOLVED + right if message else ""


def _in_acm_form(url: str, form: str) -> tuple[str, str]:
    """Return the message about a URL of ACM's library and the URL in the list's form; PDFs keep out of `/abs/`."""
    current = acm_form(url) or form
    if current == form or form not in _ACM_FORMS or ("pdf" in current and form.endswith("/abs/")):
        return "", ""
    match = _ACM_PAPER.fullmatch(url.partition("?")[0].partition("#")[0])
    return ("acm-form", form + match["doi"]) if match else ("", "")
