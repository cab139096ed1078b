"""The rule `text/lost-cell`: where the first lost cell stands, and what is not lost."""

from __future__ import annotations

import pytest

from shelfread.checks.text.left_over import lost_cell
from support.project import run

HEAD = "| Year | Title |\n|---|---|\n"


@pytest.mark.parametrize(
    ("row", "lost"),
    [
        ("| 2020 | A | Bee | Cee |", "Bee"),
        ("2020 | A | Bee", "Bee"),
        ("| 2020 || Aye |", "Aye"),
        ("| Aye | Aye | Aye |", "Aye"),
        ("| 2020 | A \\| B | Cee", "Cee"),
        ("| 2020 | `aye|bee` |", "bee`"),
        ("| 2020 | A | | [C](https://example.org) |", "[C](https://example.org)"),
        ("| 2020 | A | xx\\|y |", "xx\\|y"),
    ],
)
def test_the_first_lost_cell(row: str, lost: str) -> None:
    (found,) = run(lost_cell, HEAD + row + "\n")
    assert (found.line, found.text) == (3, lost)
    assert found.place.span.start >= len(HEAD) + row.index("|", row.index("2020") if "2020" in row else 5)


@pytest.mark.parametrize(
    "row",
    [
        "| 2020 | A |",
        "| 2020 |",
        "| 2020 | A | | |",
        "| 2020 | A | - |",
        "| 2020 | A | [//]: #08/20",
        "| 2020 | A \\| B |",
        "2020 | A|",
    ],
)
def test_nothing_is_lost(row: str) -> None:
    assert run(lost_cell, HEAD + row + "\n") == []


def test_a_table_within_other_blocks() -> None:
    text = HEAD + "| 2020 | A | Bee |\n"
    assert [one.text for one in run(lost_cell, "".join(f"> {line}\n" for line in text.splitlines()))] == [
        "Bee"
    ]
    assert [
        one.text
        for one in run(lost_cell, "- Item\n\n" + "".join(f"  {line}\n" for line in text.splitlines()))
    ] == ["Bee"]


def test_a_header_that_lacks_a_column_is_told_once() -> None:
    (found,) = run(lost_cell, HEAD + "| 2020 | A | Bee |\n" * 5 + "| 2021 | A |\n")
    assert (found.line, found.place.values["count"]) == (1, 5)
