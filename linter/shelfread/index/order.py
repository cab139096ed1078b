"""Which entries of a run are in order: by name under the usual collations or by date, with the fewest exceptions."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from operator import gt, lt
from typing import NamedTuple

from shelfread.core.diagnostics import Span
from shelfread.core.differences import in_order
from shelfread.core.patterns import lazy
from shelfread.document.model import Entry
from shelfread.document.plain_text import SHORTCODE, plain_text

_MARKS = lazy(r"[\W_]+")
_ARTICLE = lazy(r"(?:the|an?) (?=.)")
_ACCENTS = lazy(r"[\u0300-\u036f]+")
_DIGITS = lazy(r"\d+")
_EMOJI = lazy(rf"\W{{0,3}}{SHORTCODE}\s{{0,3}}")
_NUMBERED = lazy(r"\W*\d+\b")
_LATIN_END = 0x250
_WIDTH = 12
_LONGEST = 48  # characters of a line that are compared

# As locales sort: `_` and `-`, then other punctuation, digits, letters.
_MARKS_FIRST = {ord(mark): 1 + index for index, mark in enumerate("_-,;:!?./`^~'\"()[]{}@$*\\&#%+<=>|")}
# As JavaScript's localeCompare sorts: blanks before all of these.
_BLANKS_FIRST = {**_MARKS_FIRST, ord(" "): 0}
# Letters that NFKD leaves as they are.
_BASE_LETTERS = str.maketrans(
    {"đ": "d", "ł": "l", "ø": "o", "ı": "i", "ħ": "h", "ŧ": "t", "æ": "ae", "œ": "oe"}
)


def is_latin(title: str) -> bool:
    """Return whether a title begins in Latin script or with a digit: other scripts are not sorted by code point."""
    first = next(filter(str.isalnum, title[:20]), None)
    return first is not None and ord(first) < _LATIN_END


def fold(title: str) -> str:
    """Return a title without case, accents and strokes."""
    if title.isascii():
        return title.lower()
    return _ACCENTS.sub("", unicodedata.normalize("NFKD", title.casefold())).translate(_BASE_LETTERS)


def plain_keys(titles: Sequence[str], lines: Sequence[Span], text: str) -> Iterator[list[str]]:
    """Yield sort keys of titles and `lines` of entries under the collations that people use, with and without punctuation."""
    folded = [fold(title) for title in titles]
    yield folded
    yield [_MARKS.sub(" ", title).strip() for title in folded]
    yield [title.translate(_MARKS_FIRST) for title in folded]
    yield [title.translate(_BLANKS_FIRST) for title in folded]
    yield [_MARKS.sub("", title) for title in folded]
    yield [_ARTICLE.sub("", title, count=1) for title in folded]  # `The Atlas` between `Ape` and `Bat`
    codes = [_MARKS.sub("", title) for title in folded]  # `CS 229`, `CS231n`, then `6.824`, `18-636`
    yield [("" if code[:1].isalpha() else "~") + _padded(code) for code in codes]
    if not all(map(str.isascii, titles)):
        yield [title.casefold() for title in titles]  # letters of their own: `cơ` after `core`
    starts = [fold(text[start : min(end, start + _LONGEST)]) for start, end in lines]
    yield [_MARKS.sub(" ", start).strip() for start in starts]
    yield [start.translate(_MARKS_FIRST) for start in starts]


def _padded(words: str) -> str:
    """Return words whose numbers compare by value."""
    return _DIGITS.sub(lambda match: match[0].zfill(_WIDTH), words)


def collations(titles: Sequence[str], lines: Sequence[Span], text: str) -> Iterator[list[str]]:
    """Yield sort keys of entries under each collation, the commonest first; `lines` are their lines in the text."""
    folded = [fold(title) for title in titles]
    yield folded
    words = [title if title.isalnum() else _MARKS.sub(" ", title).strip() for title in folded]
    yield words
    yield [word.replace(" ", "") for word in words]
    yield [_ARTICLE.sub("", word, count=1) if word[:1] in "at" else word for word in words]
    if any(map(_DIGITS.search, words)):
        yield [_padded(word) for word in words]
    yield [title.translate(_BLANKS_FIRST) for title in folded]
    yield [("0" if title[:1].isalpha() else "1" if title[:1].isalnum() else "2") + title for title in folded]
    yield list(titles)
    starts = [text[start : min(end, start + _LONGEST)] for start, end in lines]
    if sum(1 for start in starts if _NUMBERED.match(start)) * 10 > len(starts):
        return  # in the order of their numbers or dates
    words = [_MARKS.sub(" ", fold(start)).strip() for start in starts]
    if any(map(_EMOJI.match, starts)):
        # Names come before their emoji: `:free: [Foo](u)` among `:tada: [Bar](u)`.
        yield [_EMOJI.sub("", start, count=1).lower() for start in starts]
    yield words
    yield [word.replace(" ", "") for word in words]
    # A tool that sorts lines compares brackets and punctuation, too.
    yield [start.lower() for start in starts]
    yield [start.upper() for start in starts]
    yield [start.lower().translate(_MARKS_FIRST) for start in starts]
    yield starts


_DATE = lazy(r"[\W_]{0,6}((?:19|20)\d\d)[-./年](1[0-2]|0?[1-9])(?:[-./月](3[01]|[12]\d|0?[1-9]))?(?!\w)")
BY_NAME = "name"
_LEAST_YEARS = 3
_LEAST_OF_OTHER_YEARS = 8


class Order(NamedTuple):
    """Rising values of entries: `places` are indexes of the run's entries with a value, `kept` those of `places` in order."""

    by: str
    places: list[int]
    values: list[int]
    kept: list[int]

    @property
    def is_by_name(self) -> bool:
        return self.by == BY_NAME

    @property
    def is_by_year(self) -> bool:
        return self.by.startswith("year")

    @property
    def exceptions(self) -> int:
        return len(self.places) - len(self.kept)

    @property
    def misplaced(self) -> list[int]:
        """The indexes of the run's entries that are out of order."""
        kept = set(self.kept)
        return [place for number, place in enumerate(self.places) if number not in kept]

    def is_clear(self, divisor: int) -> bool:
        """Return whether at most one of `divisor` entries is out of order."""
        return self.exceptions * divisor <= len(self.places)


def by_name(
    run: Sequence[Entry], text: str, staying: Sequence[bool] | None = None, *, as_they_stay: bool = False
) -> Order | None:
    """Return the order by name under the collation with the fewest exceptions; None if the run is not sorted by name.

    With `as_they_stay` only the exceptions among the entries that stay count: the others are to be sorted in.

    `staying` says which entries stood in this order before: exceptions are others as far as possible. By default
    it is the last entry rather than one before it, as most are added at the end.
    """
    places = [place for place, entry in enumerate(run) if is_latin(entry.title.value)]
    titles = [run[place].title.value for place in places]
    total = len(places)
    again = total - len(set(titles))
    if total * 10 < len(run) * 9 or (again > 1 and again * 10 > total):
        return None
    lines = [run[place].title_line for place in places]
    stays = _staying(places, staying)
    best: tuple[list[int], list[int]] | None = None
    most = (0, 0)
    for keys in collations(titles, lines, text):
        turns = sum(map(gt, keys, keys[1:]))
        # A run that is sorted by another collation than the first is mostly in order under this one, too.
        if best is None and turns * 10 > total * 3 + 10:
            break
        # For each falling step at least one entry is out of order.
        if best is not None and staying is None and total - turns <= len(best[1]):
            continue
        values = ranks(keys) if turns else list(range(total))
        kept = in_order(values, stays) if turns else values
        more = sum(stays[number] for number in kept), 0 if as_they_stay else len(kept)
        if best is None or more > most:
            best, most = (values, kept), more
        if not turns or len(kept) * 5 < total * 3:
            break
    return Order(BY_NAME, places, *best) if best is not None else None


def _staying(places: Sequence[int], staying: Sequence[bool] | None) -> list[bool]:
    """Return which of the entries at these places stood in order before; without `staying` all but the last."""
    if staying is None:
        return [True] * (len(places) - 1) + [False] * bool(places)
    return [staying[place] for place in places]


def by_date(run: Sequence[Entry], text: str, staying: Sequence[bool] | None = None) -> Order | None:
    """Return the order by the date at the beginning of each line, else by year; None if there are too few dates."""
    dates = dates_before(run, text)
    name = "date"
    if dates is None:
        name, dates = "year", [entry.year for entry in run]
    places = [place for place, date in enumerate(dates) if date is not None]
    given = [date for date in dates if date is not None]
    if len(given) * 10 < len(run) * 9:
        return None
    years = Counter(given)
    others = len(given) - max(years.values(), default=0)
    if len(years) < _LEAST_YEARS or others < _LEAST_OF_OTHER_YEARS:
        return None
    stays = _staying(places, staying)
    best: Order | None = None
    for sign, direction, wrong in ((-1, "newest first", lt), (1, "oldest first", gt)):
        if sum(map(wrong, given, given[1:])) * 5 > len(given) * 2:
            continue
        values = [sign * date for date in given]
        order = Order(f"{name}, {direction}", places, values, in_order(values, stays))
        # If most dates are equal, most are in order by chance.
        if order.exceptions * 5 <= others and (best is None or order.exceptions < best.exceptions):
            best = order
    return best


def dates_before(entries: Sequence[Entry], text: str) -> list[int | None] | None:
    """Return the dates at the beginnings of lines as numbers YYYYMMDD; None if fewer than nine of ten lines have one."""
    dates: list[int | None] = []
    missing = 0
    for entry in entries:
        match = _DATE.match(text, entry.title_line.start)
        dates.append(int(match[1]) * 10000 + int(match[2]) * 100 + int(match[3] or 0) if match else None)
        missing += not match
        if missing * 10 > len(entries):
            return None
    return dates


def out_of_order(values: Sequence[int]) -> list[int]:
    """Return the fewest indexes whose removal leaves a sequence that never falls."""
    kept = set(in_order(values))
    return [index for index in range(len(values)) if index not in kept]


def ranks(keys: Sequence[str]) -> list[int]:
    """Return for each key its rank among the distinct keys, from 0."""
    numbers = {key: number for number, key in enumerate(sorted(set(keys)))}
    return [numbers[key] for key in keys]


def is_by_another_column(run: Sequence[Entry], order: Order) -> bool:
    """Return whether the words of another column of a table are in order with fewer exceptions than its names."""
    if any(entry.block.kind != "row" for entry in run):
        return False
    cells = [[fold(plain_text(cell.inlines).strip()) for cell in entry.block.blocks] for entry in run]
    for column in zip(*cells, strict=False):
        words = [cell for cell in column if cell[:1].isalpha()]
        if len(words) < len(run) or len(set(words)) * 10 < len(words) * 9:
            continue
        values = ranks(words)
        sign = 1 if values[0] <= values[-1] else -1
        kept = in_order([sign * value for value in values])
        if len(run) - len(kept) < order.exceptions:
            return True
    return False
