"""Which of two labels of an entry comes first: Paper before Code."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from shelfread.document.model import Entry, LabelledLink
from shelfread.index.conventions.title_line import labels_of

_MOST = 6
"""So many labels of one entry are compared with each other."""


def turn_of(one: LabelledLink, other: LabelledLink) -> tuple[str, str] | None:
    """The question which of two labels comes first, and the answer that this order gives; of two with one
    role there is none."""
    first, second = kind_of(one), kind_of(other)
    if first == second:
        return None
    return f"turn {min(first, second)} {max(first, second)}", first


def kind_of(label: LabelledLink) -> str:
    """A label's role, or the label itself where it has none, as one word."""
    return label.role.id if label.role is not None else "_".join(label.label.casefold().split())


def turns(entry: Entry, text: str) -> Iterator[tuple[str, str]]:
    """The order of each two labels of an entry."""
    if len(entry.links) < 2:
        return
    labels = list(labels_of(entry, text))[:_MOST]
    for one, other in combinations(labels, 2):
        turn = turn_of(one, other)
        if turn is not None:
            yield turn
