"""Where a list's papers are linked: arXiv's pages or PDFs, publishers' pages or their DOIs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from shelfread.core.support.regex import lazy
from shelfread.document.model import Document, Entry
from shelfread.index.conventions.question import Observation, Question, Topic
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
    """Whether an address of arXiv is a paper's page (`abs`) or its PDF (`pdf`, `.pdf` with the ending)."""
    host, found, path = url.partition("arxiv.org/")
    kind = path[:4].lower()
    if not found or kind not in _KINDS or host[-4:] not in ("s://", "p://", "www."):
        return None
    if "?" in path or "#" in path:
        return None
    return ".pdf" if path.endswith(".pdf") else kind[:3]


def arxiv_papers(entry: Entry) -> Iterator[tuple[Link, str]]:
    """An entry's link to its paper at arXiv, and its form: where the entry has the one link, not labelled PDF."""
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
    """How an entry links its paper at arXiv."""
    if "arxiv" in entry.identifiers:
        for _, form in arxiv_papers(entry):
            yield Observation(Question(ARXIV_LINK), form)


def observe_link_hosts(document: Document) -> Iterator[Observation]:
    """By which name arXiv is addressed, and whether publishers' papers are by their DOI."""
    for link in document.links:
        url = link.url
        if "arxiv.org/" in url:
            host = url.partition("://")[2].partition("/")[0].lower()
            if host in ("arxiv.org", "www.arxiv.org"):
                yield Observation(Question(ARXIV_HOST), host)
        elif "doi" in url or "springer" in url:
            if "//doi.org/10." in url:
                yield Observation(Question(PUBLISHER_LINK), "doi")
            elif PUBLISHER.match(url):
                yield Observation(Question(PUBLISHER_LINK), "page")
