"""How entries write a venue with its year: `OSDI 2020`, `OSDI'20`, `[OSDI20]`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shelfread.core.diagnostics import Span
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.core.support.regex import lazy
from shelfread.document.model import Entry
from shelfread.index.conventions.question import Observation, Topic, question

VENUE_FORM: Final = Topic("venue-form")

_YEAR = lazy(r"([ \t]{0,3}[,'’‘`´.:(/_-]?[ \t]{0,3})((?:19|20)?\d\d)(?!\d)")
_OPENED = lazy(r"([(（[【])(?:[A-Z][\w&/-]*[ \t]+){0,2}\Z")  # `[`, `[IEEE `
_LONGEST_LEAD = 24
_OPENING = {"(": " (", "（": " (", "[": " [", "【": " ["}


class VenueForm(NamedTuple):
    """The text between a venue and its year, and the number of the year's digits: `'20`, ` 2020`."""

    group: str
    """What is compared with each other: the kind of the name, and the bracket before it."""
    gap: str
    digits: int
    span: Span
    """From the end of the venue's name to that of the year."""

    @property
    def text(self) -> str:
        return self.gap + "Y" * self.digits


def find_venue_form(entry: Entry, text: str) -> VenueForm | None:
    """Return the form of an entry's citation; None unless a known venue is followed by its year and nothing else."""
    cited = entry.citation
    if cited is None or cited.venue is None or cited.name is None or cited.year is None:
        return None
    name, (start, end) = cited.name.value, cited.name.span
    last = cited.span.end
    match = _YEAR.match(text, end, last) if text[start:end] == name else None
    if match is None or match.end() != last or int(match[2]) % 100 != cited.year % 100:
        return None
    if text[max(0, start - 2) : start] == "& ":
        return None  # a second venue, in a form of its own: `ICCVW, 2019 (& TPAMI 2020)`
    kind = "preprint" if cited.venue.kind == "preprint" else "words" if " " in name else "name"
    opening = _OPENED.search(text, max(0, start - _LONGEST_LEAD), start)
    bracket = _OPENING[opening[1]] if opening is not None else ""
    return VenueForm(f"{kind}{bracket}", match[1], len(match[2]), Span(end, last))


def observe_venue_style(entry: Entry, text: str) -> Iterator[Observation]:
    if entry.kind == "paper" and (form := find_venue_form(entry, text)) is not None:
        yield question(VENUE_FORM, form.group), form.text
