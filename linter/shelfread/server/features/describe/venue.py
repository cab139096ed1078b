"""What the vocabulary knows of a venue."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.report.markdown_escape import code, escape
from shelfread.taxonomy.vocabulary import Venue, Vocabulary, Years

_MOST_ALIASES = 15


def describe_venue(venue: Venue, vocabulary: Vocabulary) -> str:
    """Return a venue's names, its kind and its years as Markdown."""
    name = f": {escape(venue.name)}" if venue.name and venue.name != venue.label else ""
    facts = "\n".join(f"- {fact}" for fact in _facts(venue, vocabulary))
    return f"**{escape(venue.label)}**{name}\n\n{facts}"


def _facts(venue: Venue, vocabulary: Vocabulary) -> Iterator[str]:
    yield f"Kind: {venue.kind}"
    aliases = [label for label in venue.labels if label not in (venue.label, venue.name)]
    if aliases:
        more = len(aliases) - _MOST_ALIASES
        shown = ", ".join(map(escape, aliases[:_MOST_ALIASES]))
        yield f"Also: {shown}" + (f" and {more} more" if more > 0 else "")
    for former in venue.names:
        yield f"Called {escape(former.label)}{_period(former.first, former.last)}"
    held = [_held(years) for years in venue.years if years != Years(None, None)]
    if held:
        yield f"Held {', '.join(held)}" + ("" if venue.confidence == "high" else " (not certain)")
    journal = vocabulary.venues.get(venue.published_in or "")
    if journal is not None:
        yield f"Published in {escape(journal.label)}"
    yield f"Id: {code(venue.id)}"


def _period(first: int | None, last: int | None) -> str:
    return (f" from {first}" if first else "") + (f" to {last}" if last else "")


def _held(years: Years) -> str:
    if years.first == years.last:
        return str(years.first)
    every = "every year" if years.step == 1 else f"every {years.step} years"
    return every + _period(years.first, years.last)
