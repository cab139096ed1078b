"""What a table of contents omits, points to, repeats, orders or words otherwise than its headings, and its new lines."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections import defaultdict
from itertools import pairwise

from shelfread.checks.contents.listing import ListedHeadings, omitted, span_of
from shelfread.checks.contents.meant_headings import misdirected, renamed
from shelfread.core.diagnostics import Applicability, RawDiagnostic, RawDiagnostics, Severity
from shelfread.core.wording import is_slip
from shelfread.index.item_style import Line, new_lines
from shelfread.index.order import out_of_order
from shelfread.index.table_of_contents import ContentsPart, Item, fold, is_section

_LEAST_ITEMS = 8
_FEW = 10
_LEAST_WORD = 6
_MOST_STALE, _LEAST_LETTERS = 50, 8  # items that lead nowhere; letters that begin a heading by no chance


def differences(listing: ListedHeadings) -> RawDiagnostics:
    """Yield headings that the table of contents omits, and items with a wrong target, place or wording."""
    yield from misdirected(listing)
    yield from renamed(listing)
    missing = [index for index in omitted(listing) if not listing.is_first(index)]
    lines = new_lines(listing.writer, missing)
    # An item that leads nowhere may be that of a heading that was renamed, so a line beside it may be one too many.
    stale = [item for item in listing.items if listing.heading_of(item) is None]
    former = [text for item in stale[:_MOST_STALE] if len(text := fold(item.text)) >= _LEAST_LETTERS]
    for index in missing:
        if not fold(listing.headings[index].title).startswith(tuple(former)):
            yield _missing(listing, index, lines.get(index), bool(stale))  # else `link/missing-anchor` tells
    for part in listing.contents.parts:
        yield from repeated(listing, part)
        yield from out_of_heading_order(listing, part)
    yield from worded_otherwise(listing)


def _missing(listing: ListedHeadings, index: int, line: Line | None, is_stale: bool) -> RawDiagnostic:
    heading = listing.headings[index]
    generator = next((part.generator for part in listing.contents.parts if part.generator), "")
    values = {"heading": heading.title, "generator": generator}
    edits, applicability = line or ((), Applicability.SAFE)
    safe = applicability is Applicability.SAFE and not is_stale
    message = "missing-generated" if generator else "missing"
    # The heading may be wrong too, so this does not replace what other rules say of it.
    return RawDiagnostic(heading.span, values, edits, safe, Severity.WARNING, message, precedence=0)


def repeated(listing: ListedHeadings, part: ContentsPart) -> RawDiagnostics:
    """Yield items that one list has twice."""
    first: dict[tuple[int, str, int], Item] = {}
    for item in part.items:
        heading = listing.heading_of(item)
        if heading is None or heading < 0:
            continue
        earlier = first.setdefault((heading, fold(item.text), item.parent), item)
        if earlier is not item and earlier.inside is item.inside:
            listing.repeated.add(span_of(item))
            line = listing.line(earlier.link.start)
            values = {"item": item.text, "line": line, "generator": part.generator}
            edits = () if part.generator else listing.writer.removed(item)
            message = "outdated" if part.generator else "repeated"
            yield RawDiagnostic(item.link.text, values, edits, severity=Severity.WARNING, message=message)


def out_of_heading_order(listing: ListedHeadings, part: ContentsPart) -> RawDiagnostics:
    """Yield items that are not in the order of their headings, if nearly all others are."""
    rows: dict[int, list[tuple[int, Item]]] = defaultdict(list)
    for item in part.items:
        heading = listing.heading_of(item)
        if heading is not None and heading >= 0 and span_of(item) not in listing.repeated:
            rows[item.parent].append((heading, item))
    misplaced = {parent: out_of_order([heading for heading, _ in row]) for parent, row in rows.items()}
    count = sum(map(len, misplaced.values()))
    total = sum(map(len, rows.values()))
    if not count or part.generator or (count * _FEW > total if count > 1 else total < _LEAST_ITEMS):
        return
    found: list[tuple[Item, str, Item]] = []
    for parent, indexes in misplaced.items():
        row = rows[parent]
        names = [(fold(item.text), item.text.casefold()) for _, item in row]
        # In order by letters, or by words.
        falls = {index for index, (a, b) in enumerate(pairwise(names)) if a[0] > b[0] and a[1] > b[1]}
        is_sorted = len(falls) * _FEW <= len(names)
        kept = [pair for index, pair in enumerate(row) if index not in set(indexes)]
        for index in indexes:
            heading, item = row[index]
            is_in_place = is_sorted and falls.isdisjoint((index - 1, index))  # the headings are out of order
            if item.block is None or is_in_place or not is_section(item.text):
                continue  # one of several in a line, or about the list
            place = bisect_left(kept, heading, key=lambda pair: pair[0])
            found.append((item, "after" if place else "before", kept[max(0, place - 1)][1]))
    for item, side, neighbor in found[:1]:  # one mistake may put several out of place
        values = {"item": item.text, "neighbor": neighbor.text, "count": len(found)}
        message = ("several-" if len(found) > 1 else "belongs-") + side
        yield RawDiagnostic(item.link.text, values, severity=Severity.INFO, message=message)


def worded_otherwise(listing: ListedHeadings) -> RawDiagnostics:
    """Yield items that differ from their heading by a slip, if nearly all others have the words of theirs."""
    pairs = []
    for item in (item for part in listing.contents.parts if not part.generator for item in part.items):
        own = item.heading
        if own is not None and own >= 0 and item.text and span_of(item) not in listing.meant:
            pairs.append((item, listing.headings[own], listing.listed[own]))
    differing = [pair for pair in pairs if fold(pair[0].text) != fold(pair[1].title)]
    for item, heading, times in differing if len(differing) * _FEW <= len(pairs) else ():
        words, meant = _bare(item.text), _bare(heading.title)
        is_meant = words in meant or meant in words or len(words) < _LEAST_WORD or times > 1
        if not is_meant and is_slip(words, meant) and not any(map(str.isdigit, words + meant)):
            values = {"item": item.text, "heading": heading.title}
            edits = listing.writer.reworded(item, heading)
            yield RawDiagnostic(item.link.text, values, edits, False, Severity.WARNING, "wording")


def _bare(text: str) -> str:
    """Return a title folded and without accents."""
    return fold("".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)))
