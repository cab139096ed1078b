"""Items of a table of contents that lead nowhere or to another heading than they name, and the heading that they mean."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence
from typing import NamedTuple
from urllib.parse import unquote

from shelfread.checks.contents.listing import ListedHeadings, span_of
from shelfread.core.diagnostics import Applicability, RawDiagnostic, RawDiagnostics, Severity
from shelfread.core.wording import is_slip
from shelfread.index.pages import visible
from shelfread.index.table_of_contents import ContentsPart, Item, core, fold, is_section

_MOST_HOMONYMS = 1000
_MOST_COMPARED = 200
_MOST_BETWEEN = 20
_LONGEST = 200
_LEAST_BEFORE_END = 3  # as many items with their headings show which one the last item had


def misdirected(listing: ListedHeadings) -> RawDiagnostics:
    """Yield items with a missing or wrong anchor that have the name of a heading that is not listed."""
    below = [number for number, heading in enumerate(listing.headings) if heading.span.start > listing.start]
    has_stale = any(item.heading is None for item in listing.items)
    if not has_stale and all(number in listing.listed for number in below):
        return
    named = _by_name(listing, below, fold)
    cores: dict[str, list[int]] | None = None
    for part in listing.contents.parts if named else ():
        own = {item.heading for item in part.items}
        # An item that leads nowhere is the first to mean a heading of its name.
        for position, item in sorted(enumerate(part.items), key=lambda pair: pair[1].heading is not None):
            if item.heading == -1:
                continue
            name = fold(item.text)
            homonyms = _free(named.get(name, ()), listing, own, item)
            index = _in_place(listing, part, position, named.get(name, ()))
            if index is None and homonyms:
                index = _meant(listing, part, position, homonyms)
            is_exact = index is not None
            if not (homonyms or item.heading is not None):
                cores = _by_name(listing, below, core) if cores is None else cores
                homonyms = _free(cores.get(name, ()), listing, own, item)
                index = homonyms[0] if len(homonyms) == 1 else None
            if index is not None:
                own.add(index)
                yield _misdirected(listing, part, item, index, is_exact)


def _by_name(
    listing: ListedHeadings, headings: Iterable[int], fold: Callable[[str], str]
) -> dict[str, list[int]]:
    named: dict[str, list[int]] = defaultdict(list)
    for number in headings:
        named[fold(listing.headings[number].title)].append(number)
    named.pop("", None)
    return named


def _free(
    homonyms: Sequence[int], listing: ListedHeadings, own: Collection[int | None], item: Item
) -> Sequence[int]:
    """Return the headings that no item lists; for an item with a missing anchor those that its own list lacks."""
    homonyms = homonyms[:_MOST_HOMONYMS]
    free = [index for index in homonyms if index not in listing.listed]
    if free or item.heading is not None:
        return free
    return [index for index in homonyms if index not in own]


def _in_place(listing: ListedHeadings, part: ContentsPart, at: int, homonyms: Sequence[int]) -> int | None:
    """Return the only heading of an item's name between those of the items around it, unless the item may lead to its own."""
    own = part.items[at].heading
    if len(homonyms) < 2 or (own is not None and listing.listed[own] < 2):
        return None
    around = [listing.heading_of(item) for item in part.items[max(0, at - 1) : at + 2]]
    before = around[0] if at else -1
    after = around[-1] if at + 1 < len(part.items) else len(listing.headings)
    if before is None or after is None:
        return None
    first, last = bisect_right(homonyms, before), bisect_left(homonyms, after)
    return homonyms[first] if last - first == 1 and homonyms[first] != own else None


def _meant(listing: ListedHeadings, part: ContentsPart, position: int, homonyms: Sequence[int]) -> int | None:
    """Return the only heading of an item's name that it can mean; None if it may mean the one that it links to."""
    item = part.items[position]
    own = item.heading
    above = listing.heading_of(part.items[item.parent]) if item.parent >= 0 else None
    is_named = own is not None and core(listing.headings[own].title) == core(item.text)
    if above is not None and above >= 0:
        end = listing.ends[above]
        if own is not None and is_named and (above < own < end or listing.listed[own] < 2):
            return None
        first, last = bisect_right(homonyms, above), bisect_left(homonyms, end)
        if is_named or last > first:
            return homonyms[first] if last - first == 1 else None
    return homonyms[0] if len(homonyms) == 1 and not is_named else None


def _misdirected(
    listing: ListedHeadings, part: ContentsPart, item: Item, index: int, is_exact: bool
) -> RawDiagnostic:
    """`is_exact` tells whether the item has the name of the heading, and not only its core."""
    heading = listing.headings[index]
    listing.set_heading(item, index)
    line = listing.line(heading.span.start)
    values = {"item": item.text, "anchor": visible(heading.slug), "line": line, "target": 0}
    message, severity = "missing-anchor", Severity.ERROR
    if item.heading is not None:
        message, severity = "wrong-anchor", Severity.WARNING
        values["target"] = listing.line(listing.headings[item.heading].span.start)
    if part.generator:
        return outdated(item, part.generator, severity)
    edits = listing.writer.readdressed(item, heading)
    # The number of entries that is left out here changes the anchor with every entry: only an exact name is safe.
    return RawDiagnostic(span_of(item), values, edits, is_exact, severity, message)


def outdated(item: Item, generator: str, severity: Severity) -> RawDiagnostic:
    values = {"item": item.text, "generator": generator}
    return RawDiagnostic(span_of(item), values, severity=severity, message="outdated")


class _Gap(NamedTuple):
    """Items of one list with missing anchors, one after the other, and the omitted headings in their place."""

    items: list[Item]
    headings: list[int]
    # whether the headings above and below are those of the neighbors, or of the item that the list is in.
    is_bounded: bool


def renamed(listing: ListedHeadings) -> RawDiagnostics:
    """Yield items with a missing anchor that mean an omitted heading: as many in order, else the only one that resembles it."""
    omitted: dict[int, list[int]] | None = None
    compared = 0
    for part in listing.contents.parts:
        if all(listing.heading_of(item) is not None for item in part.items):
            continue
        omitted = _by_level(listing) if omitted is None else omitted
        rows: dict[int, list[Item]] = defaultdict(list)
        for item in part.items:
            rows[item.parent].append(item)
        # A section is gone, and not renamed, if all items below it lead nowhere too.
        gone = {
            part.items[parent].link.start
            for parent, row in rows.items()
            if parent >= 0 and all(listing.heading_of(item) is None for item in row)
        }
        for parent, row in rows.items():  # a list after that of the item that it is in
            for gap in _gaps(listing, part, parent, row, omitted):
                compared += len(gap.items) * len(gap.headings)
                if compared > _MOST_COMPARED:
                    return
                yield from _in_gap(listing, part, gap, gone)


def _by_level(listing: ListedHeadings) -> dict[int, list[int]]:
    levels = {listing.headings[index].level for index in listing.listed if index >= 0}
    found: dict[int, list[int]] = {level: [] for level in levels}
    for index, heading in enumerate(listing.headings):
        if index not in listing.listed and heading.level in levels and heading.span.start > listing.start:
            found[heading.level].append(index)
    return found


def _gaps(
    listing: ListedHeadings,
    part: ContentsPart,
    parent: int,
    row: Sequence[Item],
    omitted: dict[int, list[int]],
) -> Iterator[_Gap]:
    """Yield the gaps of a list. `parent` is the index of the item that the list is in, -1 if there is none."""
    above = listing.heading_of(part.items[parent]) if parent >= 0 else -1
    if above is None or (parent >= 0 and above < 0):
        return
    end = listing.ends[above] if above >= 0 else len(listing.headings)
    known = [listing.heading_of(item) for item in row]
    start = 0
    while start < len(row):
        stop = start
        while stop < len(row) and known[stop] is None:
            stop += 1
        if stop > start:
            before, after = known[start - 1] if start else above, known[stop] if stop < len(row) else end
            is_bounded = above >= 0 or start >= (1 if stop < len(row) else _LEAST_BEFORE_END)
            neighbors = (before if start else None, after if stop < len(row) else None)
            if before is not None and after is not None and (before >= 0 or not start) and after >= 0:
                headings = _between(listing, before, after, neighbors, omitted)
                if headings:
                    yield _Gap(list(row[start:stop]), headings, is_bounded)
        start = stop + 1


def _between(
    listing: ListedHeadings,
    before: int,
    after: int,
    neighbors: Sequence[int | None],
    omitted: dict[int, list[int]],
) -> list[int]:
    """Return the omitted headings between two others, of the neighbors' level."""
    levels = {listing.headings[index].level for index in neighbors if index is not None}
    found: list[int] = []
    for level in levels:
        indexes = omitted.get(level, [])
        between = indexes[bisect_right(indexes, before) : bisect_left(indexes, after)][:_MOST_BETWEEN]
        found += [index for index in between if index not in listing.listed]
    return sorted(found)


def _in_gap(listing: ListedHeadings, part: ContentsPart, gap: _Gap, gone: Container[int]) -> RawDiagnostics:
    sections = [index for index in gap.headings if is_section(listing.headings[index].title)]
    similar = [
        [index for index in gap.headings if _is_similar(item.text, listing.headings[index].title)]
        for item in gap.items
    ]
    is_whole = gap.is_bounded and len(sections) == len(gap.items)
    is_whole = is_whole and not any(item.link.start in gone for item in gap.items)
    if is_whole and all(not near or index in near for near, index in zip(similar, sections, strict=True)):
        for item, index in zip(gap.items, sections, strict=True):
            yield _renamed(listing, part, item, index, is_certain=True)
        return
    for item, near in zip(gap.items, similar, strict=True):
        free = [index for index in near if index not in listing.listed]
        if len(free) == 1:
            yield _renamed(listing, part, item, free[0], is_certain=False)


def _renamed(
    listing: ListedHeadings, part: ContentsPart, item: Item, index: int, is_certain: bool
) -> RawDiagnostic:
    heading = listing.headings[index]
    listing.set_heading(item, index)
    if part.generator:
        return outdated(item, part.generator, Severity.ERROR)
    values = {"item": item.text, "heading": heading.title, "line": listing.line(heading.span.start)}
    words, title = fold(item.text), fold(heading.title)
    # An anchor made of the item's words was that of a heading. If only a letter differs, the heading may be wrong.
    was_heading = words == fold(unquote(item.link.url[1:])) and item.block is not None
    is_certain = is_certain and was_heading and not is_slip(words, title)
    is_safe = is_certain and listing.writer.wording.applicability is Applicability.SAFE
    edits = listing.writer.renamed(item, heading)
    message = "renamed" if is_certain else "similar"
    return RawDiagnostic(span_of(item), values, edits, is_safe, message=message)


def _is_similar(text: str, title: str) -> bool:
    words, meant = fold(text)[:_LONGEST], fold(title)[:_LONGEST]
    if not words or not meant or words in meant or meant in words:
        return bool(words and meant)
    from difflib import SequenceMatcher

    return SequenceMatcher(None, words, meant, autojunk=False).ratio() >= 0.6
