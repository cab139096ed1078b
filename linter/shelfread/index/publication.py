"""Where a paper was published, as its entry or the heading above it states."""

from __future__ import annotations

import re
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.core.spans import around
from shelfread.document.model import Citation, Document, Entry

_MINOR = lazy(
    r"workshop|\bws\b|@|poster|\bdemo\b|competition|challenge|tutorial|companion|adjunct|abstract|findings"
    r"|\bshort\b|doctoral|industry|student",
    re.IGNORECASE,
)
_MINOR_HINTS = (
    "workshop ws @ poster demo competition challenge tutorial companion adjunct abstract findings short doctoral "
    "industry student"
).split()
_PROSE = lazy(r"['’s]{0,2} (?:papers?|work|version|method)\b")
_CONTEXT = 20


class Publication(NamedTuple):
    """A venue and year as an entry states them, or the heading above it."""

    venue: str
    """The vocabulary's id."""
    kind: str
    """The venue's kind; `minor` for a poster or a workshop at a conference."""
    name: str
    """As printed."""
    year: int | None
    text: str
    """Venue and year as printed."""
    from_heading: bool = False
    """A heading states it, which may not hold for all entries below."""


def entry_publication(entry: Entry, heading: Publication | None, text: str) -> Publication | None:
    """Return where a paper was published, by its entry, else by the heading above it."""
    cited = entry.citation
    if cited is None:
        return heading
    start, end = cited.span
    if cited.venue is None or _PROSE.match(text, end) or _is_row_of_papers(entry):
        return None  # unknown, or another paper's venue: `applies the ICLR 2017 paper`
    return _publication(cited, around(text, start, end, _CONTEXT, _CONTEXT))


def _is_row_of_papers(entry: Entry) -> bool:
    """Return whether an entry is a word and several papers: `Conferences: [[ICML](u)] [[KDD](v)] [[WWW](w)]`."""
    papers = [label for label in entry.links if label.role is not None and label.role.id == "paper"]
    return len(papers) > 2 and " " not in entry.title.value


def heading_publication(document: Document, section: int) -> Publication | None:
    """Return the venue that the nearest heading states, from that of `section` (an index) upwards."""
    index: int | None = section
    while index is not None:
        heading = document.sections[index]
        if heading.citation is not None and heading.citation.venue is not None:
            return _publication(heading.citation, heading.title)._replace(from_heading=True)
        index = heading.parent
    return None


def _publication(cited: Citation, context: str) -> Publication:
    assert cited.venue is not None
    kind = cited.venue.kind
    if kind == "conference" and _is_minor(context):
        kind = "minor"
    name = cited.name.value if cited.name is not None else cited.venue.label
    return Publication(cited.venue.id, kind, name, cited.year, cited.text)


def _is_minor(context: str) -> bool:
    """Return whether the text around a venue names a lesser one."""
    lower = context.lower()  # words alone are found faster than the pattern
    return any(hint in lower for hint in _MINOR_HINTS) and _MINOR.search(context) is not None
