"""The rule `entry/glued`, in what its page is too short to show."""

from __future__ import annotations

import pytest

from shelfread.checks.entry.separator import glued
from support.project import run


def listed(gap: str, count: int, odd: str) -> str:
    one = "- A Study of Jobs [[Paper]](https://arxiv.org/abs/2001.00001){}[[Code]](https://github.com/a/b)\n"
    return one.format(gap) * count + one.format(odd)


@pytest.mark.parametrize(
    ("gap", "count", "odd", "message"),
    [
        (" ", 9, "", "missing"),
        (" ", 9, "  ", None),
        (" ", 9, "\t", "other"),
        ("", 9, " ", None),
        (", ", 9, "  , ", "extra"),
        (", ", 9, ",", "missing"),
        (" ", 8, "", None),
        (" ", 30, " and ", None),
    ],
)
def test_blanks_are_learned_for_each_pair_and_its_marks(
    gap: str, count: int, odd: str, message: str | None
) -> None:
    found = run(glued, listed(gap, count, odd))
    assert [one.place.message for one in found] == ([message] if message else [])
    assert all(one.fixed == listed(gap, count, gap) for one in found)


def test_gaps_are_the_project_s() -> None:
    texts = {"a.md": listed(" ", 20, " "), "b.md": listed("", 1, "")}
    assert [(one.path, one.line) for one in run(glued, texts)] == [("b.md", 1), ("b.md", 2)]
    assert run(glued, texts, when="never") == []


def test_blanks_between_cells_are_the_table_s() -> None:
    rows = "| Title | Link | Code |\n|---|---|---|\n"
    rows += (
        "| A Study of Jobs | [Paper](https://arxiv.org/abs/2001.00001) | [Code](https://github.com/a/b) |\n"
        * 12
    )
    rows += "| A Study of Jobs | [Paper](https://arxiv.org/abs/2001.00001)|[Code](https://github.com/a/b) |\n"
    assert run(glued, rows) == []


def test_a_space_that_only_the_odd_form_has_is_not_added() -> None:
    lines = "".join(f"- [Tool {n}](https://example.org/{n}) : Sorts jobs.\n" for n in range(12))
    assert run(glued, lines + "- [Tool](https://example.org/x): Sorts jobs.\n") == []


def test_full_width_marks_need_no_space() -> None:
    entry = "- [Sort](https://example.org/{}) - Sorts {}{}[docs](https://example.org/docs)\n"
    text = "".join(entry.format(name, name, ". ") for name in range(19))
    assert len(run(glued, text + entry.format(19, 19, "."))) == 1
    assert run(glued, text.replace(".", "。") + entry.format(19, 19, "。")) == []


def test_a_link_that_is_not_closed_is_no_gap() -> None:
    links = "".join(f"- A Study of Jobs https://example.org/{number}\n" for number in range(10))
    broken = "- [A Study of Jobs](https://example.org/x）\n"
    assert run(glued, links + broken) == []


def test_who_wrote_it_is_apart_from_the_title() -> None:
    line = "- [Deep Shelves {}](https://arxiv.org/abs/2001.000{}) by Ada Stone, 2020.\n"
    text = "".join(line.format(name, number) for number, name in enumerate("ABCDEFGHIJ", start=11))
    odd = line.format("K", 99).replace(") by", ")by")
    (one,) = run(glued, text + odd)
    assert one.place.message == "missing" and one.fixed == text + odd.replace(")by", ") by")
