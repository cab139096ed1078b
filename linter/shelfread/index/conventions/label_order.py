"""Which of two labels of an entry comes first: Paper before Code."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from shelfread.document.model import Entry, LabelledLink
from shelfread.index.conventions.question import Observation, Topic, question
from shelfread.index.conventions.title_line import labels_of

LABEL_ORDER: Final = Topic("label-order")

_MAX_LABELS = 6
"""At most so many labels of an entry are compared with each other."""


def compare_labels(first: LabelledLink, second: LabelledLink) -> Observation | None:
    """Return which of two labels comes first; None for two labels of one role."""
    kind, other = _kind(first), _kind(second)
    if kind == other:
        return None
    return question(LABEL_ORDER, f"{min(kind, other)} {max(kind, other)}"), kind


def observe_label_order(entry: Entry, text: str) -> Iterator[Observation]:
    """Yield the order of each two labels of an entry."""
    if len(entry.links) < 2:
        return
    for first, second in combinations(list(labels_of(entry, text))[:_MAX_LABELS], 2):
        if (order := compare_labels(first, second)) is not None:
            yield order


def _kind(label: LabelledLink) -> str:
    """Return a label's role, or the label itself if it has none, as one word."""
    return label.role.id if label.role is not None else "_".join(label.label.casefold().split())
