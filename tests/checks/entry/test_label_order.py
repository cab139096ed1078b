"""The rule `entry/label-order`, in what its page is too short to show."""

from __future__ import annotations

import pytest

from shelfread.checks.entry.labels import label_order
from support.project import fixed, run

NAMES = "Alpha Bravo Charlie Delta Echo Foxtrot Golf Hotel India Juliett Kilo Lima Mike November".split()
LINE = "- A Study of Jobs, {} {} {}\n"
PAPER, CODE = "[[Paper](https://example.org/{0}.pdf)]", "[[Code](https://github.com/example/{0})]"


def study(name: str, first: str = PAPER, second: str = CODE) -> str:
    return LINE.format(name, first.format(name), second.format(name))


def test_the_minority_is_turned_round() -> None:
    text = "".join(map(study, NAMES)) + study("Zulu", CODE, PAPER)
    (found,) = run(label_order, text)
    assert (found.place.values["first"], found.place.values["count"]) == ("Paper", 14)
    assert fixed(label_order, text).text == "".join(map(study, NAMES)) + study("Zulu")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("[Code](https://github.com/example/1)", "[[Paper](https://example.org/1.pdf)]"),
        (CODE, f"{PAPER} ![stars](https://example.org/s.svg)"),
        (CODE, f"{PAPER} (official)"),
    ],
)
def test_labels_of_two_forms_or_with_something_of_their_own_stay(first: str, second: str) -> None:
    (found,) = run(label_order, "".join(map(study, NAMES)) + study("Zulu", first, second))
    assert found.place.edits == ()


@pytest.mark.parametrize(
    ("first", "second"), [(f"{CODE} (a text)", PAPER), (f"{CODE} by Bob", PAPER), (f"{CODE}<br>", PAPER)]
)
def test_labels_that_are_not_side_by_side_are_left_alone(first: str, second: str) -> None:
    assert run(label_order, "".join(map(study, NAMES)) + study("Zulu", first, second)) == []


@pytest.mark.parametrize("form", ["{}", r"\[{}]", "({})", "[[{}]]"])
def test_brackets_go_with_their_labels(form: str) -> None:
    paper = form.format("[Paper](https://example.org/{0}.pdf)")
    code = form.format("[Code](https://github.com/example/{0})")
    if form == "[[{}]]":
        paper, code = "[[Paper]](https://example.org/{0}.pdf)", "[[Code]](https://github.com/example/{0})"
    text = "".join(study(name, paper, code) for name in NAMES)
    assert fixed(label_order, text + study("Zulu", code, paper)).text == text + study("Zulu", paper, code)


def test_two_habits_are_none() -> None:
    text = "".join(study(name, *((PAPER, CODE) if n % 4 else (CODE, PAPER))) for n, name in enumerate(NAMES))
    assert run(label_order, text) == []


def test_a_section_that_leads_with_code_is_left_alone() -> None:
    paper = "[[Paper](https://arxiv.org/abs/2001.{:05})]"
    code = "[[Code](https://github.com/example/r{})]"
    lines = [f"- A Study of {at} Jobs {paper.format(at)} {code.format(at)}\n" for at in range(1, 30)]
    tools = [f"- Tool {at} for Jobs {code.format(at)}\n" for at in range(30, 34)]
    turned = f"- A Tool for Everybody {code.format(40)} {paper.format(40)}\n"
    text = "## Papers\n\n" + "".join(lines) + "\n## Tools\n\n" + "".join(tools)
    assert run(label_order, text + turned) == []
    (found,) = run(label_order, "## Papers\n\n" + turned + "".join(lines))
    assert found.line == 3
