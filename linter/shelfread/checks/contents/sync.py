"""A table of contents that differs from the headings of its page."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence

from shelfread.checks.contents.coverage import Listing
from shelfread.checks.contents.insertion import Line, new_lines
from shelfread.checks.contents.model import contents_of, fold
from shelfread.checks.contents.order import out_of_heading_order, repeated, worded_otherwise
from shelfread.checks.contents.wrong_target import misdirected, misspelled
from shelfread.core.diagnostics import Applicability, RawDiagnostic, Severity
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.document.non_entries import is_about_list
from shelfread.index.context import RuleContext

# Headings that a table of contents may omit, beside those about the list itself.
_OPTIONAL = lazy(
    r"\W*(?:(?:table of )?contents?|toc|index|(?:back to )?top|licen[cs]es|credits?|thanks\b.*|目录|目錄|目次)\W*",
    re.IGNORECASE,
)
# Headings at the beginning or end of a page that it may omit too.
_OPTIONAL_AROUND = lazy(
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
    """Yield headings that the table of contents omits, and items with a wrong target, place or wording."""
    contents = contents_of(document, context)
    if contents is None:
        return
    listing = Listing(document, contents)
    yield from misdirected(listing)
    yield from misspelled(listing, _sections(listing))
    missing = _missing(listing)
    lines = new_lines(listing.writer, missing)
    for index in missing:
        yield _omitted(listing, index, lines.get(index))
    for part in contents.parts:
        yield from repeated(listing, part)
        yield from out_of_heading_order(listing, part)
    yield from worded_otherwise(listing)


def _sections(listing: Listing) -> list[int]:
    """Return the headings of listed levels that are not listed themselves."""
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
    """Return the omitted headings whose siblings are nearly all listed, or nearly all headings of their level."""
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
    return bool(fold(title)) and not is_about_list(title) and not _OPTIONAL.fullmatch(title)


def _is_among(listing: Listing, index: int, listed: Sequence[int]) -> bool:
    """Return whether a heading is between listed ones, or is a section with entries before or after them."""
    if not listed or listed[0] < index < listed[-1]:
        return bool(listed)
    heading = listing.headings[index]
    if len(listed) < _LEAST_LISTED_AROUND or _OPTIONAL_AROUND.fullmatch(heading.title):
        return False
    end = listing.ends[index]
    until = (
        listing.headings[end].span.start if end < len(listing.headings) else len(listing.document.source.text)
    )
    inside = bisect_left(listing.entries, until) - bisect_left(listing.entries, heading.span.start)
    return inside >= _LEAST_ENTRIES


def _omitted(listing: Listing, index: int, line: Line | None) -> RawDiagnostic:
    heading = listing.headings[index]
    generator = next((part.generator for part in listing.contents.parts if part.generator), "")
    return RawDiagnostic(
        heading.span,
        {"heading": heading.title, "generator": generator},
        () if line is None else line.edits,
        Applicability.SAFE if line is None else line.applicability,
        Severity.WARNING,
        message="missing-generated" if generator else "missing",
    )
