"""`paper/incomplete`."""

from __future__ import annotations

import pytest

from shelfread.checks.paper.incomplete import incomplete
from support.lists import texts
from support.project import run


def test_a_section_of_titles_without_links_is_accepted() -> None:
    full = "".join(
        f"- Study {number} of Jobs (OSDI 2020) [[Paper](https://example.org/{number})]\n"
        for number in range(40)
    )
    bare = "- A Study of Locks (OSDI 2018)\n- A Study of Clocks (SOSP 2019)\n"
    assert run(incomplete, f"## Full\n\n{full}\n## Bare\n\n{bare}") == []
    assert texts(run(incomplete, f"## Full\n\n{full}{bare}")) == ["A Study of Locks", "A Study of Clocks"]


FULL = "".join(
    f"- Study {number} of Jobs (OSDI 2020) [[Paper](https://example.org/{number})]\n" for number in range(40)
)


@pytest.mark.parametrize(
    "line",
    [
        "- A Study of Clocks. TACL 9:249-256,2010. [[Paper](https://example.org/12)]",
        "- A Study of Clocks (TACL) [[Paper](https://example.org/12)], 2025.09",
        "- [2019/03] A Study of Clocks (TACL) [[Paper](https://example.org/12)]",
        "- A Study of Clocks, TACL, Jan'25 [[Paper](https://example.org/12)]",
        "- A Study of Clocks [[TACL-Spring'20](https://example.org/12)] Workshop on Clocks",
        "- Databases (SIGMOD)",
        "- Databases (SIGMOD, VLDB)",
    ],
)
def test_any_year_in_the_line_counts(line: str) -> None:
    assert list(run(incomplete, f"{FULL}{line}\n", links="never")) == []


@pytest.mark.parametrize(
    "line",
    [
        "- A Study of Clocks (TACL) [[Paper](https://example.org/2010/12)]",
        "- A Study of Clocks (TACL) [[Paper](https://example.org/12)] ![](https://example.org/badge-2020.svg)",
        "- A Study of 20190 Clocks (TACL) [[Paper](https://example.org/12)]",
    ],
)
def test_other_numbers_are_no_years(line: str) -> None:
    assert texts(run(incomplete, f"{FULL}{line}\n", links="never")) == ["TACL"]


def test_a_venue_in_a_phrase_is_no_venue() -> None:
    line = "- A Study of Clocks{} [[Paper](https://example.org/12)]"
    for phrase in (
        " with Neural Networks (NNs) for clocks, *Ann Lee.*",
        ", on Machine Learning of time, *Ann Lee.*",
    ):
        assert run(incomplete, f"{FULL}{line.format(phrase)}\n", links="never") == []
    for venue in (", Neural Networks", " (IEEE Transactions on Mobile Computing)", ". *Neural Networks*."):
        assert len(run(incomplete, f"{FULL}{line.format(venue)}\n", links="never")) == 1
