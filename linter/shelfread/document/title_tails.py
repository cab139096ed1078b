"""Venues that nobody knows at the end of titles, in the place of known ones: `Tidy Shelves (TOPS)`, `Tidy Doors (ICML)`."""

from __future__ import annotations

from collections import Counter

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.document.entry.prefix import names_nothing
from shelfread.document.line_places import has_known_venue
from shelfread.document.model import Citation, Entry, Field
from shelfread.document.recognizers.unlisted_venues import is_acronym
from shelfread.document.recognizers.venues import abbreviates, only_cites

_TAIL = lazy(
    r"(?<=\w[\w\"”’'?!)])(?P<gap>\s\(|,\s)(?P<venue>[A-Z][\w&@/'’-]*(?:\s(?:[A-Z][\w&@/'’-]*|&|of|on|in|for|and)){0,5})\)?$"
)
# So many known venues stand behind titles in one place, and so large a share of what is there is known.
_MIN_KNOWN, _KNOWN = 3, 0.3


def read_tails(entries: list[Entry], source: str) -> list[Entry]:
    """Return entries with the ends of their titles as venues, where known venues stand so behind many others."""
    known = Counter(
        source[entry.title.span.end : entry.citation.span.start]
        for entry in entries
        if entry.citation is not None
        and has_known_venue(entry)
        and entry.citation.span.start - entry.title.span.end == len(" (")
    )
    if max(known.values(), default=0) < _MIN_KNOWN:
        return entries
    read = {
        index: found
        for index, entry in enumerate(entries)
        if entry.kind == "paper" and entry.citation is None and (found := _without_tail(entry, source))
    }
    gaps = Counter(gap for gap, _ in read.values())
    chosen = {gap for gap, count in known.items() if count >= max(_MIN_KNOWN, _KNOWN * (count + gaps[gap]))}
    return [
        read[index][1] if index in read and read[index][0] in chosen else entry
        for index, entry in enumerate(entries)
    ]


def _without_tail(entry: Entry, source: str) -> tuple[str, Entry] | None:
    """Return an entry with the end of its title as its venue, and what stands between the two."""
    value, (start, end) = entry.title.value, entry.title.span
    tail = _TAIL.search(value, max(len(value) - 60, 0))
    if tail is None or source[start:end] != value or (tail["gap"] == " (") != value.endswith(")"):
        return None
    venue, before = tail["venue"], value[: tail.start()]
    is_one = tail["gap"] == " (" or is_acronym(venue)  # behind a comma, a title goes on
    if not is_one or len(before.split()) < 3 or only_cites(venue) or names_nothing(venue):
        return None
    if abbreviates(venue, before):
        return None
    name = Field(venue, Span(start + tail.start("venue"), start + tail.end("venue")))
    citation = Citation(venue, name.span, None, None, name)
    title = Field(before, Span(start, start + tail.start()))
    return tail["gap"], entry._replace(
        title=title, citation=citation, guessed=entry.guessed | {"title", "venue"}
    )
