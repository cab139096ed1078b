"""Items of a contents that lead elsewhere than to the heading that they name."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence

from shelfread.checks.contents.coverage import Listing, line_of, said, span_of
from shelfread.checks.contents.model import Item, Part, fold
from shelfread.core.diagnostics import Applicability, RawDiagnostic, Severity

_GUESSES = 200
_MOST_BETWEEN = 20
_LONGEST = 200


def led_astray(listing: Listing) -> Iterator[RawDiagnostic]:
    """Items that lead nowhere or to another heading, while one of their very name is listed nowhere."""
    named: dict[str, list[int]] = defaultdict(list)
    for number, heading in enumerate(listing.headings):
        if (
            number not in listing.listed
            and heading.span.start > listing.start
            and (title := fold(heading.title))
        ):
            named[title].append(number)
    if not named:
        return
    for part in listing.contents.parts:
        for at, item in enumerate(part.items):
            if (homonyms := named.get(fold(item.text))) and item.heading != -1:
                meant = _namesake(listing, part, at, homonyms)
                if meant is not None:
                    homonyms.remove(meant)
                    yield _leading(listing, part, item, meant)


def _namesake(listing: Listing, part: Part, at: int, homonyms: Sequence[int]) -> int | None:
    """The one heading of an item's name that it must mean, if it means not the one that it leads to."""
    item = part.items[at]
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
        before, after = (_neighbour(listing, part, at + step) for step in (-1, 1))
        if listing.listed[own] < 2 or before is None or before < own:
            return None
        first = bisect_right(homonyms, before)
        last = len(homonyms) if after is None or after <= before else bisect_left(homonyms, after)
        return homonyms[first] if last - first == 1 else None
    return homonyms[0] if len(homonyms) == 1 else None


def _neighbour(listing: Listing, part: Part, at: int) -> int | None:
    heading = listing.heading_of(part.items[at]) if 0 <= at < len(part.items) else None
    return heading if heading is not None and heading >= 0 else None


def _leading(listing: Listing, part: Part, item: Item, index: int) -> RawDiagnostic:
    """An item that has a heading of its name, and leads elsewhere."""
    heading = listing.headings[index]
    listing.mean(item, index)
    where = "nowhere" if item.heading is None else f"to line {line_of(listing, item.heading)}"
    finding = (
        f"'{item.text}' leads {where}, its heading is '#{heading.slug}' in line {line_of(listing, index)}"
    )
    severity = Severity.ERROR if item.heading is None else Severity.WARNING
    edits = () if part.generator else listing.writer.readdressed(item, heading)
    return RawDiagnostic(span_of(item), said(finding, part), edits, severity=severity)


def renamed(listing: Listing, sections: Sequence[int]) -> Iterator[RawDiagnostic]:
    """Items that lead nowhere, where between their neighbours' headings stands one alike that is not listed.

    `sections` are the headings that may be listed.
    """
    guesses = _GUESSES
    for part in listing.contents.parts:
        for at, item in enumerate(part.items):
            if listing.heading_of(item) is not None or guesses <= 0:
                continue
            before = _neighbour(listing, part, at - 1) if at else -1
            after = _neighbour(listing, part, at + 1) if at + 1 < len(part.items) else len(listing.headings)
            if before is None or after is None:
                continue
            between = sections[bisect_right(sections, before) : bisect_left(sections, after)][:_MOST_BETWEEN]
            free = [index for index in between if index not in listing.listed]
            guesses -= len(free)
            alike = [index for index in free if _is_alike(item.text, listing.headings[index].title)]
            if len(alike) == 1:
                yield _mistaken(listing, part, item, alike[0])


def _mistaken(listing: Listing, part: Part, item: Item, index: int) -> RawDiagnostic:
    heading = listing.headings[index]
    listing.mean(item, index)
    line = line_of(listing, index)
    finding = f"'{item.text}' leads nowhere, did you mean '{heading.title}' in line {line}?"
    edits = () if part.generator else listing.writer.renamed(item, heading)
    return RawDiagnostic(span_of(item), said(finding, part), edits, Applicability.UNSAFE)


def _is_alike(text: str, title: str) -> bool:
    one, other = fold(text)[:_LONGEST], fold(title)[:_LONGEST]
    if not one or not other:
        return False
    if one in other or other in one:
        return True
    from difflib import SequenceMatcher

    return SequenceMatcher(None, one, other, autojunk=False).ratio() >= 0.6
