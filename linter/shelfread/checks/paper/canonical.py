"""Links of papers that have a canonical URL: old hosts, mirrors, DOIs, and the form that the list uses."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias
from urllib.parse import unquote

from shelfread.core.diagnostics import Applicability, RawDiagnostic, RawDiagnostics, Severity, Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document
from shelfread.document.passages import addresses, edit_address
from shelfread.index.context import RuleContext
from shelfread.index.conventions import Convention, Question, When, learn
from shelfread.index.observations import (
    ACM_LINK,
    ARXIV_LINK,
    PUBLISHER,
    PUBLISHER_LINK,
    acm_form,
    arxiv_papers,
)
from shelfread.taxonomy import hosts
from shelfread.taxonomy.hosts import CanonicalUrl

Form: TypeAlias = Literal["learned", "keep", "abs"]
Publishers: TypeAlias = Literal["learned", "keep", "doi"]
_Step: TypeAlias = "Callable[[str], CanonicalUrl | None]"

_ARXIV_PATH = lazy(r"(?i)/(?:abs|pdf)/([^?#]*?)(?:\.pdf)?$")
_CANONICAL = ("https://arxiv.org/", "https://github.com/", "https://openreview.net/")
_HINTS = ("rxiv", "haxiv", "r5iv", "lanl.gov", "anthology", "jmlr", "springer", "wiley")
_RESOLVER = lazy(r"(?i)(?P<scheme>https?)://(?P<host>(?:www\.|dx\.)?doi\.org|doi\.acm\.org)/(?P<path>.*)")
_DOI = lazy(rf"{hosts.DOI}[^\s?#]+")
_RESOLVED = "https://doi.org/"
_ACM_FORMS = (_RESOLVED, "https://dl.acm.org/doi/", "https://dl.acm.org/doi/abs/")
_ACM_PAPER = lazy(r"(?i)https?://(?:www\.)?dl\.acm\.org/doi/(?:\w+/)?(?P<doi>10\.1145/[^?#]+)")


def canonical_link(
    document: Document,
    context: RuleContext,
    *,
    arxiv: Form = "learned",
    versions: Literal["keep", "drop"] = "keep",
    publishers: Publishers = "learned",
) -> RawDiagnostics:
    """Report links of papers by an old host, a mirror, or in another form than the list's."""
    text = document.source.text
    steps = _steps(context, versions == "drop", publishers)
    forms = _arxiv_forms(document, context, arxiv)
    hints = [hint for hint in _HINTS if hint in text]
    for address in addresses(document) if hints else ():
        is_canonical = address.url.startswith(_CANONICAL) and address.span not in forms
        if (versions == "keep" and is_canonical) or not any(hint in address.url for hint in hints):
            continue
        form = forms.get(address.span)
        best = _best(address.url, [*steps, form] if form else steps)
        if best is None or (best.severity is Severity.INFO and not address.url.startswith("https:")):
            continue  # link/insecure is more severe
        url = re.sub("^http:", "https:", best.url)  # as link/insecure has it: all of these hosts serve it
        edits = edit_address(address, url, text) if url else ()
        safe = best.applicability is Applicability.SAFE
        yield RawDiagnostic(
            address.span, {**best.values, "url": url}, edits, safe, best.severity, best.message
        )


def _steps(context: RuleContext, unversioned: bool, publishers: Publishers) -> list[_Step]:
    steps: list[_Step] = [hosts.from_arxiv, hosts.from_acl, hosts.from_pmlr]
    if unversioned:
        steps.append(hosts.without_version)
    if publishers == "doi":
        steps.append(lambda url: _from_publisher(url, lambda: None))
    elif publishers == "learned" and context.usual_form(PUBLISHER_LINK) == "doi":
        steps.append(lambda url: _from_publisher(url, lambda: context.convention(PUBLISHER_LINK)))
    return steps


def _best(url: str, steps: Sequence[_Step]) -> CanonicalUrl | None:
    """Return what all safe steps together make of a URL, else what the first unsafe one makes of it."""
    best: CanonicalUrl | None = None
    for step in steps:
        if (canonical := step(url)) is None:
            continue
        if canonical.applicability is Applicability.SAFE:
            url = canonical.url
            # The message is that of the gravest step; of equal ones, of the first.
            graver = canonical if best is None or canonical.severity > best.severity else best
            best = graver._replace(url=url)
        elif best is None:
            best = canonical
    return best


def _from_publisher(url: str, learned: Callable[[], Convention | None]) -> CanonicalUrl | None:
    match = PUBLISHER.match(url) if "10." in url else None
    if match is None:
        return None
    convention = learned()
    message = "doi-always" if convention is None else "doi"
    return CanonicalUrl("https://doi.org/" + unquote(match["doi"]), message, values=_counts(convention))


def _arxiv_forms(document: Document, context: RuleContext, arxiv: Form) -> dict[Span, _Step]:
    """Return a step for each link to the PDF of an arXiv paper, where papers are linked by their page."""
    learned = learn(context.conventions.forms(Question(ARXIV_LINK))) if arxiv == "learned" else None
    if arxiv != "abs" and (learned is None or not learned.is_strict or learned.form != "abs"):
        return {}  # a page among PDFs is the better link
    others = {
        link.destination
        for entry in document.entries
        if "arxiv" in entry.identifiers
        for link, form in arxiv_papers(entry)
        if link.destination is not None and form != "abs"
    }
    canonical = CanonicalUrl("", "abs" if learned else "abs-always", values=_counts(learned))
    return dict.fromkeys(others, lambda url: canonical._replace(url=_ARXIV_PATH.sub(r"/abs/\1", url)))


def _counts(convention: Convention | None) -> dict[str, int]:
    return {"count": convention.cases, "total": convention.total} if convention else {}


def doi_form(document: Document, context: RuleContext, *, when: When = "learned") -> RawDiagnostics:
    """Report DOIs that are malformed, or linked by another URL than the list's."""
    text = document.source.text
    form = {"always": _RESOLVED, "learned": context.usual_form(ACM_LINK)}.get(when)
    for address in addresses(document):
        url = address.url
        if "doi" not in url or ("10" not in url and "doi.org" not in url):
            continue
        message, right = "", ""
        if (resolver := _RESOLVER.match(url)) is not None:
            message, right = _resolved(resolver)
        elif form is not None and "dl.acm.org" in url:
            message, right = _in_acm_form(url, form)
        if message:
            edits = edit_address(address, right, text) if right else ()
            yield RawDiagnostic(address.span, {"url": right}, edits, message=message)


def _resolved(resolver: re.Match[str]) -> tuple[str, str]:
    """Return the message about a URL of a DOI resolver and the URL to use; both are empty if nothing is wrong."""
    path, message = resolver["path"], ""
    if not _DOI.match(path):
        doi = _DOI.search(path)
        if doi is None:
            return "", ""
        message, path = "nested", path[doi.start() :]
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
