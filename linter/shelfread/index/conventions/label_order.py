"""Which of two labels of an entry comes first: Paper before Code."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from shelfread.document.model import Entry, LabelledLink
from shelfread.index.conventions.question import Observation, Question, Topic
from shelfread.index.conventions.title_line import labels_of

LABEL_ORDER: Final = Topic("label-order")

_MOST = 6
"""So many labels of one entry are compared with each other."""


def compare_labels(one: LabelledLink, other: LabelledLink) -> Observation | None:
    """Return which of two labels comes first; None for two labels of one role."""
    first, second = _kind(one), _kind(other)
    if first == second:
        return None
    return Observation(Question(LABEL_ORDER, f"{min(first, second)} {max(first, second)}"), first)


def _kind(label: LabelledLink) -> str:
    """A label's role, or the label itself where it has none, as one word."""
    return label.role.id if label.role is not None else "_".join(label.label.casefold().split())


def observe_label_order(entry: Entry, text: str) -> Iterator[Observation]:
    """The order of each two labels of an entry."""
    if len(entry.links) < 2:
        return
    labels = list(labels_of(entry, text))[:_MOST]
    for one, other in combinations(labels, 2):
        order = compare_labels(one, other)
        if order is not None:
            yield order
