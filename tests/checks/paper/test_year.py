"""`paper/year-agrees` and `paper/year-section`."""

from __future__ import annotations

import pytest

from shelfread.checks.paper.venue_form import year_agrees, year_section
from support.lists import texts
from support.project import run


@pytest.mark.parametrize(
    ("stated", "month", "severity"),
    [
        (2021, "2205", "error"),
        (2023, "2205", None),
        (2022, "2205", None),
        (2021, "2201", None),
        (2020, "2201", "error"),
        (2021, "2211", "error"),
    ],
)
def test_a_later_year_may_be_that_of_a_version(stated: int, month: str, severity: str | None) -> None:
    text = f"- A Study of Jobs (arXiv {stated}) [[Paper](https://arxiv.org/abs/{month}.00001)]\n"
    assert [diagnostic.place.severity.label for diagnostic in run(year_agrees, text)] == (
        [severity] if severity else []
    )


def test_a_year_apart_from_the_venue() -> None:
    """It is reported where it stands; that of a heading is none of the entry's."""
    table = (
        "| Paper | Venue | Year |\n|---|---|---|\n"
        "| [A Study of Jobs](https://arxiv.org/abs/2205.00001) | arXiv | 2021 |\n"
        "| [A Study of Locks](https://arxiv.org/abs/2205.00002) | arXiv | 2022 |\n"
    )
    dated = (
        "* [2021/03] **A Study of 2021.** *Stone et al. arXiv.* [[paper](https://arxiv.org/abs/2205.00001)]\n"
    )
    for text, before in ((table, "arXiv | "), (dated, "* [")):
        (found,) = run(year_agrees, text)
        assert text[: found.place.span.start].endswith(before)
    assert run(year_agrees, f"## 2021\n\n{dated.replace('[2021/03] ', '').replace('2021.', 'Jobs.')}") == []


def test_years_of_headings_that_mean_something_else() -> None:
    some = "".join(
        f"- Study {number} of Jobs (OSDI 2020) [[Paper](https://example.org/{number})]\n"
        for number in range(4)
    )
    late = "- A Study of Locks (OSDI 2018) [[Paper](https://example.org/x)]\n"
    assert texts(run(year_section, f"## 2020\n\n{some}{late}")) == ["2018"]
    assert run(year_section, f"## 2020\n\n{some}{late}{late}") == []
    assert run(year_section, f"## 2018-2020\n\n{some}{late}") == []
