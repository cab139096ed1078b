"""The audit of each series after reading: which fields does it miss everywhere, and is it misread as a whole?

Lists that are misread are so as a whole, and visibly: the two readings disagree on the same field in most lines, or on the
titles of many, or the titles repeat each other.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from shelfread.document.entry_data import MAY_BE_UNCERTAIN
from shelfread.document.model import Entry, MisreadSeries, Section

_MIN_ENTRIES = 12  # fewer entries of a section and form are judged with those of other sections
_REPEATED = 3  # titles of which two others are the same are labels, headers of columns, or parts of entries
# If so many titles are uncertain, it is unknown where titles lie, and then where all else does.
_TITLES = 2 / 5
# If so many entries have a field uncertain, it is so in the place where the others have it, too.
_MOST = 1 / 2


def audit_series(
    entries: list[Entry], sections: Sequence[Section]
) -> tuple[list[Entry], tuple[MisreadSeries, ...]]:
    """Return entries with the fields that their series makes uncertain, and the series that are misread as a whole."""
    audited = list(entries)
    misread: list[MisreadSeries] = []
    for section, series in _series(entries):
        if len(series) < _MIN_ENTRIES:
            continue
        for index in _repeated(audited, series):
            audited[index] = _doubted(audited[index], ("title", "name"))
        counts = Counter(field for index in series for field in audited[index].uncertain)
        doubted = [field for field, count in counts.items() if count >= _MOST * len(series)]
        is_misread = counts["title"] >= _TITLES * len(series)
        if is_misread:
            title = sections[section].title if section is not None else ""
            misread.append(MisreadSeries(title, tuple(series)))
        for index in series if is_misread or doubted else ():
            audited[index] = _doubted(audited[index], doubted)
            if is_misread:
                stated = [field for field in MAY_BE_UNCERTAIN if _states(audited[index], field)]
                audited[index] = _doubted(audited[index], stated)
    return audited, tuple(misread)


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


def _repeated(entries: Sequence[Entry], series: Iterable[int]) -> Iterator[int]:
    """Yield the entries whose title is that of two others, by index."""
    # A list may have one thing in several sections, and a meeting each year.
    titles: defaultdict[tuple[int | None, int | None, str], list[int]] = defaultdict(list)
    for index in series:
        entry = entries[index]
        titles[entry.section, entry.year, entry.title.value.casefold()].append(index)
    for same in titles.values():
        if len(same) >= _REPEATED:
            yield from same


def _doubted(entry: Entry, fields: Iterable[str]) -> Entry:
    return entry._replace(uncertain=entry.uncertain.union(fields))


def _states(entry: Entry, field: str) -> bool:
    return bool(entry.citation if field == "venue" else getattr(entry, field))
