"""What a change did to entries, in words that all forms of the report share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from shelfread.changes.model import Comparison, FieldChange, ListedEntry, Pair, SectionChange, SectionPath
from shelfread.changes.review import Review

_TOGETHER = 4
"""From so many on, entries that went the same way are told of together."""
_SINGULAR = {"notes": "note", "links": "link", "venue_text": "venue"}


class Route(NamedTuple):
    """Entries that went from one section to another."""

    source: SectionPath
    target: SectionPath
    pairs: list[Pair]


def headline(review: Review) -> str:
    """How much of each: `2 entries added, 1 moved; 1 section renamed`."""
    comparison = review.comparison
    counts = comparison.counts
    parts = [f"{count:,} {verb}" for verb, count in counts.items() if count]
    if parts:
        number, _, verb = parts[0].partition(" ")
        parts[0] = f"{number} {'entry' if number == '1' else 'entries'} {verb}"
    words = [", ".join(parts)] if parts else []
    kinds: dict[tuple[str, str], int] = {}
    for one in comparison.sections:
        key = kind_of(one), one.kind
        kinds[key] = kinds.get(key, 0) + 1
    for (kind, verb), count in sorted(kinds.items()):
        words.append(f"{count:,} {kind if count == 1 else kind + 's'} {verb}")
    moved = sum(one.entries for one in comparison.reordered)
    if moved:
        words.append(f"{moved:,} in another order")
    if words:
        return "; ".join(words)
    count = len(review.files)
    files = f", though {count:,} {'file differs' if count == 1 else 'files differ'}" if count else ""
    return f"No entry is other than before{files}"


def revisions(review: Review) -> tuple[str, str]:
    """Both states as people say them, with their commits."""
    first, last = (
        one.name
        if one.commit is None or one.commit.startswith(one.name)
        else f"{one.name} ({one.commit[:7]})"
        for one in (review.base, review.head)
    )
    return first, last


def kind_of(one: SectionChange) -> str:
    """Whether a file or a section has changed."""
    shelf = one.after or one.before
    return "section" if shelf is not None and shelf.titles else "file"


def told(shelves: Iterable[SectionChange]) -> Iterator[SectionChange]:
    """Without the sections of a section, or a file, that came or went whole."""
    shelves = list(shelves)
    whole = {(one.kind, one.after or one.before) for one in shelves if one.kind in ("added", "removed")}
    for one in shelves:
        shelf = one.after or one.before
        if shelf is None or not shelf.titles or (one.kind, shelf.parent) not in whole:
            yield one


def section_name(shelf: SectionPath, comparison: Comparison, mark: str = " > ") -> str:
    """A section by the titles from the top, without that of the list."""
    titles = shelf.titles
    if len(titles) > 1 and SectionPath(shelf.path, titles[:1]) in comparison.titles:
        titles = titles[1:]
    return mark.join(titles)


def routes(pairs: Iterable[Pair]) -> tuple[list[Route], list[Pair]]:
    """Many entries that went the same way, and the others one by one."""
    found: dict[tuple[SectionPath, SectionPath], list[Pair]] = {}
    for pair in pairs:
        found.setdefault((pair.before.section, pair.after.section), []).append(pair)
    together = [Route(*way, pairs) for way, pairs in found.items() if len(pairs) >= _TOGETHER]
    return together, [pair for pairs in found.values() if len(pairs) < _TOGETHER for pair in pairs]


def cited(one: ListedEntry) -> str:
    """The venue, else the year, that an entry itself states."""
    entry = one.entry
    if entry.citation is not None:
        return entry.citation.text
    return str(entry.year) if entry.year is not None and not entry.year_of_id else ""


def field_name(change: FieldChange) -> str:
    """What a field is called in a sentence."""
    name = _SINGULAR.get(change.field, change.field)
    return name.removeprefix("identifiers.")


def value(field: str, of: Any) -> str:
    """A field's value as words; a link's is its address."""
    if of is None:
        return ""
    if isinstance(of, Mapping):
        return str(of["url"])
    return ", ".join(of) if isinstance(of, list) else str(of)
