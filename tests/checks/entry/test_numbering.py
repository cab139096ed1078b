"""The rule `entry/numbering`, in what its page is too short to show."""

from __future__ import annotations

import pytest

from shelfread.checks.entry.list_markers import numbering
from shelfread.core.diagnostics import Severity
from support.project import fixed, run


def numbered(*numbers: int, mark: str = ".") -> str:
    return "".join(f"{number}{mark} [x](https://example.org/{number})\n" for number in numbers)


def test_a_slip_is_one_finding_and_the_list_counts_again() -> None:
    (found,) = run(numbering, numbered(1, 2, 3, 5, 6, 7))
    assert (found.line, found.text, found.place.values["before"]) == (4, "5", 3)
    assert found.fixed.split(" ")[-2].endswith("6.")
    assert fixed(numbering, numbered(1, 2, 3, 3, 4, mark=")")).text.count("5)") == 1


def test_an_item_that_was_moved_to_the_top_does_not_begin_the_list() -> None:
    result = fixed(numbering, numbered(6, 1, 2, 3, 4, 5, 7, 8, 9, 10)).text
    assert [line.partition(".")[0] for line in result.splitlines()] == [str(n) for n in range(1, 11)]


def test_several_slips_are_one_finding_for_information() -> None:
    (found,) = run(numbering, numbered(1, 2, 3, 4, 6, 7, 8, 8, 9))
    assert found.place.severity is Severity.INFO
    result = fixed(numbering, numbered(1, 2, 3, 4, 6, 7, 8, 8, 9)).text
    assert [line.partition(".")[0] for line in result.splitlines()] == [str(n) for n in range(1, 10)]


@pytest.mark.parametrize(
    "numbers",
    [
        (1, 1, 1, 1, 1),
        (0, 0, 0, 0),
        (21, 1, 1, 1, 1, 1),
        (1, 2, 3, 4),
        (7, 8, 9, 10),
        (5, 4, 3, 2, 1),
        (1, 2, 3, 1, 2, 3),
        (10, 20, 30, 40, 50),
        (1999, 2004, 2005, 2017),
        (1, 2, 2),
    ],
)
def test_lists_that_do_not_count_or_count_well(numbers: tuple[int, ...]) -> None:
    assert run(numbering, numbered(*numbers)) == []


def test_a_list_that_goes_on_below_a_paragraph_is_its_own() -> None:
    assert run(numbering, f"{numbered(1, 2, 3, 4)}\ntext\n\n{numbered(6, 7, 8, 9)}") == []


def test_a_falling_list_is_reported_alone() -> None:
    (found,) = run(numbering, numbered(6, 5, 4, 4, 3, 2, 1))
    assert found.place.edits == ()


def test_leading_zeros_stay() -> None:
    text = numbered(1, 2, 4, 5).replace("\n", "\n0")[:-1]
    assert "04. [x](https://example.org/5)" in fixed(numbering, "0" + text).text


def test_numbers_that_would_unnest_what_is_below_them_stay() -> None:
    text = "".join(f"{n}. [x](https://example.org/{n})\n   - note\n" for n in (1, 2, 3, 4, 5, 6, 7, 8, 8, 9))
    result = fixed(numbering, text)
    assert result.text == text
    assert result.dropped
