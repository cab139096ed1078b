"""What an entry says of where its paper was published: what two listings of one paper are to agree on."""

from __future__ import annotations

import re
from typing import NamedTuple

from shelfread.core.support.regex import lazy
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
_AROUND = 20


class Publication(NamedTuple):
    """A venue as an entry states it, or a heading above it for all that is below."""

    venue: str
    """The vocabulary's id."""
    kind: str
    """The venue's kind; `minor` is a poster, a workshop at a conference."""
    name: str
    """As printed."""
    year: int | None
    text: str
    """Venue and year as printed."""
    from_heading: bool = False
    """A heading states it, which may speak of less than all that is below."""


def entry_publication(entry: Entry, heading: Publication | None, text: str) -> Publication | None:
    """What an entry of the kind paper states, else the heading above it."""
    cited = entry.citation
    if cited is None or cited.venue is None:
        return heading if cited is None else None
    start, end = cited.span
    if _PROSE.match(text, end):
        return None  # of another: `applies the ICLR 2017 paper`
    return _stated(cited, text[max(0, start - _AROUND) : end + _AROUND])


def heading_publication(document: Document, section: int) -> Publication | None:
    """What the nearest heading that is a venue states; the headings above a section count as well."""
    at: int | None = section
    while at is not None:
        above = document.sections[at]
        if above.citation is not None and above.citation.venue is not None:
            return _stated(above.citation, above.title)._replace(from_heading=True)
        at = above.parent
    return None


def _speaks_of_less(around: str) -> bool:
    """Whether what stands around a venue tells a lesser one: the words by themselves are found faster."""
    lower = around.lower()
    return any(hint in lower for hint in _MINOR_HINTS) and _MINOR.search(around) is not None


def _stated(cited: Citation, around: str) -> Publication:
    assert cited.venue is not None
    kind = cited.venue.kind
    if kind == "conference" and _speaks_of_less(around):
        kind = "minor"
    name = cited.name.value if cited.name is not None else cited.venue.label
    return Publication(cited.venue.id, kind, name, cited.year, cited.text)
