"""Items of a table of contents that link to another anchor than that of the heading that they name."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence

from shelfread.checks.contents.coverage import Listing, line_of, span_of
from shelfread.checks.contents.model import Item, Part, fold
from shelfread.core.diagnostics import Applicability, RawDiagnostic, Severity

_MOST_COMPARED = 200
_MOST_BETWEEN = 20
_LONGEST = 200


def misdirected(listing: Listing) -> Iterator[RawDiagnostic]:
    """Yield items with a missing or wrong anchor that have the name of a heading that is not listed."""
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
        for position, item in enumerate(part.items):
            if (homonyms := named.get(fold(item.text))) and item.heading != -1:
                index = _meant(listing, part, position, homonyms)
                if index is not None:
                    homonyms.remove(index)
                    yield _misdirected(listing, part, item, index)


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


def _misdirected(listing: Listing, part: Part, item: Item, index: int) -> RawDiagnostic:
    heading = listing.headings[index]
    listing.set_heading(item, index)
    values = {"item": item.text, "anchor": heading.slug, "line": line_of(listing, index), "target": 0}
    message, severity = "missing-anchor", Severity.ERROR
    if item.heading is not None:
        message, severity = "wrong-anchor", Severity.WARNING
        values["target"] = line_of(listing, item.heading)
    if part.generator:
        return _outdated(item, part.generator, severity)
    edits = listing.writer.readdressed(item, heading)
    return RawDiagnostic(span_of(item), values, edits, severity=severity, message=message)


def misspelled(listing: Listing, sections: Sequence[int]) -> Iterator[RawDiagnostic]:
    """Yield items with a missing anchor that resemble an omitted heading between those of their neighbors.

    `sections` are the indexes of the headings that may be listed.
    """
    comparisons = _MOST_COMPARED
    for part in listing.contents.parts:
        for position, item in enumerate(part.items):
            if listing.heading_of(item) is not None or comparisons <= 0:
                continue
            before = _heading_at(listing, part, position - 1) if position else -1
            is_last = position + 1 == len(part.items)
            after = len(listing.headings) if is_last else _heading_at(listing, part, position + 1)
            if before is None or after is None:
                continue
            between = sections[bisect_right(sections, before) : bisect_left(sections, after)][:_MOST_BETWEEN]
            free = [index for index in between if index not in listing.listed]
            comparisons -= len(free)
            similar = [index for index in free if _is_similar(item.text, listing.headings[index].title)]
            if len(similar) == 1:
                yield _misspelled(listing, part, item, similar[0])


def _misspelled(listing: Listing, part: Part, item: Item, index: int) -> RawDiagnostic:
    heading = listing.headings[index]
    listing.set_heading(item, index)
    if part.generator:
        return _outdated(item, part.generator, Severity.ERROR)
    values = {"item": item.text, "heading": heading.title, "line": line_of(listing, index)}
    edits = listing.writer.renamed(item, heading)
    return RawDiagnostic(span_of(item), values, edits, Applicability.UNSAFE, message="similar")


def _outdated(item: Item, generator: str, severity: Severity) -> RawDiagnostic:
    values = {"item": item.text, "generator": generator}
    return RawDiagnostic(span_of(item), values, severity=severity, message="outdated")


def _is_similar(text: str, title: str) -> bool:
    words, meant = fold(text)[:_LONGEST], fold(title)[:_LONGEST]
    if not words or not meant:
        return False
    if words in meant or meant in words:
        return True
    from difflib import SequenceMatcher

    return SequenceMatcher(None, words, meant, autojunk=False).ratio() >= 0.6
