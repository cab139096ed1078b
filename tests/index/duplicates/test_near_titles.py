"""Titles that are nearly the same."""

from __future__ import annotations

import pytest

from shelfread.document.identity import fold_title
from shelfread.index.repeats import is_near, near_titles


@pytest.mark.parametrize(
    ("title", "other", "near"),
    [
        ("Computing on the Machines of Many Tenants", "Compute on the Machines of Many Tenants", True),
        ("Paying Attention to Many Pages of Memory", "Paying Atention to Many Pages of Memory", True),
        ("Training the GPT-3 of Small Companies", "Training the GPT-4 of Small Companies", False),
        ("Serving of an LM on Few Machines Fast", "Serving of an LLM on Few Machines Fast", False),
        ("Learning Supervised Models of Many Jobs", "Learning Unsupervised Models of Many Jobs", False),
        ("Online Learning for Models of Many Jobs", "Offline Learning for Models of Many Jobs", False),
        ("A Course on Scheduling Jobs Well, Part I", "A Course on Scheduling Jobs Well, Part II", False),
        ("Learning of Graphs for Many Small Jobs", "Learning of Temporal Graphs for Many Small Jobs", False),
        ("Models of Jobs", "Model of Jobs", False),
    ],
)
def test_near_titles_agree_in_numbers_and_short_words(title: str, other: str, near: bool) -> None:
    assert is_near(fold_title(title), fold_title(other)) is near
    assert is_near(fold_title(other), fold_title(title)) is near


def test_a_name_before_the_colon_is_ignored() -> None:
    core = "serving models to many at once"
    assert near_titles({f"orca {core}": "orca", core: ""}) == {
        core: f"orca {core}",
        f"orca {core}": f"orca {core}",
    }


def test_too_many_near_titles_are_skipped() -> None:
    titles = {fold_title(f"Paper {n:04} on the Scheduling of Jobs in Clusters"): "" for n in range(10_000)}
    assert near_titles(titles) == {}


def test_long_titles_take_no_time() -> None:
    assert near_titles({f"{'word ' * 100_000}{n}": "" for n in range(10)}) == {}
