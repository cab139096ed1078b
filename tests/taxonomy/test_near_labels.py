"""Suggestions: which labels are similar, and that the work for a heading does not grow with their number."""

from __future__ import annotations

import pytest

from shelfread.taxonomy.concept import MAX_OF_PART, Label, make_labels
from shelfread.taxonomy.near_labels import NearLabels, near_index


def near_labels(*texts: str) -> NearLabels:
    labels = make_labels((Label(f"c{n}", "prefLabel", text, "en") for n, text in enumerate(texts)), ["en"])
    return NearLabels(labels, near_index(labels))


@pytest.mark.parametrize(
    ("heading", "label"),
    [
        ("Power Managment", "Power Management"),
        ("Password Management", None),
        ("Serialization", None),
        ("Generalisaton", "Generalization"),
        ("Graph Nueral Networks", "Graph Neural Networks"),
        ("Convolutional Networks", None),
        ("", None),
        ("x" * 200, None),
    ],
)
def test_only_a_slip_away(heading: str, label: str | None) -> None:
    labels = near_labels("Power Management", "Generalization", "Graph Neural Networks")
    found = labels.suggest(heading)
    assert (found.text if found else None) == label


def test_the_work_for_a_heading_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[int] = []
    candidates = NearLabels._candidates

    def count(self: NearLabels, key: str) -> list[int]:
        found = candidates(self, key)
        counted.append(sum(map(len, self._sets.values())))
        self._sets.clear()
        return found

    monkeypatch.setattr(NearLabels, "_candidates", count)
    for number in (1_000, 4_000):
        labels = near_labels(*(f"Learning of Kind{each}" for each in range(number)))
        labels.suggest("Learning of Knid7")
    assert counted[0] == counted[1] <= 3 * MAX_OF_PART
