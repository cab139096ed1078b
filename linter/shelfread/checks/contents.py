"""A page's contents against its headings: what is missing, leads elsewhere or stands elsewhere."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from shelfread.checks.near import is_slip
from shelfread.checks.toc import Contents, Heading, Item, Part, contents_of, fold
from shelfread.checks.toc_lines import Writer
from shelfread.checks.toc_slots import Line, new_lines
from shelfread.diagnostic import Applicability, Change, Edit, Effect, Place, Severity, Span
from shelfread.document.about import speaks_of_list
from shelfread.document.model import Document
from shelfread.pattern import lazy
from shelfread.survey.survey import Survey

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
_LEAST_ENTRIES = 3
_MANY = 9
_GUESSES = 100
_LONGEST = 200


def sync(document: Document, survey: Survey) -> Iterator[Place]:
    """Headings that the contents lacks, and its items that lead elsewhere or stand elsewhere than these."""
    contents = contents_of(document, survey.slugs)
    if contents is None:
        return
    listing = _Listing(document, contents)
    yield from _astray(listing)
    missing = _missing(listing)
    yield from _renamed(listing, missing)
    lines = new_lines(listing.writer, [heading for heading in missing if heading not in listing.listed])
    for heading in missing:
        if heading not in listing.listed:
            yield _lacking(listing, heading, lines.get(heading))
    for part in contents.parts:
        yield from _doubled(listing, part)
        yield from _misordered(listing, part)
    yield from _worded(listing)


class _Listing:
    """What the contents lists; items that are found to mean another heading count as listing that one."""

    def __init__(self, document: Document, contents: Contents) -> None:
        self.document = document
        self.contents = contents
        self.headings = contents.headings
        self.writer = Writer(document.source, contents)
        self.start = min(part.block.start for part in contents.parts)
        self.meant: dict[Span, int] = {}
        self.items = [item for part in contents.parts for item in part.items]
        self.listed = Counter(item.heading for item in self.items if item.heading is not None)

    def heading_of(self, item: Item) -> int | None:
        """The heading that an item means, as far as is known."""
        return self.meant.get(_span_of(item), item.heading)

    def mean(self, item: Item, heading: int) -> None:
        self.meant[_span_of(item)] = heading
        self.listed[heading] += 1

    def is_below(self, heading: int, other: int) -> bool:
        """Whether a heading is in the section of another."""
        above = self.headings[heading].parent
        while above > other:
            above = self.headings[above].parent
        return above == other

    def line(self, offset: int) -> int:
        return self.document.source.line_at(offset) + 1


def _span_of(item: Item) -> Span:
    return item.link.destination or Span(item.link.start, item.link.end)


# ------------------------------------------------------------------------------------- led astray


def _astray(listing: _Listing) -> Iterator[Place]:
    """Items that lead nowhere or to another heading, while one of their very name is listed nowhere."""
    named: dict[str, list[int]] = defaultdict(list)
    for index, heading in enumerate(listing.headings):
        if (
            index not in listing.listed
            and heading.span.start > listing.start
            and (title := fold(heading.title))
        ):
            named[title].append(index)
    if not named:
        return
    for part in listing.contents.parts:
        for at, item in enumerate(part.items):
            if (homonyms := named.get(fold(item.text))) and item.heading != -1:
                heading = _namesake(listing, part, at, homonyms)
                if heading is not None:
                    homonyms.remove(heading)
                    yield _leading(listing, part, item, heading)


def _namesake(listing: _Listing, part: Part, at: int, homonyms: Sequence[int]) -> int | None:
    """The one heading of an item's name that it must mean, if it means not the one that it leads to."""
    item = part.items[at]
    own = item.heading
    above = listing.heading_of(part.items[item.parent]) if item.parent >= 0 else None
    known = above is not None and above >= 0
    if known:
        below = [heading for heading in homonyms[:_GUESSES] if listing.is_below(heading, above or 0)]
        if own is not None and fold(listing.headings[own].title) == fold(item.text):
            if listing.is_below(own, above or 0) or listing.listed[own] < 2:
                return None
            return below[0] if len(below) == 1 else None
        if below:
            return below[0] if len(below) == 1 else None
    if own is not None and fold(listing.headings[own].title) == fold(item.text):
        before, after = (_neighbour(listing, part, at + step) for step in (-1, 1))
        if listing.listed[own] < 2 or before is None or before < own:
            return None
        fitting = homonyms[bisect_right(homonyms, before) :]
        fitting = [heading for heading in fitting[:2] if after is None or after <= before or heading < after]
        return fitting[0] if len(fitting) == 1 else None
    return homonyms[0] if len(homonyms) == 1 else None


def _neighbour(listing: _Listing, part: Part, at: int) -> int | None:
    heading = listing.heading_of(part.items[at]) if 0 <= at < len(part.items) else None
    return heading if heading is not None and heading >= 0 else None


def _leading(listing: _Listing, part: Part, item: Item, index: int) -> Place:
    """An item that has a heading of its name, and leads elsewhere."""
    heading = listing.headings[index]
    listing.mean(item, index)
    where = "nowhere" if item.heading is None else f"to line {_line_of(listing, item.heading)}"
    finding = (
        f"'{item.text}' leads {where}, its heading is '#{heading.slug}' in line {_line_of(listing, index)}"
    )
    severity = Severity.ERROR if item.heading is None else Severity.WARNING
    edits = () if part.generator else listing.writer.readdressed(item, heading)
    return Place(_span_of(item), _values(finding, part), edits, severity=severity)


def _line_of(listing: _Listing, heading: int) -> int:
    return listing.line(listing.headings[heading].span.start)


def _values(finding: str, part: Part | None) -> dict[str, object]:
    tool = part.generator if part is not None else ""
    return {"finding": finding, "hint": f": run {tool} again" if tool else ""}


# ---------------------------------------------------------------------------------------- missing


def _missing(listing: _Listing) -> list[int]:
    """The headings that a contents lacks, which lists nearly all their siblings, or nearly all of their level."""
    siblings: dict[tuple[int, int], list[int]] = defaultdict(list)
    for index, heading in enumerate(listing.headings):
        if heading.span.start > listing.start:
            siblings[heading.parent, heading.level].append(index)
    listed_levels = [listing.headings[index].level for index in listing.listed if index >= 0]
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
        if len(listed) >= _MANY * max(len(lacking), 1):
            found.update(lacking)
    return sorted(found)


def _is_section(title: str) -> bool:
    return bool(fold(title)) and not speaks_of_list(title) and not _ASIDE.fullmatch(title)


def _is_among(listing: _Listing, index: int, listed: Sequence[int]) -> bool:
    """Whether a heading stands among listed ones; or before or behind them all, and holds entries as they do."""
    if not listed or listed[0] < index < listed[-1]:
        return bool(listed)
    heading = listing.headings[index]
    if len(listed) < _LEAST_LISTED_AROUND or _AROUND.fullmatch(heading.title):
        return False
    end = next(
        (one.span.start for one in listing.headings[index + 1 :] if one.level <= heading.level),
        len(listing.document.source.text),
    )
    inside = [one for one in listing.document.entries if heading.span.start < one.span.start < end]
    return len(inside) >= _LEAST_ENTRIES


def _lacking(listing: _Listing, index: int, line: Line | None) -> Place:
    heading = listing.headings[index]
    part = next((part for part in listing.contents.parts if part.generator), None)
    values = _values(f"the contents lacks '{heading.title}'", part)
    if line is None:
        return Place(heading.span, values, severity=Severity.WARNING)
    return Place(heading.span, values, line.edits, line.applicability, Severity.WARNING)


# ---------------------------------------------------------------------------------------- renamed


def _renamed(listing: _Listing, missing: Sequence[int]) -> Iterator[Place]:
    """Items that lead nowhere, where between their neighbours' headings stands one alike that is not listed."""
    guesses = _GUESSES
    for part in listing.contents.parts:
        known = [_neighbour(listing, part, at) for at in range(len(part.items))]
        for at, item in enumerate(part.items):
            if item.heading is not None or known[at] is not None or not missing:
                continue
            before = known[at - 1] if at else -1
            after = known[at + 1] if at + 1 < len(known) else len(listing.headings)
            if before is None or after is None or guesses <= 0:
                continue
            between = missing[bisect_right(missing, before) : bisect_left(missing, after)]
            guesses -= 1
            if len(between) == 1 and between[0] not in listing.listed:
                heading = listing.headings[between[0]]
                if _is_alike(fold(item.text)[:_LONGEST], fold(heading.title)[:_LONGEST]):
                    listing.mean(item, between[0])
                    line = _line_of(listing, between[0])
                    finding = f"'{item.text}' leads nowhere, did you mean '{heading.title}' in line {line}?"
                    edits = () if part.generator else listing.writer.renamed(item, heading)
                    yield Place(_span_of(item), _values(finding, part), edits, Applicability.UNSAFE)


def _is_alike(one: str, other: str) -> bool:
    if not one or not other:
        return False
    return one in other or other in one or SequenceMatcher(None, one, other, autojunk=False).ratio() >= 0.6


# ------------------------------------------------------------------------------- doubled, misordered


def _doubled(listing: _Listing, part: Part) -> Iterator[Place]:
    """Items that stand twice in one list."""
    first: dict[tuple[int, str, int], Item] = {}
    for item in part.items:
        heading = listing.heading_of(item)
        if heading is None or heading < 0:
            continue
        other = first.setdefault((heading, fold(item.text), item.parent), item)
        if other is not item and other.inside is item.inside:
            finding = (
                f"'{item.text}' stands in the contents twice, first in line {listing.line(other.link.start)}"
            )
            edits = () if part.generator else listing.writer.removed(item)
            yield Place(item.link.text, _values(finding, part), edits, severity=Severity.WARNING)


def _misordered(listing: _Listing, part: Part) -> Iterator[Place]:
    """Items that stand in another order than their headings, where nearly all are in the same."""
    rows: dict[int, list[Item]] = defaultdict(list)
    for item in part.items:
        heading = listing.heading_of(item)
        if heading is not None and heading >= 0:
            rows[item.parent].append(item)
    astray: list[tuple[list[Item], int]] = []
    total = 0
    for row in rows.values():
        order = [listing.heading_of(item) or 0 for item in row]
        total += len(order)
        astray += [(row, at) for at in _out_of_order(order)]
    if not astray or len(astray) * 10 > total or part.generator:
        return
    texts = [item.text.casefold() for item in part.items if item.parent == -1]
    if texts == sorted(texts):
        return
    severity = Severity.WARNING if len(astray) == 1 else Severity.INFO
    for row, at in astray:
        item = row[at]
        own = listing.heading_of(item) or 0
        behind = [one for one in row if (listing.heading_of(one) or 0) < own]
        last = max(behind, key=lambda one: listing.heading_of(one) or 0, default=None)
        where = f"below '{last.text}'" if last is not None else "above all others here"
        finding = f"'{item.text}' stands elsewhere in the contents than on the page: {where}"
        edits = listing.writer.moved(item, last, row[0])
        yield Place(item.link.text, _values(finding, part), edits, Applicability.UNSAFE, severity)


def _out_of_order(order: Sequence[int]) -> list[int]:
    """The places of those that are not of a longest row that never falls."""
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for at, value in enumerate(order):
        length = bisect_right(tails, value)
        before.append(ends[length - 1] if length else -1)
        if length == len(tails):
            tails.append(value)
            ends.append(at)
        else:
            tails[length], ends[length] = value, at
    kept = set()
    at = ends[-1] if ends else -1
    while at >= 0:
        kept.add(at)
        at = before[at]
    return [at for at in range(len(order)) if at not in kept]


# ---------------------------------------------------------------------------------------- wording


def _worded(listing: _Listing) -> Iterator[Place]:
    """Items that name their heading otherwise, where nearly all have its words."""
    pairs = []
    for part in listing.contents.parts:
        for item in part.items:
            if not part.generator and item.heading is not None and item.heading >= 0 and item.text:
                if _span_of(item) not in listing.meant:
                    pairs.append((item, listing.headings[item.heading]))
    differing = [(item, heading) for item, heading in pairs if fold(item.text) != fold(heading.title)]
    if not differing or len(differing) * 10 > len(pairs):
        return
    for item, heading in differing:
        said, meant = _bare(item.text), _bare(heading.title)
        if not said or not meant or said in meant or meant in said or listing.listed[item.heading] > 1:
            continue
        slip = len(said) > 5 and is_slip(said, meant) and not any(map(str.isdigit, said + meant))
        finding = f"the contents says '{item.text}', the heading '{heading.title}'"
        edits = listing.writer.reworded(item, heading)
        severity = Severity.WARNING if slip else Severity.INFO
        yield Place(item.link.text, _values(finding, None), edits, Applicability.UNSAFE, severity)


def _bare(text: str) -> str:
    """A title folded, without accents."""
    return fold("".join(one for one in unicodedata.normalize("NFKD", text) if not unicodedata.combining(one)))
