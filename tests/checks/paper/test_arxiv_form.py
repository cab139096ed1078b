"""`paper/arxiv-form`."""

from __future__ import annotations

import pytest

from shelfread.checks.paper.arxiv_form import arxiv_form
from shelfread.core.diagnostics import Severity
from support.papers import linked_paper, texts
from support.project import run

TODAY = "2024-06-15"


@pytest.mark.parametrize(
    "id",
    ["0704.0001", "1412.9999v2", "1501.00001", "2406.00001", "2407.00001", "math/0309136", "cs.LG/0703001"],
)
def test_possible_ids(id: str) -> None:
    for url in (
        f"https://arxiv.org/abs/{id}",
        f"http://www.arxiv.org/pdf/{id}.pdf",
        f"https://ar5iv.org/html/{id}",
    ):
        assert run(arxiv_form, linked_paper(url), today=TODAY) == []


@pytest.mark.parametrize(
    "id",
    "0703.0001 1400.0001 1412.00001 1501.0001 2408.00001 2305.00000 9912.12345 23051.2345 math/030913 maths/0309136 "
    "cs/0803001 hep-th/9013001".split(),
)
def test_impossible_ids(id: str) -> None:
    for url in (
        f"https://arxiv.org/abs/{id}v1",
        f"https://arxiv.org/pdf/{id}.pdf",
        f"https://doi.org/10.48550/arXiv.{id}",
    ):
        assert texts(run(arxiv_form, linked_paper(url), today=TODAY)) == [id]


def test_an_id_that_is_not_filled_in_is_info() -> None:
    (found,) = run(arxiv_form, linked_paper("https://arxiv.org/abs/2406.xxxxx"), today=TODAY)
    assert found.place.severity is Severity.INFO


def test_next_month_may_be_in_the_next_year() -> None:
    assert run(arxiv_form, linked_paper("https://arxiv.org/abs/2501.00001"), today="2024-12-31") == []
    assert len(run(arxiv_form, linked_paper("https://arxiv.org/abs/2502.00001"), today="2024-12-31")) == 1
