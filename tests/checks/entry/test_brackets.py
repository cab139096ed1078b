"""The rule `entry/brackets`, in what its page is too short to show."""

from __future__ import annotations

import pytest

from shelfread.checks.entry.brackets import brackets
from support.project import run
from support.work import ends

URL = "https://example.org/a"
LINE = f"- [Tool]({URL}) - "


def faults(text: str) -> list[tuple[int, str]]:
    return [(one.line, one.text) for one in run(brackets, text)]


@pytest.mark.parametrize(
    "words",
    [
        "Draws :) and ;-) and (nearly) all faces :(",
        "Does 1) this, 2) that and iii) more",
        "Does a) this (and b) that)",
        "在两个方面改进：1）速度，2）内存",
        "Shows $f(x$ and `(` and <b>(bold)</b>",
        'Splits at <code>(</code> and <kbd>"</kbd> only',
        'Is 5" wide, 7” high and 3′ deep',
        "Says “I don’t” and ‘you do’ of the ’90s",
        "Says „so“, ”så” and “so”",
        "Solves “100 problems of 2020” (“nlp100”)",
        'Quotes "{u} and Aky{\\"u}rek',
        "Is linked ([here](https://example.org/b_(c)))",
        "Spells \\(escaped\\) and &quot;entities&quot;",
    ],
)
def test_what_may_stand_alone(words: str) -> None:
    assert faults(LINE + words) == []


def test_what_one_line_opens_another_may_close() -> None:
    assert faults(f"{LINE}Does much (see\n  - [one]({URL}) - this,\n  - [two]({URL}) - that).\n") == []
    assert faults(f"{LINE}Does much (see\n{LINE}this and that).\n") == [(1, "("), (2, ")")]


def test_a_number_is_none_where_that_leaves_more_alone() -> None:
    assert faults(f"{LINE}Has (plan B) and (plan C") == [(1, "(")]


def test_cells_are_read_one_by_one() -> None:
    text = f"| Name | Text |\n|---|---|\n| [Tool]({URL}) | Does (this |\n| [Other]({URL}) | that) |\n"
    assert faults(text) == [(3, "("), (4, ")")]


def test_a_label_gets_the_brackets_that_the_others_have() -> None:
    outer = f"- A Study of Jobs \\[[Paper]({URL})] [Code]({URL})]\n"
    assert run(brackets, outer)[0].fixed == f"- A Study of Jobs \\[[Paper]({URL})] \\[[Code]({URL})]\n"
    inner = f"- A Study of Jobs [[Paper]]({URL}) [[Code]({URL})\n"
    alone = f"- A Study of Jobs [[Code]({URL})\n"
    for text in (inner, alone):
        assert run(brackets, text)[0].place.edits == ()


def test_the_width_is_that_of_the_words_and_sure_where_it_is_the_lists_too() -> None:
    narrow = run(brackets, f"{LINE}Serves models （fast)\n{LINE}Trains (slowly)\n")[0]
    assert narrow.fixed.startswith(f"{LINE}Serves models (fast)")
    assert narrow.place.safe
    wide = run(brackets, f"{LINE}论文（很好)，代码（也好），数据（还行）\n")[0]
    assert wide.fixed == f"{LINE}论文（很好），代码（也好），数据（还行）\n"
    mixed = run(brackets, f"{LINE}Serves (很好）\n{LINE}Trains (slowly)\n")[0]
    assert not mixed.place.safe


def test_which_of_two_brackets_closes_a_third_is_a_guess() -> None:
    first = run(brackets, f"{LINE}Serves (mod）els fast)\n{LINE}Trains (slowly)\n")[0]
    assert not first.place.safe


def test_what_holds_many_lone_brackets_is_no_prose() -> None:
    assert faults(f"{LINE}Eats ( ( ( ( ( (") == []


@pytest.mark.parametrize("part", ["(", "[", "([{", "“", '"', "1) ", "[a](https://x.org) ["])
def test_hostile_brackets_end(part: str) -> None:
    with ends():
        run(brackets, LINE + part * 5000)
        run(brackets, (LINE + part + "\n") * 500)


def test_lines_end_as_they_may() -> None:
    assert faults(f"# A\r\n\r\n{LINE}Does (this\r\n{LINE}Does that\r\n") == [(3, "(")]
