"""`paper/arxiv-form`."""

from __future__ import annotations

import pytest

from shelfread.checks.paper.arxiv import arxiv_form
from shelfread.core.diagnostics import Severity
from support.lists import linked_paper, texts
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


@pytest.mark.parametrize(
    "path",
    "html/2406.00001v2/x3.png html/cs/0112017v1/picture.gif html/2406.00001 html/2406.00001v1/ abs/?id=2406.00001 "
    "pdf/cs.LG/0112017.pdf pdf/2406.00001v12.pdf abs/cs/0112017v1 html/index.html".split(),
)
def test_other_places_of_an_id(path: str) -> None:
    for host in ("arxiv.org", "ar5iv.org", "web10.arxiv.org"):
        assert run(arxiv_form, linked_paper(f"https://{host}/{path}"), today=TODAY) == []


@pytest.mark.parametrize(
    ("path", "id"),
    [
        ("html/2413.00001v1/x3.png", "2413.00001"),
        ("html/maths/0112017/x3.png", "maths/0112017"),
        ("abs/?v=", ""),
    ],
)
def test_impossible_ids_in_other_places(path: str, id: str) -> None:
    (found,) = run(arxiv_form, linked_paper(f"https://arxiv.org/{path}"), today=TODAY)
    assert found.place.severity is Severity.ERROR
    assert found.text == id or not id


@pytest.mark.parametrize(
    ("before", "after", "safe"),
    [
        ("abs/2406.00001v1v1", "abs/2406.00001v1", True),
        ("abs/2406.00001v1v1v1", "abs/2406.00001v1", True),
        ("abs/2406.00001v1v2", None, None),
        ("abs/2406.00001v", "abs/2406.00001", True),
        ("abs/2406.00001.", "abs/2406.00001", True),
        ("pdf/2406.00001.pdf,", "pdf/2406.00001.pdf", True),
        ("abs/cs/0112017v1v1", "abs/cs/0112017v1", True),
        ("html/2406.00001v1v1/x3.png", "html/2406.00001v1/x3.png", True),
        ("abs/2406.00001/table", "abs/2406.00001", False),
        ("abs/2406.00001new", None, None),
        ("abs/24060001", None, None),
        ("abs/2013.00001", None, None),
    ],
)
def test_only_one_id_can_be_meant(before: str, after: str | None, safe: bool | None) -> None:
    (found,) = run(arxiv_form, linked_paper(f"https://arxiv.org/{before}"), today=TODAY)
    assert (
        found.fixed == (linked_paper(f"https://arxiv.org/{after}") if after else None)
        or not found.place.edits
    )
    assert bool(found.place.edits) is (after is not None)
    if safe is not None:
        assert found.place.safe is safe


def test_next_month_may_be_in_the_next_year() -> None:
    assert run(arxiv_form, linked_paper("https://arxiv.org/abs/2501.00001"), today="2024-12-31") == []
    assert len(run(arxiv_form, linked_paper("https://arxiv.org/abs/2502.00001"), today="2024-12-31")) == 1
