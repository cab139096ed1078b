"""The rule `entry/label-order`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from shelfread.core.diagnostics import Change, Edit, Effect, RawDiagnostic, Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document, Entry, LabelledLink
from shelfread.index.context import RuleContext
from shelfread.index.conventions.conventions import When
from shelfread.index.conventions.line_style import LABEL_ORDER, compare_labels, labels_of

_BETWEEN = lazy(r"[^\w\n\r<>]{0,12}")
_PAIRS = {"[": "]", "(": ")"}
# What follows a label and belongs to it: a badge, a remark.
_BELONGS = lazy(r"[ \t]*(?:!\[|\[!\[|[(:]|<img)")


def label_order(
    document: Document, context: RuleContext, *, when: When = "learned"
) -> Iterator[RawDiagnostic]:
    """Report two adjacent labels that most entries have in the opposite order."""
    usual = context.departures(document, LABEL_ORDER, when)
    if not usual:
        return
    text = document.source.text
    leading = _leading(document, text)
    for entry in document.entries:
        if len(entry.links) < 2:
            continue
        for first, second in pairwise(labels_of(entry, text)):
            order = compare_labels(first, second)
            convention = usual.get(order[0].subject) if order else None
            if order is None or convention is None or convention.form == order[1]:
                continue
            if when == "learned" and _leads(leading, entry, first):
                continue  # the convention of the section: for tools the code comes first
            start, end = first.link.end, second.link.start
            if end < start or not _BETWEEN.fullmatch(text, start, end):
                continue  # a link that was not closed may hold the next one
            values = {"first": second.label, "second": first.label}
            counts = {"count": convention.cases, "total": convention.total}
            span = Span(first.link.start, second.link.end)
            yield RawDiagnostic(span, {**values, **counts}, _swap(first, second, text))


def _leading(document: Document, text: str) -> dict[int | None, Counter[str]]:
    """Return how often each label comes first in the entries of each section."""
    found: dict[int | None, Counter[str]] = {}
    for entry in document.entries:
        first = next(labels_of(entry, text), None)
        if first is not None:
            found.setdefault(entry.section, Counter())[_kind(first)] += 1
    return found


def _leads(leading: dict[int | None, Counter[str]], entry: Entry, label: LabelledLink) -> bool:
    """Return whether at least half of the section's other entries begin with a label of this kind."""
    kinds = leading.get(entry.section, Counter())
    return kinds[_kind(label)] > 1 and (kinds[_kind(label)] - 1) * 2 >= kinds.total() - 1


def _kind(label: LabelledLink) -> str:
    return label.role.id if label.role is not None else label.label.casefold()


def _swap(first_label: LabelledLink, second_label: LabelledLink, text: str) -> tuple[Edit, ...]:
    """Return the edits that swap two labels and their brackets; none if these differ."""
    first, first_form = _bracketed(first_label, text)
    second, second_form = _bracketed(second_label, text)
    if first_form != second_form or first.end > second.start or _BELONGS.match(text, second.end):
        return ()
    moved = Effect(Change.MOVED)
    return (Edit(*first, text[slice(*second)], moved), Edit(*second, text[slice(*first)], moved))


def _bracketed(label: LabelledLink, text: str) -> tuple[Span, str]:
    """Return the span of a label with the brackets directly around it, and their form."""
    start, end = label.link.start, label.link.end
    form = text[start : start + 2] if text[start : start + 2] == "[[" else text[start : start + 1]
    opening = text[start - 1 : start] if start else ""
    closing = end + 1 if text[end : end + 1] == "\\" else end
    if opening in _PAIRS and text[closing : closing + 1] == _PAIRS[opening]:
        escaped = text[start - 2 : start - 1] == "\\"
        start, end, form = start - 1 - escaped, closing + 1, f"{opening}{form}"
    return Span(start, end), form
