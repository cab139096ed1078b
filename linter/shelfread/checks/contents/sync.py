"""A page's contents against its headings: what is missing, leads elsewhere or stands elsewhere."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence

from shelfread.checks.contents.coverage import Listing, said
from shelfread.checks.contents.insertion import Line, new_lines
from shelfread.checks.contents.model import contents_of, fold
from shelfread.checks.contents.order import doubled, misordered, worded
from shelfread.checks.contents.wrong_target import led_astray, renamed
from shelfread.core.diagnostics import RawDiagnostic, Severity
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.document.non_entries import is_about_list
from shelfread.index.context import RuleContext

# Headings that a contents may leave out, beside those that speak of the list itself.
_ASIDE = lazy(
    r"\W*(?:(?:table of )?contents?|toc|index|(?:back to )?top|licen[cs]es|credits?|thanks\b.*|目录|目錄|目次)\W*",
    re.IGNORECASE,
)
# What at the beginning or end of a page is no section like the others.
_AROUND = lazy(
    r"\W*(?:related|similar|other|see also|further|more|intro\w*|overview|about|preface|background|explanation|how to|"
    r"what is|why|support|community|join|faq|references|resources|external|misc\w*|notes?|icons|legend|symbols)\b.*",
    re.IGNORECASE,
)
_LEAST_LISTED = 3
_LEAST_LISTED_AROUND = 5
_LEAST_ENTRIES = 1
_LEAST_LEVEL = 4
_MANY = 9


def sync(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Headings that the contents lacks, and its items that lead elsewhere or stand elsewhere than these."""
    contents = contents_of(document, context)
    if contents is None:
        return
    listing = Listing(document, contents)
    yield from led_astray(listing)
    yield from renamed(listing, _sections(listing))
    missing = _missing(listing)
    lines = new_lines(listing.writer, missing)
    for heading in missing:
        yield _lacking(listing, heading, lines.get(heading))
    for part in contents.parts:
        yield from doubled(listing, part)
        yield from misordered(listing, part)
    yield from worded(listing)


def _sections(listing: Listing) -> list[int]:
    """The headings that are not listed, and of a level that is."""
    levels = {listing.headings[index].level for index in listing.listed if index >= 0}
    return [
        index
        for index, heading in enumerate(listing.headings)
        if index not in listing.listed
        and heading.level in levels
        and heading.span.start > listing.start
        and _is_section(heading.title)
    ]


def _missing(listing: Listing) -> list[int]:
    """The headings that a contents lacks, which lists nearly all their siblings, or nearly all of their level."""
    siblings: dict[tuple[int, int], list[int]] = defaultdict(list)
    for index, heading in enumerate(listing.headings):
        if heading.span.start > listing.start:
            siblings[heading.parent, heading.level].append(index)
    listed_levels = (
        listing.headings[index].level
        for index in listing.listed
        if index >= 0 and listing.headings[index].span.start > listing.start
    )
    top = min(listed_levels, default=0)
    found: set[int] = set()
    levels: dict[int, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for (parent, level), group in siblings.items():
        listed = [index for index in group if index in listing.listed]
        lacking = [
            index
            for index in group
            if index not in listing.listed and _is_section(listing.headings[index].title)
        ]
        if level == top:
            lacking = [index for index in lacking if _is_among(listing, index, listed)]
        if len(listed) >= _LEAST_LISTED and (len(lacking) == 1 or len(listed) >= 4 * len(lacking)):
            found.update(lacking)
        if parent < 0 or parent in listing.listed or listing.headings[parent].span.start < listing.start:
            levels[level][0].extend(listed)
            levels[level][1].extend(lacking)
    for listed, lacking in levels.values():
        if len(listed) >= (_LEAST_LEVEL if len(lacking) == 1 else _MANY * len(lacking)):
            found.update(lacking)
    return sorted(found)


def _is_section(title: str) -> bool:
    return bool(fold(title)) and not is_about_list(title) and not _ASIDE.fullmatch(title)


def _is_among(listing: Listing, index: int, listed: Sequence[int]) -> bool:
    """Whether a heading stands among listed ones; or before or behind them all, and holds entries as they do."""
    if not listed or listed[0] < index < listed[-1]:
        return bool(listed)
    heading = listing.headings[index]
    if len(listed) < _LEAST_LISTED_AROUND or _AROUND.fullmatch(heading.title):
        return False
    end = listing.ends[index]
    until = (
        listing.headings[end].span.start if end < len(listing.headings) else len(listing.document.source.text)
    )
    inside = bisect_left(listing.entries, until) - bisect_left(listing.entries, heading.span.start)
    return inside >= _LEAST_ENTRIES


def _lacking(listing: Listing, index: int, line: Line | None) -> RawDiagnostic:
    heading = listing.headings[index]
    part = next((part for part in listing.contents.parts if part.generator), None)
    values = said(f"the contents lacks '{heading.title}'", part)
    if line is None:
        return RawDiagnostic(heading.span, values, severity=Severity.WARNING)
    return RawDiagnostic(heading.span, values, line.edits, line.applicability, Severity.WARNING)
