"""Labels of an entry in another order than the list has them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from shelfread.core.diagnostics import Change, Edit, Effect, RawDiagnostic, Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document, Entry, LabelledLink
from shelfread.index.context import RuleContext
from shelfread.index.conventions.label_order import LABEL_ORDER, compare_labels
from shelfread.index.conventions.majority import Convention, When, learn
from shelfread.index.conventions.question import Question
from shelfread.index.conventions.title_line import labels_of

_BETWEEN = lazy(r"[^\w\n\r<>]{0,12}")
_PAIRS = {"[": "]", "(": ")"}
# What follows a label and speaks of it: its stars, its kind.
_BELONGS = lazy(r"[ \t]*(?:!\[|\[!\[|[(:]|<img)")


def label_order(
    document: Document, context: RuleContext, *, when: When = "learned"
) -> Iterator[RawDiagnostic]:
    """Two labels side by side that nearly all other entries have the other way round."""
    usual: dict[Question, Convention | None] = {}
    for question, forms in context.conventions.questions(LABEL_ORDER):
        if len(forms) > 1 or when == "always":
            usual[question] = learn(forms, when)
    if not any(usual.values()):
        return
    text = document.source.text
    leading = _leading(document, text)
    for entry in document.entries:
        if len(entry.links) < 2:
            continue
        labels = list(labels_of(entry, text))
        for one, other in pairwise(labels):
            order = compare_labels(one, other)
            convention = usual.get(order.question) if order else None
            if order is None or convention is None or convention.form == order.form:
                continue
            if when == "learned" and _leads(leading, entry, one):
                continue  # the section's own way: of tools the code comes first
            if not _BETWEEN.fullmatch(text, one.link.end, max(one.link.end, other.link.start)):
                continue
            values = {"first": other.label, "second": one.label}
            counts = {"count": convention.cases, "total": convention.total}
            span = Span(one.link.start, other.link.end)
            yield RawDiagnostic(span, {**values, **counts}, _swap(one, other, text))


def _leading(document: Document, text: str) -> dict[int | None, Counter[str]]:
    """What the entries of each section begin their labels with."""
    found: dict[int | None, Counter[str]] = {}
    for entry in document.entries:
        first = next(labels_of(entry, text), None)
        if first is not None:
            found.setdefault(entry.section, Counter())[_kind(first)] += 1
    return found


def _leads(leading: dict[int | None, Counter[str]], entry: Entry, label: LabelledLink) -> bool:
    """Whether at least half of an entry's neighbours begin with a label of this kind."""
    kinds = leading.get(entry.section, Counter())
    return kinds[_kind(label)] > 1 and (kinds[_kind(label)] - 1) * 2 >= kinds.total() - 1


def _kind(label: LabelledLink) -> str:
    return label.role.id if label.role is not None else label.label.casefold()


def _swap(one: LabelledLink, other: LabelledLink, text: str) -> tuple[Edit, ...]:
    """The two labels with their brackets in each other's place; none where they are not of one form."""
    first, left = _bracketed(one, text)
    second, right = _bracketed(other, text)
    if left != right or first.end > second.start or _BELONGS.match(text, second.end):
        return ()
    moved = Effect(Change.MOVED)
    return (Edit(*first, text[slice(*second)], moved), Edit(*second, text[slice(*first)], moved))


def _bracketed(label: LabelledLink, text: str) -> tuple[Span, str]:
    """A label with the brackets directly around it, and the form that it has."""
    start, end = label.link.start, label.link.end
    form = text[start : start + 2] if text[start : start + 2] == "[[" else text[start : start + 1]
    opening = text[start - 1 : start] if start else ""
    closing = end + 1 if text[end : end + 1] == "\\" else end
    if opening in _PAIRS and text[closing : closing + 1] == _PAIRS[opening]:
        escaped = text[start - 2 : start - 1] == "\\"
        start, end, form = start - 1 - escaped, closing + 1, f"{opening}{form}"
    return Span(start, end), form
