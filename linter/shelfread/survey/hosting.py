"""Where a list's papers are linked: arXiv's pages or PDFs, publishers' pages or their DOIs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shelfread.document.model import Document, Entry
from shelfread.pattern import lazy
from shelfread.syntax.node import Link

_FORM = re.compile(r"https?://(?:www\.)?arxiv\.org/(abs|pdf)/[^?#]*?(\.pdf)?$", re.IGNORECASE)
_PDF = lazy(r"pdf|download|fulltext|full text", re.IGNORECASE)
PUBLISHER = lazy(
    r"https?://(?:link\.springer\.com/(?:chapter|article|book)|(?:[\w-]+\.)?onlinelibrary\.wiley\.com/doi(?:/abs|/full)?)"
    r"/(?P<doi>10\.\d{4,9}(?:/|%2F)[^?#]+)$",
    re.IGNORECASE,
)


def arxiv_form(url: str) -> str | None:
    """Whether an address of arXiv is a paper's page (`abs`) or its PDF (`pdf`, `.pdf` with the ending)."""
    match = _FORM.match(url) if "arxiv.org/" in url else None
    return None if match is None else match[2] or match[1].lower()


def arxiv_papers(entry: Entry) -> Iterator[tuple[Link, str]]:
    """An entry's link to its paper at arXiv, and its form: where the entry has the one link, not labelled PDF."""
    found = [
        (one, form)
        for one in entry.links
        if one.role is not None and one.role.id == "paper" and (form := arxiv_form(one.link.url)) is not None
    ]
    if len(found) == 1 and (len(found[0][0].label) > 40 or not _PDF.search(found[0][0].label)):
        yield found[0][0].link, found[0][1]


def papers_at_arxiv(entry: Entry, text: str) -> Iterator[tuple[str, str]]:
    """How an entry links its paper at arXiv."""
    if "arxiv" in entry.identifiers:
        for _, form in arxiv_papers(entry):
            yield "arxiv", form


def hosts(document: Document) -> Iterator[tuple[str, str]]:
    """By which name arXiv is addressed, and whether publishers' papers are by their DOI."""
    for link in document.links:
        url = link.url
        if "arxiv.org/" in url:
            host = url.partition("://")[2].partition("/")[0].lower()
            if host in ("arxiv.org", "www.arxiv.org"):
                yield "arxiv host", host
        elif "doi" in url or "springer" in url:
            if "//doi.org/10." in url:
                yield "publisher", "doi"
            elif PUBLISHER.match(url):
                yield "publisher", "page"
