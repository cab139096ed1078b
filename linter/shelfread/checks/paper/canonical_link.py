"""Addresses of papers that have a canonical one: old hosts, mirrors, the page or PDF that a list links."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, TypeAlias
from urllib.parse import unquote

from shelfread.core.diagnostics import Applicability, RawDiagnostic, Severity, Span
from shelfread.core.publisher_moves import (
    CanonicalUrl,
    from_acl,
    from_arxiv,
    from_neurips,
    from_pmlr,
    without_version,
)
from shelfread.core.support.regex import lazy
from shelfread.document.addresses import Address, addresses, replace
from shelfread.document.identity.identifiers import identify
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.index.conventions.link_host import (
    ARXIV_HOST,
    ARXIV_LINK,
    PUBLISHER,
    PUBLISHER_LINK,
    arxiv_papers,
)
from shelfread.index.conventions.majority import learn
from shelfread.index.conventions.question import Question

Form: TypeAlias = Literal["learned", "keep", "abs", "pdf"]
Publishers: TypeAlias = Literal["learned", "keep", "doi"]

_MIRROR = lazy(
    r"https?://(?P<host>(?:www\.)?(?:ar5iv\.labs\.arxiv|ar5iv|alphaxiv)\.org)/(?:abs|pdf|html|overview)/"
    r"(?P<id>(?:[a-z-]+/)?[\d.]+\d)(?:v\d+)?/?$",
    re.IGNORECASE,
)
_FORM = lazy(r"/(?:abs|pdf)/([^?#]*?)(?:\.pdf)?$", re.IGNORECASE)
_OFTEN_MEANT = lazy(r"ar5iv|alphaxiv|html|discuss|comment", re.IGNORECASE)
_USUAL = ("https://arxiv.org/", "https://github.com/", "https://openreview.net/")
_HINTS = ("rxiv", "haxiv", "r5iv", "lanl.gov", "anthology", "jmlr", "ips.cc", "springer", "wiley")


_Step: TypeAlias = "Callable[[str], CanonicalUrl | None]"


def canonical_link(
    document: Document,
    context: RuleContext,
    *,
    arxiv: Form = "learned",
    versions: Literal["keep", "drop"] = "keep",
    publishers: Publishers = "learned",
) -> Iterator[RawDiagnostic]:
    """Addresses of papers by an old host, a mirror, or in another form than the list's."""
    text = document.source.text
    steps = _steps(context, versions == "drop", publishers)
    forms = _forms(document, context, arxiv)
    hints = [hint for hint in _HINTS if hint in text]
    known: set[str] | None = None
    for address in context.table(addresses, document) if hints else ():
        if versions == "keep" and address.url.startswith(_USUAL) and address.span not in forms:
            continue
        if not any(hint in address.url for hint in hints):
            continue
        own = forms.get(address.span)
        best = _best(address.url, [*steps, own] if own else steps)
        if best is None and (mirror := _MIRROR.match(address.url)):
            known = _known(document) if known is None else known
            best = _of_mirror(mirror, address, known, text)
        if best is None or (best.severity is Severity.INFO and not address.url.startswith("https:")):
            continue  # what is graver speaks first: link/insecure
        edits = replace(address, best.url, text) if best.url else ()
        right = f": {best.url}" if best.url else ""
        yield RawDiagnostic(
            address.span, {"why": best.why, "right": right}, edits, best.applicability, best.severity
        )


def _steps(context: RuleContext, unversioned: bool, publishers: Publishers) -> list[_Step]:
    usual = learn(context.conventions.forms(Question(ARXIV_HOST)))
    keep_www = usual is not None and usual.form != "arxiv.org"
    steps: list[_Step] = [lambda url: from_arxiv(url, keep_www), from_acl, from_pmlr, from_neurips]
    if unversioned:
        steps.append(without_version)
    if publishers != "keep" and (why := _why_doi(context, publishers)):
        steps.append(lambda url: _of_publisher(url, why))
    return steps


def _best(url: str, steps: Sequence[_Step]) -> CanonicalUrl | None:
    """What all safe steps together make of an address; where there are none, the first that needs a yes."""
    best: CanonicalUrl | None = None
    for step in steps:
        canonical = step(url)
        if canonical is None:
            continue
        if canonical.applicability is Applicability.SAFE:
            url = canonical.url
            first = best if best is not None and best.applicability is Applicability.SAFE else canonical
            best = first._replace(url=url)
        elif best is None:
            best = canonical
    return best


# ----------------------------------------------------------------------------------------- mirrors
def _of_mirror(mirror: re.Match[str], address: Address, known: set[str], text: str) -> CanonicalUrl | None:
    """A reader of arXiv's papers: often meant, as when its name is the link's, or a second link."""
    around = text[max(0, address.span.start - 40) : address.span.start]
    if _OFTEN_MEANT.search(around.rpartition("[")[2]) or mirror["id"] in known:
        return None
    why = f"{mirror['host'].lower()} shows papers of arXiv"
    return CanonicalUrl("https://arxiv.org/abs/" + mirror["id"], why, Applicability.UNSAFE, Severity.INFO)


def _known(document: Document) -> set[str]:
    """The papers that are linked at arXiv itself."""
    links = (link.url for link in document.links if "/arxiv.org/" in link.url)
    return {identify(url).get("arxiv", "") for url in links}


# --------------------------------------------------------------------------------- what the list has
def _why_doi(context: RuleContext, publishers: Publishers) -> str:
    if publishers == "doi":
        return "publishers' papers are linked by their DOI"
    convention = learn(context.conventions.forms(Question(PUBLISHER_LINK)))
    if convention is None or convention.form != "doi":
        return ""
    return f"{convention.cases} of {convention.total} publishers' papers here are linked by their DOI"


def _of_publisher(url: str, why: str) -> CanonicalUrl | None:
    match = PUBLISHER.match(url) if "10." in url else None
    return CanonicalUrl("https://doi.org/" + unquote(match["doi"]), why) if match else None


def _forms(document: Document, context: RuleContext, arxiv: Form) -> dict[Span, _Step]:
    """What brings those addresses of papers at arXiv into the list's form that have not got it."""
    counted = context.conventions.forms(Question(ARXIV_LINK))
    usual = learn(Counter({"abs": counted["abs"], "pdf": counted["pdf"] + counted[".pdf"]}))
    learned = usual if arxiv == "learned" else None
    wanted = learned.form if learned else arxiv
    if wanted not in ("abs", "pdf"):
        return {}
    shown = "their page, /abs/" if wanted == "abs" else "their PDF"
    why = f"{learned.cases} of {learned.total} papers at arXiv" if learned else "papers at arXiv"
    why += f" are linked by {shown}"
    ending = ".pdf" if wanted == "pdf" and counted[".pdf"] > counted["pdf"] else ""
    # A PDF in place of a page is what fewer people want.
    clear = learned is None or (wanted == "abs" and learned.is_strict)
    sure = Applicability.SAFE if wanted == "abs" and clear else Applicability.UNSAFE
    severity = Severity.WARNING if clear else Severity.INFO

    def formed(url: str) -> CanonicalUrl:
        return CanonicalUrl(_FORM.sub(rf"/{wanted}/\1{ending}", url), why, sure, severity)

    return {
        link.destination: formed
        for entry in document.entries
        if "arxiv" in entry.identifiers
        for link, form in arxiv_papers(entry)
        if link.destination is not None and form.removeprefix(".") != wanted
    }
