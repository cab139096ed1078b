"""`paper/title-residue`."""

from __future__ import annotations

import pytest

from shelfread.checks.paper.title_text import title_residue
from support.lists import texts
from support.project import run

LINE = "- {} [[Paper](https://arxiv.org/abs/1907.01488)]\n"


@pytest.mark.parametrize(
    "title",
    [
        r"ARCH: A $\underline{A}$nswer to $\underline{R}$eaders of $\underline{Ch}$apters",
        r"Readers of \underline{Ch}apters on Shelves",
        r"Searching $\mathcal{O}(n)$ Shelves in {0, 1}$^n$",
    ],
)
def test_braces_of_formulas_are_no_residue(title: str) -> None:
    assert run(title_residue, LINE.format(title)) == []


def test_a_price_is_no_formula() -> None:
    assert texts(
        run(title_residue, LINE.format("Training a {GPU} Model for $5 and a {CPU} Model for $7"))
    ) == ["{GPU}", "{CPU}"]


@pytest.mark.parametrize(
    ("title", "safe"),
    [
        ("Training on Many {GPUs}Quickly and Well", False),
        ("Training on Many {GPUs} Quickly and Well", True),
        ("Pretraining {B}ERT on Many {GPU}s Well", True),
    ],
)
def test_a_brace_between_two_words_may_stand_for_a_space(title: str, safe: bool) -> None:
    found = run(title_residue, LINE.format(title))
    assert {each.place.safe for each in found} == {safe}
