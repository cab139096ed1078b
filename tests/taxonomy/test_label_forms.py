"""Normalised labels."""

from __future__ import annotations

import pytest

from shelfread.taxonomy.label_forms import fold, squash, without_extras


@pytest.mark.parametrize(
    ("label", "folded"),
    [
        ("Training(Parallelism)", "training parallelism"),
        ("12. Cluster Scheduling:", "cluster scheduling"),
        ("2.3 Data & Pipelines", "data and pipelines"),
        ("1) First", "first"),
        ("🚀 **Fast** `Things`", "fast things"),
        (":rocket: Fast <b>Things</b>", "fast things"),
        ("[Linked](https://a.b/c) Title", "linked title"),
        ("Author\u2019s Notes", "authors notes"),
        ("\uff26\uff55\uff4c\uff4c\u3000Width", "full width"),
        ("3D Parallelism", "3d parallelism"),
        ("2023", "2023"),
        ("代码", "代码"),
        ("!!!", ""),
    ],
)
def test_fold(label: str, folded: str) -> None:
    assert fold(label) == folded


def test_squash() -> None:
    assert squash("Euro-Sys") == squash("EUROSYS") == "eurosys"
    assert squash("IEEE S&P") == "ieeesp"


@pytest.mark.parametrize(
    ("heading", "words"),
    [
        ("Parsers :mag:", "Parsers :mag:"),
        ("Parsers :mag: (12)", "Parsers :mag:"),
        ("Parsers:", "Parsers"),
        ("C::", "C"),
    ],
)
def test_a_colon_at_the_end_is_none_of_an_emoji(heading: str, words: str) -> None:
    assert without_extras(heading) == words
