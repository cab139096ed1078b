"""Observes a file: each observation is a question and the form that answers it (`github` is spelt `GitHub`).

`conventions.py` counts observations over all files of a project, `majority.py` says when a count is a convention.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from shelfread.core.support.regex import lazy
from shelfread.document.model import Document, Entry
from shelfread.index.conventions.author_style import observe_author_style
from shelfread.index.conventions.description_style import observe_description_style
from shelfread.index.conventions.label_order import observe_label_order
from shelfread.index.conventions.label_spelling import observe_labels
from shelfread.index.conventions.link_host import observe_arxiv_links, observe_link_hosts
from shelfread.index.conventions.question import Observation, Topic, question
from shelfread.index.conventions.title_end import observe_title_end
from shelfread.index.conventions.title_line import gaps, sections_with_entries
from shelfread.index.conventions.venue_style import observe_venue_style

GAP: Final = Topic("gap")
VENUE_NAME: Final = Topic("venue-name")
ACM_LINK: Final = Topic("acm-link")
SECTION: Final = Topic("section")

_ACM = lazy(r"https?://(?:www\.)?(doi\.org/|dl\.acm\.org/doi/(?:\w+/)?)(?=10\.1145/)", re.IGNORECASE)


def observe(document: Document) -> Counter[Observation]:
    """Return the observations of a document, each with its count."""
    text = document.source.text
    found: list[Observation] = []
    for entry in document.entries:
        for observe_entry in _PAPER_OBSERVERS if entry.kind == "paper" else _CLASSIC_OBSERVERS:
            found.extend(observe_entry(entry, text))
    for observe_document in _DOCUMENT_OBSERVERS:
        found.extend(observe_document(document))
    return Counter(found)


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
