"""The rule `entry/brackets`: backticks and asterisks without a partner."""

from __future__ import annotations

import pytest

from shelfread.checks.entry.brackets import brackets
from support.project import fixed, run

BELOW = "".join(f"- **Tool {name}**: [link](https://example.org/{name}) of *this* tool.\n" for name in "abcd")


def faults(words: str) -> list[tuple[str, str]]:
    return [
        (one.place.message, one.text) for one in run(brackets, f"- [Tool](https://example.org) - {words}\n")
    ]


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ("Uses `code and more.", ("backtick", "`")),
        ("Uses `a` and `code.", ("backtick", "`")),
        ("Uses [`code](https://example.org).", ("backtick", "`")),
        ("Is **bold.", ("mark", "**")),
        ("Is bold**.", ("mark", "**")),
        ("Is **bold** and **more.", ("mark", "**")),
        ("Is **bold*.", ("uneven", "**bold*")),
        ("Is *bold**.", ("uneven", "*bold**")),
    ],
)
def test_what_has_no_partner(words: str, fault: tuple[str, str]) -> None:
    assert faults(words) == [fault]


@pytest.mark.parametrize(
    "words",
    [
        "Let`s go.",
        "Says `so' and ``so''.",
        'Splits at "`".',
        "Escapes \\` and \\*\\*.",
        "Computes 2 ** 3, 2**3 and 10**(-2.5).",
        "Matches *.md and **/*.md, `**` and `*`.",
        "Is a mask ***** of k***.",
        "Is ***both*** and **bold *and* more**.",
        "Needs ``a ` b``.",
        "Takes (* a comment *), `(* code*)` and (a * b*c).",
        "Multiplies (2 * 3) and (*p).",
    ],
)
def test_what_may_stand_alone(words: str) -> None:
    assert faults(words) == []


def test_bold_text_is_certain_where_all_others_like_it_are_bold() -> None:
    text = f"- **Tool*: [link](https://example.org) of this tool.\n{BELOW}"
    assert fixed(brackets, text).text == text.replace("**Tool*", "**Tool**")
    shifted = (
        f"- *8Tool**: [link](https://example.org) of this tool.\n{BELOW}"  # `8` is `*` without the shift key
    )
    assert not run(brackets, shifted)[0].place.safe
    label = f"- [a](https://example.org) **Free** and **Free**\n- [b](https://example.org) **Free*\n{BELOW}"
    assert fixed(brackets, label).text == label.replace("**Free*\n", "**Free**\n")
    within = f"- [link](https://example.org) of **this* tool.\n{BELOW}"
    assert not run(brackets, within)[0].place.safe
    assert fixed(brackets, within, unsafe=True).text == within.replace("**this*", "**this**")


@pytest.mark.slow
@pytest.mark.parametrize("part", ["`", "**a", "**a* ", "*a** ", "` `` ", "(* a", "(*a "])
def test_many_marks_take_linear_time(part: str) -> None:
    run(brackets, f"- {part * 1001}\n")
    run(brackets, f"- {part}\n" * 700)
