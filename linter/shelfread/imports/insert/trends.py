"""Where a new entry belongs in a list that is mostly, not strictly, from old to new or from new to old."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from shelfread.core.support.named_tuple import NamedTuple
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document, Entry
from shelfread.imports.insert.places import all_runs
from shelfread.index.order.moves import Move

_ARXIV_MONTH = lazy(r"(\d\d)(0[1-9]|1[0-2])\.\d{4,5}$")
_LEAST_PAIRS = 3
"""Pairs of different years that show a trend in one list; a list with fewer follows the whole file."""
_MANY_PAIRS = 15
"""Fewer pairs show a trend only if none of them is out of order."""
_CLEAR = 4
"""As many pairs in order for one that is not."""


class _Date(NamedTuple):
    """A year, and the month of a preprint of that year; 0 if it is not known."""

    year: int
    month: int

    def compare(self, other: _Date) -> int:
        """Return 1 if this date is the later one, -1 if the other is, 0 if they are not known to differ."""
        if self.year == other.year and not (self.month and other.month):
            return 0
        return (self > other) - (self < other)


class _Pairs(NamedTuple):
    """Of how many pairs of entries the lower one is later, and of how many the upper one."""

    rising: int
    falling: int

    def direction(self) -> int:
        """Return 1 for oldest first, -1 for newest first, 0 for neither."""
        total, fewer = sum(self), min(self)
        if total < _LEAST_PAIRS or fewer * (_CLEAR + 1) > total or (fewer and total < _MANY_PAIRS):
            return 0
        return 1 if self.rising > self.falling else -1


class Trends:
    """The directions in which the lists of a file go through the years."""

    def __init__(self, document: Document) -> None:
        found = [_pairs([date.year for entry in run if (date := _date(entry))]) for run in all_runs(document)]
        self.of_file = _Pairs(
            sum(rising for rising, _ in found), sum(falling for _, falling in found)
        ).direction()

    def moves(self, run: Sequence[Entry], new: Collection[int]) -> list[Move]:
        """Return the moves of the new entries of a list, given by their indexes; none if it has no trend."""
        dates = [_date(entry) for entry in run]
        staying = [index for index in range(len(run)) if index not in new]
        years = _pairs([date.year for index in staying if (date := dates[index])])
        direction = years.direction()
        if not direction and not (years.rising and years.falling) and sum(years) < _MANY_PAIRS:
            direction = self.of_file if sum(years) < _LEAST_PAIRS else 0
            direction = 0 if (years.falling if direction > 0 else years.rising) else direction
        if not direction:
            return []
        months = (
            direction == _pairs_of_months([date for index in staying if (date := dates[index])]).direction()
        )
        known = {
            index: date if months else date._replace(month=0) for index, date in enumerate(dates) if date
        }
        stay = [known.get(index) for index in staying]
        places = {
            date: _place(date, stay, direction) for date in {known[index] for index in new if index in known}
        }
        found: list[Move] = []
        for index in sorted(
            (index for index in new if index in known), key=lambda index: (known[index], index)
        ):
            place = places[known[index]]
            if place < len(staying):
                found.append(Move(index, staying[place - 1] if place else None, staying[place]))
        return found if direction > 0 else sorted(found, key=lambda move: known[move.place], reverse=True)


def _date(entry: Entry) -> _Date | None:
    if entry.year is None:
        return None
    match = _ARXIV_MONTH.match(entry.identifiers.get("arxiv", ""))
    return _Date(entry.year, int(match[2]) if match and int(match[1]) == entry.year % 100 else 0)


def _pairs(values: Sequence[int]) -> _Pairs:
    """Count the pairs of different values; linear for few different ones."""
    above: Counter[int] = Counter()
    rising = falling = 0
    for value in values:
        lower = sum(count for other, count in above.items() if other < value)
        rising += lower
        falling += above.total() - lower - above[value]
        above[value] += 1
    return _Pairs(rising, falling)


def _pairs_of_months(dates: Sequence[_Date]) -> _Pairs:
    """Count the pairs of different months of the same year."""
    years: dict[int, list[int]] = {}
    for date in dates:
        if date.month:
            years.setdefault(date.year, []).append(date.month)
    found = [_pairs(months) for months in years.values()]
    return _Pairs(sum(rising for rising, _ in found), sum(falling for _, falling in found))


def _place(date: _Date, staying: Sequence[_Date | None], direction: int) -> int:
    """Return the index before which the fewest entries are out of order with a date: below equals if oldest are first, else above."""
    wrong = [direction * date.compare(other) if other is not None else 0 for other in staying]
    cost = best = sum(side > 0 for side in wrong)  # at the top, all that belong above are below
    place = 0
    for index, side in enumerate(wrong, start=1):
        cost -= side  # passed: one that belongs above is right now, one that belongs below is wrong
        if cost < best or (cost == best and direction > 0):
            best, place = cost, index
    return place
