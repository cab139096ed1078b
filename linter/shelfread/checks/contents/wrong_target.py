"""Items of a table of contents that link to another anchor than that of the heading that they name."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence

from shelfread.checks.common.visible import visible
from shelfread.checks.contents.coverage import Listing, span_of
from shelfread.core.diagnostics import Applicability, RawDiagnostic, RawDiagnostics, Severity
from shelfread.index.contents.table_of_contents import Item, Part
from shelfread.index.heading_names import core, fold

_MOST_HOMONYMS = 1000


def misdirected(listing: Listing) -> RawDiagnostics:
    """Yield items with a missing or wrong anchor that have the name of a heading that is not listed."""
    below = [number for number, heading in enumerate(listing.headings) if heading.span.start > listing.start]
    items = (item for part in listing.contents.parts for item in part.items)
    if all(number in listing.listed for number in below) and all(item.heading is not None for item in items):
        return
    named = _by_name(listing, below, fold)
    cores: dict[str, list[int]] | None = None
    for part in listing.contents.parts if named else ():
        own = {item.heading for item in part.items}
        for position, item in enumerate(part.items):
            if item.heading == -1:
                continue
            name = fold(item.text)
            homonyms = _free(named.get(name, ()), listing, own, item)
            index = _meant(listing, part, position, homonyms) if homonyms else None
            is_exact = index is not None
            if not (homonyms or item.heading is not None):
                cores = _by_name(listing, below, core) if cores is None else cores
                homonyms = _free(cores.get(name, ()), listing, own, item)
                index = homonyms[0] if len(homonyms) == 1 else None
            if index is not None:
                own.add(index)
                yield _misdirected(listing, part, item, index, is_exact)


def _by_name(listing: Listing, headings: Iterable[int], fold: Callable[[str], str]) -> dict[str, list[int]]:
    """Return headings by their folded title."""
    named: dict[str, list[int]] = defaultdict(list)
    for number in headings:
        named[fold(listing.headings[number].title)].append(number)
    named.pop("", None)
    return named


def _free(
    homonyms: Sequence[int], listing: Listing, own: Collection[int | None], item: Item
) -> Sequence[int]:
    """Return the headings that no item lists; for an item with a missing anchor those that its own list lacks."""
    homonyms = homonyms[:_MOST_HOMONYMS] if len(homonyms) > _MOST_HOMONYMS else homonyms
    free = [index for index in homonyms if index not in listing.listed]
    if free or item.heading is not None:
        return free
    return [index for index in homonyms if index not in own]


def _meant(listing: Listing, part: Part, position: int, homonyms: Sequence[int]) -> int | None:
    """Return the only heading of an item's name that it can mean; None if it may mean the one that it links to."""
    item = part.items[position]
    own = item.heading
    above = listing.heading_of(part.items[item.parent]) if item.parent >= 0 else None
    is_named = own is not None and fold(listing.headings[own].title) == fold(item.text)
    if above is not None and above >= 0:
        end = listing.ends[above]
        if own is not None and is_named and (above < own < end or listing.listed[own] < 2):
            return None
        first, last = bisect_right(homonyms, above), bisect_left(homonyms, end)
        if is_named or last > first:
            return homonyms[first] if last - first == 1 else None
    if own is not None and is_named:
        before, after = (_heading_at(listing, part, position + step) for step in (-1, 1))
        if listing.listed[own] < 2 or before is None or before < own:
            return None
        first = bisect_right(homonyms, before)
        last = len(homonyms) if after is None or after <= before else bisect_left(homonyms, after)
        return homonyms[first] if last - first == 1 else None
    return homonyms[0] if len(homonyms) == 1 else None


def _heading_at(listing: Listing, part: Part, position: int) -> int | None:
    heading = listing.heading_of(part.items[position]) if 0 <= position < len(part.items) else None
    return heading if heading is not None and heading >= 0 else None


def _misdirected(listing: Listing, part: Part, item: Item, index: int, is_exact: bool) -> RawDiagnostic:
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
    # The number of entries that is left out here changes the anchor with every entry.
    applicability = Applicability.SAFE if is_exact else Applicability.UNSAFE
    return RawDiagnostic(span_of(item), values, edits, applicability, severity, message)


def outdated(item: Item, generator: str, severity: Severity) -> RawDiagnostic:
    values = {"item": item.text, "generator": generator}
    return RawDiagnostic(span_of(item), values, severity=severity, message="outdated")
