"""Items of a contents that stand twice, in another order than their headings, or in other words."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator

from shelfread.checks.common.sequence import out_of_order
from shelfread.checks.contents.coverage import Listing, said, span_of
from shelfread.checks.contents.model import Item, Part, fold
from shelfread.core.diagnostics import Applicability, RawDiagnostic, Severity
from shelfread.core.support.edit_distance import is_slip

_LEAST_ITEMS = 8
_FEW = 10


def doubled(listing: Listing, part: Part) -> Iterator[RawDiagnostic]:
    """Items that stand twice in one list."""
    first: dict[tuple[int, str, int], Item] = {}
    for item in part.items:
        heading = listing.heading_of(item)
        if heading is None or heading < 0:
            continue
        other = first.setdefault((heading, fold(item.text), item.parent), item)
        if other is not item and other.inside is item.inside:
            listing.doubled.add(span_of(item))
            finding = (
                f"'{item.text}' stands in the contents twice, first in line {listing.line(other.link.start)}"
            )
            edits = () if part.generator else listing.writer.removed(item)
            yield RawDiagnostic(item.link.text, said(finding, part), edits, severity=Severity.WARNING)


def misordered(listing: Listing, part: Part) -> Iterator[RawDiagnostic]:
    """Items that stand in another order than their headings, where nearly all are in the same."""
    rows: dict[int, list[tuple[int, Item]]] = defaultdict(list)
    for item in part.items:
        heading = listing.heading_of(item)
        if heading is not None and heading >= 0 and span_of(item) not in listing.doubled:
            rows[item.parent].append((heading, item))
    strays = {parent: out_of_order([heading for heading, _ in row]) for parent, row in rows.items()}
    count = sum(map(len, strays.values()))
    total = sum(map(len, rows.values()))
    if not count or part.generator or (count * _FEW > total if count > 1 else total < _LEAST_ITEMS):
        return
    texts = [item.text.casefold() for item in part.items if item.parent == -1]
    if texts == sorted(texts):
        return
    for parent, astray in strays.items():
        row = rows[parent]
        kept = [pair for at, pair in enumerate(row) if at not in astray]
        for at in astray:
            heading, item = row[at]
            place = bisect_left(kept, heading, key=lambda pair: pair[0])
            last = kept[place - 1][1] if place else None
            where = f"below '{last.text}'" if last is not None else "above all others here"
            finding = f"'{item.text}' stands elsewhere in the contents than on the page: {where}"
            edits = listing.writer.moved(item, last, kept[0][1])
            yield RawDiagnostic(
                item.link.text, said(finding, part), edits, Applicability.UNSAFE, Severity.INFO
            )


# ---------------------------------------------------------------------------------------- wording


def worded(listing: Listing) -> Iterator[RawDiagnostic]:
    """Items that name their heading otherwise, where nearly all have its words."""
    pairs = []
    for part in listing.contents.parts:
        for item in part.items:
            own = item.heading
            if part.generator or own is None or own < 0 or not item.text or span_of(item) in listing.meant:
                continue
            pairs.append((item, listing.headings[own], listing.listed[own]))
    differing = [pair for pair in pairs if fold(pair[0].text) != fold(pair[1].title)]
    if not differing or len(differing) * 10 > len(pairs):
        return
    for item, heading, times in differing:
        words, meant = _bare(item.text), _bare(heading.title)
        if not words or not meant or words in meant or meant in words or times > 1:
            continue
        slip = len(words) > 5 and is_slip(words, meant) and not any(map(str.isdigit, words + meant))
        finding = f"the contents says '{item.text}', the heading '{heading.title}'"
        edits = listing.writer.reworded(item, heading)
        severity = Severity.WARNING if slip else Severity.INFO
        yield RawDiagnostic(item.link.text, said(finding, None), edits, Applicability.UNSAFE, severity)


def _bare(text: str) -> str:
    """A title folded, without accents."""
    return fold("".join(one for one in unicodedata.normalize("NFKD", text) if not unicodedata.combining(one)))
