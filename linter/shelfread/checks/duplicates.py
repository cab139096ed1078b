"""Things listed twice."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.diagnostic import Place, Severity
from shelfread.document.model import Document
from shelfread.survey.facts import Listing
from shelfread.survey.repeats import alike, same_name
from shelfread.survey.survey import Survey

_LONG_TITLE = 5
"""So many blanks."""


def duplicate(document: Document, survey: Survey) -> Iterator[Place]:
    """Entries that the project lists before; under another heading, or by design, it is for information."""
    path = document.source.path or ""
    listings: dict[int, Listing] | None = None
    for index, repeat in survey.repeats(path).items():
        if listings is None:
            listings = {listing.entry: listing for _, listing in survey.facts[path].identities}
        entry, other, title = document.entries[index], repeat.other, listings[index].title
        under = ""
        if entry.kind == "classic":
            if not same_name(title, other.title, repeat.key):
                continue
        elif repeat.key.startswith("title:"):
            # Short titles recur: the same workshop in another year.
            if title.count(" ") < _LONG_TITLE and listings[index].text != other.text:
                continue
        elif not alike(title, other.title):
            under = ", under another title"
        where = f"{other.path}:{other.line}" if other.path else f"line {other.line}"
        severity = Severity.WARNING if repeat.near and not repeat.design else Severity.INFO
        yield Place(entry.title.span, {"where": where, "under": under}, severity=severity)
