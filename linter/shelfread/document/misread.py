"""The audit of each series after reading: is it misread as a whole?

Lists that are misread are so as a whole, and visibly: most titles are doubted, or repeat each other, or the same field is
missed in most lines.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence

from shelfread.document.model import Entry, MisreadSeries, Section

# What the share of a series says that has something against it. With a sum of 1 or more it is misread.
_WEIGHTS: Mapping[str, float] = {
    "title": 1.5,  # two of three titles uncertain: the reading has not found where they lie
    "venue": 1.2,  # in nearly all lines the same place is unread
    "year": 1.2,
    "authors": 0.9,  # people are missed more often than misread
    "name": 0.5,  # many a title begins with what may be a name or not
    "description": 0.5,  # what follows a name is prose of many forms
    "affiliations": 0.2,
    "repeated": 1.5,  # titles of which two others are the same: labels, headers of columns, parts of entries
}
_MIN_ENTRIES = 12
"""Fewer entries of a section and form are judged with those of other sections."""
_REPEATED = 3
_FIELDS = ("title", "name", "description", "venue", "year", "authors", "affiliations")


def audit_series(
    entries: list[Entry], sections: Sequence[Section]
) -> tuple[list[Entry], tuple[MisreadSeries, ...]]:
    """Return entries, of those that are misread as a whole all fields uncertain, and the series of these."""
    misread = tuple(
        MisreadSeries(sections[section].title if section is not None else "", tuple(series))
        for section, series in _series(entries)
        if len(series) >= _MIN_ENTRIES and _is_misread([entries[index] for index in series])
    )
    if misread:
        entries = list(entries)
        for index in (index for series in misread for index in series.entries):
            entry = entries[index]
            stated = frozenset(field for field in _FIELDS if _states(entry, field))
            entries[index] = entry._replace(uncertain=entry.uncertain | stated)
    return entries, misread


def _series(entries: Sequence[Entry]) -> Iterator[tuple[int | None, list[int]]]:
    """Yield the indexes of the entries of each section and form; those of small ones by their form alone."""
    groups: defaultdict[tuple[int | None, str], list[int]] = defaultdict(list)
    for index, entry in enumerate(entries):
        groups[entry.section, entry.dialect].append(index)
    small: defaultdict[str, list[int]] = defaultdict(list)
    for (section, form), series in groups.items():
        if len(series) >= _MIN_ENTRIES:
            yield section, series
        else:
            small[form] += series
    for series in small.values():
        yield None, series


def _is_misread(entries: Collection[Entry]) -> bool:
    against = Counter(field for entry in entries for field in entry.uncertain)
    # A list may have one thing in several sections, and a meeting each year.
    titles = Counter((entry.section, entry.year, entry.title.value.casefold()) for entry in entries)
    against["repeated"] = sum(count for count in titles.values() if count >= _REPEATED)
    return sum(_WEIGHTS[kind] * count for kind, count in against.items()) >= len(entries)


def _states(entry: Entry, field: str) -> bool:
    return bool(entry.citation if field == "venue" else getattr(entry, field))
