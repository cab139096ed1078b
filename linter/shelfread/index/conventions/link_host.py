"""Where papers are linked: arXiv's abstract pages or PDFs, publishers' pages or DOIs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from shelfread.core.support.regex import lazy
from shelfread.document.model import Document, Entry
from shelfread.index.conventions.question import Observation, Topic, question
from shelfread.markdown.node import Link

ARXIV_LINK: Final = Topic("arxiv-link")
ARXIV_HOST: Final = Topic("arxiv-host")
PUBLISHER_LINK: Final = Topic("publisher-link")

_KINDS = ("abs/", "pdf/")
_PDF = lazy(r"pdf|download|fulltext|full text", re.IGNORECASE)
PUBLISHER = lazy(
    r"https?://(?:link\.springer\.com/(?:chapter|article|book)|(?:[\w-]+\.)?onlinelibrary\.wiley\.com/doi(?:/abs|/full)?)"
    r"/(?P<doi>10\.\d{4,9}(?:/|%2F)[^?#]+)$",
    re.IGNORECASE,
)


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
    found: tuple[Link, str] | None = None
    for label, role, link in entry.links:
        if role is None or role.id != "paper" or (form := arxiv_form(link.url)) is None:
            continue
        if found is not None or (len(label) <= 40 and _PDF.search(label)):
            return
        found = link, form
    if found is not None:
        yield found


def observe_arxiv_links(entry: Entry, text: str) -> Iterator[Observation]:
    if "arxiv" in entry.identifiers:
        for _, form in arxiv_papers(entry):
            yield question(ARXIV_LINK), form


def observe_link_hosts(document: Document) -> Iterator[Observation]:
    """Yield the host of each link to arXiv, and whether publishers' papers are linked by DOI."""
    for link in document.links:
        url = link.url
        if "arxiv.org/" in url:
            host = url.partition("://")[2].partition("/")[0].lower()
            if host in ("arxiv.org", "www.arxiv.org"):
                yield question(ARXIV_HOST), host
        elif "doi" in url or "springer" in url:
            if "//doi.org/10." in url:
                yield question(PUBLISHER_LINK), "doi"
            elif PUBLISHER.match(url):
                yield question(PUBLISHER_LINK), "page"
