"""Identifiers as they are printed and as they are linked: arXiv ids, DOIs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shelfread.checks.common.addresses import addresses, replace
from shelfread.core.diagnostics import Applicability, Change, Edit, Effect, RawDiagnostic, Span
from shelfread.core.support.edit_distance import is_slip
from shelfread.core.support.regex import lazy
from shelfread.document.identity.identifiers import identify
from shelfread.document.model import Document, Entry
from shelfread.index.conventions.majority import When, learn
from shelfread.index.conventions.observations import acm_form
from shelfread.index.index import Survey
from shelfread.markdown.node import Link

_PRINTED = lazy(r"arxiv\b(?:[\s:(\[]|preprint\b|abs/)*?(\d{4}\.\d{2,6})(?![\d/])", re.IGNORECASE)
_MAY_BE_PRINTED = lazy(r"arxiv\b(?:[\s:(\[]|preprint\b|abs/)*?\d{4}\.\d\d")
_LINKED = lazy(r"[\s\[(]*(?:arxiv[:\s]*)?(\d{4}\.\d{3,6})(?:v\d+)?[\s\])]*", re.IGNORECASE)


# ------------------------------------------------------------------------------------------- arXiv
def arxiv_agrees(document: Document, survey: Survey) -> Iterator[RawDiagnostic]:
    """arXiv ids in an entry's title line, or as a link's text, that are not the linked one."""
    text = document.source.text
    seen: set[Span] = set()
    for link in document.links:
        if "arxiv" in link.url and (printed := _LINKED.fullmatch(text, *link.text)):
            yield from _compare(Span(*printed.span(1)), {identify(link.url).get("arxiv", "")}, text, seen)
    if not _MAY_BE_PRINTED.search(text.lower()):
        return
    for entry in document.entries:
        linked = _linked_ids(entry)
        if linked:
            for printed in _PRINTED.finditer(text, *_stated(entry)):
                span = Span(*printed.span(1))
                if not any(_holds(link.link, span) for link in entry.links):
                    yield from _compare(span, linked, text, seen)


def _linked_ids(entry: Entry) -> set[str]:
    """The new-style ids of an entry's own papers."""
    links = (link.link.url for link in entry.links if "arxiv" in link.link.url)
    return {found for url in links if "." in (found := identify(url).get("arxiv", ""))}


def _stated(entry: Entry) -> Span:
    """The title line, and the citation's line where that is another; a note may cite other papers."""
    if entry.citation is not None and not entry.head.start <= entry.citation.span.start < entry.head.end:
        return entry.citation.span
    return entry.head


def _holds(link: Link, span: Span) -> bool:
    """Whether a span lies in the address of a link, or in one whose own text is looked at."""
    return link.start <= span.start < link.end


def _compare(span: Span, linked: set[str], text: str, seen: set[Span]) -> Iterator[RawDiagnostic]:
    printed = text[span.start : span.end]
    if printed in linked or span in seen or not linked or not all(linked):
        return
    near = [one for one in linked if _is_slip(printed, one)]
    if not near and not _may_be_id(printed):
        return  # a date: arXiv 2023.10
    seen.add(span)
    right = near[0] if len(near) == 1 else next(iter(linked)) if len(linked) == 1 else None
    edits: tuple[Edit, ...] = ()
    if right is not None and _may_be_id(right):
        edits = (Edit(*span, right, Effect(Change.WORDS, printed, right)),)
    safe = Applicability.SAFE if near else Applicability.UNSAFE
    yield RawDiagnostic(span, {"printed": printed, "linked": " or ".join(sorted(linked))}, edits, safe)


def _may_be_id(text: str) -> bool:
    """Whether arXiv could have given that id: a month, four digits until 2014 and five since."""
    year, month, number = text[:2], text[2:4], text[5:]
    return year >= "07" and "01" <= month <= "12" and len(number) == (4 if year < "15" else 5)


def _is_slip(printed: str, linked: str) -> bool:
    """Whether the one is the other cut short, or one digit or one swap away from it."""
    return (linked.startswith(printed) and len(printed) >= 6) or is_slip(printed, linked)


# --------------------------------------------------------------------------------------------- DOI
_RESOLVER = lazy(
    r"(?P<scheme>https?)://(?P<host>(?:www\.|dx\.)?doi\.org|doi\.acm\.org)/(?P<rest>.*)", re.IGNORECASE
)
_DOI = lazy(r"10\.\d{4,9}(?:\.\d+)*(?:/|%2F)[^\s?#]+", re.IGNORECASE)
_SHORT = lazy(r"10/[a-z0-9]+", re.IGNORECASE)
_RESOLVED = "https://doi.org/"
_TARGETS = (_RESOLVED, "https://dl.acm.org/doi/", "https://dl.acm.org/doi/abs/")
_LIBRARY = lazy(r"https?://(?:www\.)?dl\.acm\.org/doi/(?:\w+/)?(?P<doi>10\.1145/[^?#]+)", re.IGNORECASE)


def doi_form(document: Document, survey: Survey, *, when: When = "learned") -> Iterator[RawDiagnostic]:
    """DOIs that are malformed, or reached by an old or roundabout address."""
    text = document.source.text
    form = _RESOLVED if when == "always" else None
    if when == "learned" and (convention := learn(survey.forms("acm"))):
        form = convention.form
    for address in addresses(document):
        url = address.url
        if "doi" not in url or ("10" not in url and "doi.org" not in url):
            continue
        resolver = _RESOLVER.match(url)
        if resolver is not None:
            found = _resolved(resolver)
        elif form is not None and "dl.acm.org" in url:
            found = _in_library(url, form)
        else:
            continue
        if found is None:
            continue
        fault, right = found
        edits = replace(address, right, text) if right else ()
        yield RawDiagnostic(address.span, {"fault": fault, "right": f": {right}" if right else ""}, edits)


def _resolved(found: re.Match[str]) -> tuple[str, str] | None:
    """What is wrong with an address of a DOI resolver, and the right one where there is one reading."""
    host, rest = found["host"].lower(), found["rest"]
    fault = ""
    if not _DOI.match(rest):
        within = _DOI.search(rest)
        if within is None:
            is_none = rest[:1].isdigit() and not _SHORT.fullmatch(rest)
            return ("is no DOI: one is 10.NUMBER/NAME", "") if is_none else None
        fault, rest = "has more than a DOI behind the resolver", rest[within.start() :]
    if rest.startswith("10.5555/"):
        return "leads to no DOI: 10.5555 is ACM's own numbering", ""
    right = rest.rstrip(".,;").replace("%20", "")
    if right != rest:
        fault = fault or "has characters that are no part of the DOI"
    if not fault and (host != "doi.org" or found["scheme"].lower() != "https"):
        fault = "is an old address for DOIs"
    return (fault, _RESOLVED + right) if fault else None


def _in_library(url: str, form: str) -> tuple[str, str] | None:
    """The address of a paper in ACM's library as the list writes it; a PDF is more than its paper's page."""
    own = acm_form(url)
    if own is None or own == form or form not in _TARGETS or ("pdf" in own and form.endswith("/abs/")):
        return None
    match = _LIBRARY.fullmatch(url.partition("?")[0].partition("#")[0])
    return ("is not how this list links papers of ACM", form + match["doi"]) if match else None
