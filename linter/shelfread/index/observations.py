"""Observes a file: each observation is a question and the form that answers it (`github` is spelt `GitHub`)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from shelfread.core.patterns import lazy
from shelfread.document.model import Document, Entry
from shelfread.index.conventions import Observation, Topic, question
from shelfread.index.line_style import (
    gaps,
    observe_description_style,
    observe_label_order,
    observe_labels,
    sections_with_entries,
)
from shelfread.index.paper_style import observe_author_style, observe_title_end, observe_venue_style
from shelfread.markdown.node import Link

ARXIV_LINK: Final = Topic("arxiv-link")
PUBLISHER_LINK: Final = Topic("publisher-link")

_KINDS = ("abs/", "pdf/")
_PDF = lazy(r"pdf|download|fulltext|full text", re.IGNORECASE)
PUBLISHER = lazy(
    r"https?://(?:link\.springer\.com/(?:chapter|article|book)|(?:[\w-]+\.)?onlinelibrary\.wiley\.com/doi(?:/abs|/full)?)"
    r"/(?P<doi>10\.\d{4,9}(?:/|%2F)[^?#]+)$",
    re.IGNORECASE,
)
GAP: Final = Topic("gap")
VENUE_NAME: Final = Topic("venue-name")
ACM_LINK: Final = Topic("acm-link")
SECTION: Final = Topic("section")

_ACM = lazy(r"https?://(?:www\.)?(doi\.org/|dl\.acm\.org/doi/(?:\w+/)?)(?=10\.1145/)", re.IGNORECASE)


def arxiv_form(url: str) -> str | None:
    """Return `abs` for the URL of a paper's page at arXiv, `pdf` or `.pdf` (with the suffix) for a PDF, else None."""
    host, found, path = url.partition("arxiv.org/")
    kind = path[:4].lower()
    if (
        not found
        or kind not in _KINDS
        or host[-4:] not in ("s://", "p://", "www.")
        or "?" in path
        or "#" in path
    ):
        return None
    return ".pdf" if path.endswith(".pdf") else kind[:3]


def arxiv_papers(entry: Entry) -> Iterator[tuple[Link, str]]:
    """Yield an entry's link to its paper at arXiv with its form, if it is the only one and not labelled PDF."""
    paper: tuple[Link, str] | None = None
    for label, role, link in entry.links:
        if role is None or role.id != "paper" or (form := arxiv_form(link.url)) is None:
            continue
        if paper is not None or (len(label) <= 40 and _PDF.search(label)):
            return
        paper = link, form
    if paper is not None:
        yield paper


def observe_arxiv_links(entry: Entry, text: str) -> Iterator[Observation]:
    if "arxiv" in entry.identifiers:
        for _, form in arxiv_papers(entry):
            yield question(ARXIV_LINK), form


def observe_link_hosts(document: Document) -> Iterator[Observation]:
    """Yield whether publishers' papers are linked by DOI."""
    for link in document.links:
        url = link.url
        if "doi" in url or "springer" in url:
            if "//doi.org/10." in url:
                yield question(PUBLISHER_LINK), "doi"
            elif PUBLISHER.match(url):
                yield question(PUBLISHER_LINK), "page"


def observe(document: Document) -> Counter[Observation]:
    """Return the observations of a document, each with its count."""
    text = document.source.text
    observations: list[Observation] = []
    for entry in document.entries:
        for observe_entry in _PAPER_OBSERVERS if entry.kind == "paper" else _CLASSIC_OBSERVERS:
            observations.extend(observe_entry(entry, text))
    for observe_document in _DOCUMENT_OBSERVERS:
        observations.extend(observe_document(document))
    return Counter(observations)


def acm_form(url: str) -> str | None:
    """Return the URL of a paper of ACM up to its DOI; None for other papers, and for 10.5555."""
    match = _ACM.match(url) if "10.1145/" in url else None
    return f"https://{match[1].lower()}" if match else None


def _observe_gaps(entry: Entry, text: str) -> Iterator[Observation]:
    for kind, form, _ in gaps(entry, text):
        yield question(GAP, kind), form


def _observe_venue_names(entry: Entry, text: str) -> Iterator[Observation]:
    cited = entry.citation
    if cited is not None and cited.venue is not None and cited.name is not None:
        yield question(VENUE_NAME, cited.venue.id), cited.name.value


def _observe_acm_links(document: Document) -> Iterator[Observation]:
    for link in document.links:
        if (form := acm_form(link.url)) is not None:
            yield question(ACM_LINK), form


def _observe_section_titles(document: Document) -> Iterator[Observation]:
    for index in sections_with_entries(document):
        yield question(SECTION), document.sections[index].title


_EntryObserver: TypeAlias = Callable[[Entry, str], Iterator[Observation]]
_COMMON = (_observe_gaps, observe_label_order, observe_arxiv_links)
_CLASSIC_OBSERVERS: tuple[_EntryObserver, ...] = (*_COMMON, observe_description_style)
_PAPER_OBSERVERS: tuple[_EntryObserver, ...] = (
    *_COMMON, _observe_venue_names, observe_venue_style, observe_title_end, observe_author_style
)  # fmt: skip
_DOCUMENT_OBSERVERS: tuple[Callable[[Document], Iterator[Observation]], ...] = (
    observe_labels, _observe_acm_links, _observe_section_titles, observe_link_hosts
)  # fmt: skip
