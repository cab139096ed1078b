"""Finds years and dates in text: four digits, a compact date, the month of an arXiv id."""

from __future__ import annotations

from typing import NamedTuple

from shelfread.core.patterns import lazy

# The lookbehind comes last, so that a search can jump from one 19 or 20 to the next.
YEAR = lazy(r"(?:19[5-9]\d|20[0-3]\d)(?<![\d.,/-]\d{4})(?=[01]\d[0-3]\d(?!\d)|(?!\d|[.,]\d{3}))")
# The pattern of the name of a month in English, for texts of any case.
MONTH = "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
# A date as lists write it before a title: 2023, 2023/05, 2023-05-01, 2023 May, 05.2023, 12 May 2023.
DATE = lazy(
    rf"(?:(?:19|20)\d\d,? (?i:{MONTH})(?: \d{{1,2}})?|"
    r"(?:19|20)\d\d(?:[01]\d[0-3]\d|[-./年]?(?:\d{1,2}月?)?(?:[-./]\d{1,2})?)|\d{1,2}[-./](?:19|20)\d\d"
    rf"|(?i:(?:\d{{1,2}} )?{MONTH}[.,]? (?:\d{{1,2}},? )?)(?:19|20)\d\d)(?=\W|$)"
)
DATE_AT_END = lazy(
    rf"[\s,'’(\[-]{{0,3}}\b(?:19[5-9]|20[0-3])\d(?:(?:[-./]\d{{1,2}}){{0,2}}|(?i:, {MONTH}(?: \d{{1,2}})?))\W{{0,6}}$"
)
# The two digits with which a citation ends: `ICML'19`, `ICML 19`.
_SHORT_YEAR_AT_END = lazy(r"(?:(?<=\w)\s?['’‘]\s?|(?<=[^\W\d])[\s-])(?P<year>[0129]\d)\W{0,6}$")
# `2024.05 Annals of Shelves`
DATE_AT_START = lazy(r"\W{0,4}(?:19[5-9]|20[0-3])\d(?:[-./]\d{1,2}){1,2}[\s,:]{1,3}(?=[^\W\d])")
_ODD_YEAR = lazy(r"\W{0,4}(1[89]\d\d|20[4-9]\d|21\d\d)\W{0,4}")
_MAX_DATE = 20
# A year of what a text is about, not its own: `(in the year 2039)`.
SUBJECT_YEAR = lazy(
    r"(?i)[^\w\0]{0,3}(?:in|by|since|until|before|after|around|beyond)(?: the)?(?: year)? \d{4}\W{0,3}"
)
YEAR_FOLLOWS = lazy(r"\W{0,6}(?:19[5-9]|20[0-3])\d\b")


class YearMention(NamedTuple):
    """A year in a text and its half-open range."""

    year: int
    start: int
    end: int

    def shift(self, by: int) -> YearMention:
        """Return the year with its range moved by a number of characters."""
        return YearMention(self.year, self.start + by, self.end + by)


def find_year(text: str) -> YearMention | None:
    """Return the first four-digit year of a text."""
    if "19" not in text and "20" not in text:
        return None
    match = YEAR.search(text)
    return YearMention(int(match.group()), match.start(), match.end()) if match else None


def find_odd_year(text: str) -> YearMention | None:
    """Return the year before 1950, or a mistyped one, that a text consists of: elsewhere such numbers count things."""
    match = _ODD_YEAR.fullmatch(text)
    return YearMention(int(match[1]), *match.span(1)) if match else None


def find_year_in_brackets(content: str) -> YearMention | None:
    """Return the first year of what stands in brackets, unless that is a time that the words before them speak of."""
    return None if SUBJECT_YEAR.fullmatch(content) else find_year(content)


def find_year_at_end(text: str) -> YearMention | None:
    """Return the year or date with which a citation ends, with what stands before it: `, 2019)`, `'19`."""
    tail = max(len(text) - _MAX_DATE, 0)
    if (date := DATE_AT_END.search(text, tail)) and (year := find_year(date[0].lstrip("-"))):
        return YearMention(year.year, *date.span())
    short = _SHORT_YEAR_AT_END.search(text, tail)
    return YearMention(full_year(int(short["year"])), *short.span()) if short else None


def arxiv_year(identifier: str) -> int | None:
    """Return the year of an arXiv id: 2014 for 1404.5997, 1999 for hep-th/9901001."""
    digits = identifier.partition("/")[2] or identifier
    if len(digits) < 4 or not digits[:4].isdigit() or not 1 <= int(digits[2:4]) <= 12:
        return None
    return full_year(int(digits[:2])) if "/" in identifier else 2000 + int(digits[:2])


def full_year(short: int) -> int:
    """Return the year that two digits stand for: 2019 for 19, 1998 for 98."""
    return 2000 + short if short < 40 else 1900 + short
