"""The rules of checks/entry/description.py, in what their pages are too short to show."""

from __future__ import annotations

import pytest

from shelfread.checks.entry.description import description_end, description_repeats, description_start
from support.lists import LINE, TEN, checked_texts
from support.project import run


@pytest.mark.parametrize(
    ("said", "fixed"),
    [
        ("Asks name servers", "Asks name servers."),
        ("Asks *name servers*", "Asks *name servers*."),
        ("Asks `named`", "Asks `named`."),
        ("Asks name servers,", "Asks name servers."),
        ("Asks a [server](https://example.org/s)", "Asks a [server](https://example.org/s)."),
    ],
)
def test_a_text_without_its_stop(said: str, fixed: str) -> None:
    (found,) = run(description_end, TEN + LINE.format("dig", said))
    assert found.fixed == TEN + LINE.format("dig", fixed)


def test_a_stop_stands_behind_the_link_that_ends_a_text_on_a_line_of_its_own() -> None:
    text = TEN + "- [dig](https://example.org/dig)\n  Asks a [server](https://example.org/s)"
    (found,) = run(description_end, text + "\n")
    assert found.fixed == f"{text}.\n"


@pytest.mark.parametrize(
    "said",
    [
        "Asks!",
        "Asks (all)",
        "Asks 🚀",
        'Asks "all."',
        "Asks:",
        "Asks. `C`",
        "Asks https://a.b/c",
        "Asks… “why?”",
        "询问。",
    ],
)
def test_a_text_that_ends_well(said: str) -> None:
    assert checked_texts(description_end, TEN + LINE.format("dig", said)) == []


def test_chinese_texts_have_a_measure_of_their_own() -> None:
    chinese = "".join(LINE.format(f"c{n}", "一个工具。") for n in range(12))
    (found,) = run(description_end, TEN + chinese + LINE.format("dig", "查询域名"))
    assert found.fixed.endswith(" - 查询域名。\n")
    assert checked_texts(description_end, TEN + LINE.format("dig", "查询域名")) == []


def test_a_list_of_two_minds_has_no_habit() -> None:
    assert run(description_end, TEN.replace("packets.", "packets", 4)) == []
    assert checked_texts(description_end, TEN.replace("packets.", "packets", 8)) == []


@pytest.mark.parametrize(
    ("said", "fixed"),
    [
        ("Dig is a tool.", "A tool."),
        ("dig: asks.", "Asks."),
        ("Dig - Asks.", "Asks."),
        ("dig provides answers.", "Provides answers."),
        ("Dig, a tool.", "A tool."),
    ],
)
def test_a_repeated_name(said: str, fixed: str) -> None:
    (found,) = run(description_repeats, LINE.format("dig", said))
    assert found.fixed == LINE.format("dig", fixed)


@pytest.mark.parametrize("said", ["Digs holes.", "dig's aim is to ask.", "Dig client.", "Dig a hole."])
def test_a_name_that_is_part_of_what_is_said(said: str) -> None:
    assert checked_texts(description_repeats, LINE.format("dig", said)) == []


@pytest.mark.parametrize(("repeating", "told"), [(1, 1), (2, 0), (3, 0)])
def test_names_are_repeated_as_the_list_does(repeating: int, told: int) -> None:
    text = "".join(LINE.format(name, f"{name} is a tool.") for name in ("dig", "mtr", "nmap")[:repeating])
    text += "".join(LINE.format(f"tool{n}", "Does this.") for n in range(20 - repeating))
    assert len(run(description_repeats, text)) == told


def test_sentences_beside_each_other_keep_their_subject() -> None:
    text = LINE.format("dig", "dig is a tool.") + LINE.format("mtr", "This is another.")
    assert run(description_repeats, text) == []
    text = LINE.format("dig", "is a tool.") + LINE.format("mtr", "Mtr is another.")
    text += "".join(LINE.format(f"tool{n}", "Does this.") for n in range(20))
    assert run(description_start, text) == []
