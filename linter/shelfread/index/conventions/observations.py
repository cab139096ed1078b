"""What a file does how often: the observations that conventions are learned from.

Each observation is a question and the form that answers it (how is `github` spelt: `GitHub`). `conventions.py`
counts them over all files of a project, and `majority.py` says when a count is a convention.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from shelfread.core.support.regex import lazy
from shelfread.document.model import Document, Entry
from shelfread.index.conventions.author_style import credit_forms
from shelfread.index.conventions.description_style import phrases
from shelfread.index.conventions.label_order import label_orders
from shelfread.index.conventions.link_host import hosts, papers_at_arxiv
from shelfread.index.conventions.question import Observation, Question, Topic
from shelfread.index.conventions.title_end import endings
from shelfread.index.conventions.title_line import gaps, labels_of, listing
from shelfread.index.conventions.venue_style import venue_forms

LABEL: Final = Topic("label")
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
        for read in _OF_PAPERS if entry.kind == "paper" else _OF_CLASSIC:
            found.extend(read(entry, text))
    for look in _OF_DOCUMENTS:
        found.extend(look(document))
    return Counter(found)


def _labels(entry: Entry, text: str) -> Iterator[Observation]:
    """How a label is written."""
    for link in labels_of(entry, text):
        yield Observation(Question(LABEL, link.label.casefold()), link.label)


def _gaps(entry: Entry, text: str) -> Iterator[Observation]:
    """What stands between two parts, among those with the same marks."""
    for kind, form, _ in gaps(entry, text):
        yield Observation(Question(GAP, kind), form)


def _venues(entry: Entry, text: str) -> Iterator[Observation]:
    """By which of its names a venue is named."""
    cited = entry.citation
    if cited is not None and cited.venue is not None and cited.name is not None:
        yield Observation(Question(VENUE_NAME, cited.venue.id), cited.name.value)


def acm_form(url: str) -> str | None:
    """How an address of one of ACM's papers begins, up to its DOI; None for others and for 10.5555."""
    match = _ACM.match(url) if "10.1145/" in url else None
    return f"https://{match[1].lower()}" if match else None


def _acm(document: Document) -> Iterator[Observation]:
    """How ACM's papers are addressed."""
    for link in document.links:
        if (form := acm_form(link.url)) is not None:
            yield Observation(Question(ACM_LINK), form)


def _sections(document: Document) -> Iterator[Observation]:
    """Which titles the sections have that hold entries, and those above them."""
    for index in listing(document):
        yield Observation(Question(SECTION), document.sections[index].title)


_Reader: TypeAlias = Callable[[Entry, str], Iterator[Observation]]
_OF_PAPERS: tuple[_Reader, ...] = (
    _labels,
    _gaps,
    _venues,
    label_orders,
    papers_at_arxiv,
    venue_forms,
    endings,
    credit_forms,
)
_OF_CLASSIC: tuple[_Reader, ...] = (_labels, _gaps, label_orders, papers_at_arxiv, phrases)
_OF_DOCUMENTS: tuple[Callable[[Document], Iterator[Observation]], ...] = (_acm, _sections, hosts)
