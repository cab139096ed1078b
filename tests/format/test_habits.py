"""What a list does throughout stays; only the lines that differ from it are brought in line."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from format.test_format import formatted
from shelfread.cli import group
from shelfread.core.source import Source
from shelfread.format.format import format_source
from shelfread.format.habits import find_habit

NAMES = ("Ada", "Bix", "Cog", "Dot", "Elk", "Fig", "Gnu", "Hop", "Ivy", "Jot", "Kit", "Log")


def each(line: str, names: tuple[str, ...] = NAMES) -> str:
    """One line, or several, for each name that stands for `N`."""
    return "".join(line.replace("N", name) for name in names)


UNIFORM = {
    "tabs": each("- N\n\t- below N\n\t\t- below that\n"),
    "tabs and text below": each("- N\n\n\tMore of N.\n\n"),
    "three spaces behind bullets": each("-   N\n    - below N\n"),
    "a tab behind bullets": each("+\tN\n"),
    "indented lists": each("  - N\n    - below\n"),
    "numbers whose texts are in one column": each(" 9. N\n", NAMES[:9]) + "10. Kit\n",
    "underlined headings": "Tools\n=====\n\n" + each("N\n---\n\n- [N](u) is one.\n\n"),
    "only the title underlined": "Tools\n=====\n\n" + each("## N\n\n- N\n\n"),
    "no blank line behind headings": each("## N\n- N\n\n"),
    "no blank line before lists": each("## N\n\nText of N:\n- N\n\n"),
    "no blank line at all around headings": each("## N\n- N\n"),
    "two blank lines before headings": "# Tools\n" + each("\n\n## N\n\n- N\n"),
    "two blank lines between items": each("- N\n\n\n"),
    "two spaces behind the marks of headings": each("##  N\n\n- N\n\n"),
    "other blank lines around a rule": each("- N\n\n\n### N\n\n") + "- Zap\n\n---\n\n## End\n\n- N\n\n---\n\n## Bye\n\n- N\n\n---\n\n## Out\n",
    "headings right below headings": each("### N\n\n- N\n\n") + each("## N\n### N\n\n- N\n\n", NAMES[:4]) + "- Zap",
    "a heading right below the only one": each("### N\n- N\n\n") + "## Zap\n### Zip\n- Zap",
    "a paragraph whose lines are all indented": "Tools:\n\n  • Ada\n  • Bix\n\nMore:\n\nText.\n\nText.",
    "a line below an item that is indented too little": each("1. N\n\n   Text of N.\n\n") + "1. Zap\n\n  Code of Zap.\n\nText.\n\nText.",
    "bullets of two kinds and a section of one": "# Tools\n\n## Contents\n\n" + each("* [N](#n)\n") + "+ Zap\n+ Zip\n\n## All\n\n" + each("- N\n- M\n- O\n- P\n- Q\n- R\n- S\n- T\n- U\n"),
    "contents with other bullets": "## Contents\n\n- [A](#a)\n- [B](#b)\n- [C](#c)\n\n## A\n\n" + each("* N\n* M\n"),
    "a lone heading without a blank line": "## Tools\n> Of all kinds.\n\n- Ada",
    "headings of several levels in a row": "# Ada\n## Bix\n### Cog\n\n- a\n\n## Dot\n### Elk\n\n- b\n\n## Fig\n\n### Gnu\n\n- c",
    "two headings without blank lines": "# Tools\nText.\n\n## Ada\n- Ada",
    "a fence right below its text": "Text:\n```\ncode\n```",
    "two lists right below their texts": "Text:\n- Ada\n\nMore:\n- Bix",
    "a blank line before one of many lists": each("N:\n- N\n\n") + "Zap\n\n- Zap",
    "a list at the margin among indented ones": "- Ada\n- Bix\n\n" + each("## N\n\n - N\n - M\n\n"),
    "a space of another kind before a further line": "- Ada\n \u00a0 more" + each("\n- N\n  below N"),
    "a paragraph behind some headings": each("## N\n![badge](u.png)\n\n") + "## Zap\n\nText.",
    "a dash for a bullet": "- Ada\n\nText.\n\n– Bix\n- Cog\n- Dot",
    "underscores": each("- N, _a thing_ and __another__\n"),
    "spaces at the ends of lines": each("- N \n"),
    "blank lines of spaces": each("- N\n  \n  More of N.\n  \n") + "- Zap",
    "other bullets below": each("* N\n  - below N\n"),
    "fences with the text": each("- N\n\n      code\n\n    ```\n    x\n    ```\n"),
}  # fmt: skip


@pytest.mark.parametrize("text", UNIFORM.values(), ids=list(UNIFORM))
def test_a_list_that_is_uniform_is_not_touched(text: str) -> None:
    text = text.rstrip("\n") + "\n"
    assert formatted(text) == text


MINORITY = {
    "items below the text of theirs": (
        each("- N\n") + each("- N\n  - a\n", NAMES[:4]) + each("- N\n    - a\n", NAMES[:4]) + "-   Zap\n    - below\n",
        each("- N\n") + each("- N\n  - a\n", NAMES[:4]) + each("- N\n    - a\n", NAMES[:4]) + "- Zap\n  - below\n",
    ),
    "an item at the margin of an indented list": (each(" - N\n") + "- Zap\n", each(" - N\n") + " - Zap\n"),
    "a fence right below its text": ("Ada:\n```\na\n```\n\nBix:\n\n```\nb\n```\n", "Ada:\n\n```\na\n```\n\nBix:\n\n```\nb\n```\n"),
    "spaces among tabs": (each("- N\n\t- below N\n") + "- Zap\n    - below\n", each("- N\n\t- below N\n") + "- Zap\n\t- below\n"),
    "a tab among spaces": (each("- N\n  - below N\n") + "- Zap\n\t- below\n", each("- N\n  - below N\n") + "- Zap\n  - below\n"),
    "one space behind the bullet among three": (each("-   N\n") + "- Zap\n", each("-   N\n") + "-   Zap\n"),
    "one bullet": (each("- N\n") + "\nText.\n\n* Zap\n", each("- N\n") + "\nText.\n\n- Zap\n"),
    "one heading with a blank line": (each("## N\n- N\n\n") + "## Zap\n\n- Zap\n", each("## N\n- N\n\n") + "## Zap\n- Zap\n"),
    "one heading without a blank line": (each("## N\n\n- N\n\n") + "## Zap\n- Zap\n", each("## N\n\n- N\n\n") + "## Zap\n\n- Zap\n"),
    "one blank line among two": (
        "# Tools\n" + each("\n\n## N\n\n- N\n") + "\n## Zap\n\n- Zap\n",
        "# Tools\n" + each("\n\n## N\n\n- N\n") + "\n\n## Zap\n\n- Zap\n",
    ),
    "an underlined heading": (each("## N\n\n- N\n\n") + "Zap\n---\n\n- Zap\n", each("## N\n\n- N\n\n") + "## Zap\n\n- Zap\n"),
    "asterisks among underscores": (each("- _N_\n") + "- *Zap*\n", each("- _N_\n") + "- _Zap_\n"),
    "one space at the end of a line": (each("- N\n") + "- Zap \n", each("- N\n") + "- Zap\n"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "right"), MINORITY.values(), ids=list(MINORITY))
def test_only_the_minority_is_brought_in_line(text: str, right: str) -> None:
    assert formatted(text) == right


def test_a_section_keeps_a_habit_of_its_own() -> None:
    many = tuple(f"{name} {number}" for name in NAMES for number in range(12))
    own = each("*  N\n")
    text = "## First\n\n" + each("- N\n", many) + "\n## Second\n\n" + own + "\n## Third\n\n"
    assert formatted(f"{text}*  Zap\n") == f"{text}- Zap\n"


def test_the_sections_below_a_section_belong_to_it() -> None:
    many = tuple(f"{name} {number}" for name in NAMES for number in range(12))
    own = each("### N\n\n-   N\n    -   below\n\n")
    text = "## First\n\n" + each("- N\n  - below\n", many) + "\n## Second\n\n" + own + "## Third\n\n"
    assert formatted(f"{text}-   Zap\n") == f"{text}- Zap\n"


MIXED = {
    "bullets": each("- N\n") + "\nText.\n\n" + each("* N\n"),
    "steps": each("- N\n  - below\n") + each("- N\n    - below\n"),
    "most headings have no blank line behind them": each("## N\n- N\n\n")
    + each("## N\n\n- N\n\n", NAMES[:6]),
    "most lines end with spaces": each("- N \n") + each("- N\n", NAMES[:6]),
}


@pytest.mark.parametrize("text", MIXED.values(), ids=list(MIXED))
def test_without_a_habit_the_lines_stay_as_most_have_them(text: str) -> None:
    text = text.rstrip("\n") + "\n"
    assert formatted(text) == text


def test_without_a_habit_blank_lines_become_as_most_have_them_and_ends_of_lines_stay() -> None:
    headings = each("## N\n\n- N\n\n") + each("## N\n- N\n\n", NAMES[:6])
    assert (
        formatted(headings) == (each("## N\n\n- N\n\n") + each("## N\n\n- N\n\n", NAMES[:6])).rstrip() + "\n"
    )
    spaces = each("- N\n") + each("- N \n", NAMES[:6])
    assert formatted(spaces) == spaces
    assert formatted(each("- N\n") + "- Zoe \n") == each("- N\n") + "- Zoe\n"


def test_a_contents_list_keeps_its_bullet_above_the_sections_below_its_heading() -> None:
    contents = "## Contents\n\n" + each("* [N](#n)\n", NAMES[:4])
    text = f"# List\n\n{contents}\n" + each("### N\n\n- N\n- M\n\n")
    assert formatted(text).startswith(f"# List\n\n{contents}")


def test_one_bullet_for_a_whole_list_is_not_torn_in_two() -> None:
    contents = each("- [N](#n)\n  - [Below N](#below-n)\n", NAMES[:4])
    text = f"{contents}\n" + each("## N\n\n* N\n* M\n\n") + each("### Below N\n\n* N\n* M\n\n")
    assert formatted(text).startswith(contents)


@pytest.mark.parametrize(("counts", "habit"), [
    ({"a": 9, "b": 1}, "a"), ({"a": 8, "b": 2}, None), ({"a": 3, "b": 1}, "a"), ({"a": 2, "b": 1}, None), ({"a": 1}, "a"),
    ({"a": 18, "b": 1, "c": 1}, "a"), ({}, None),
])  # fmt: skip
def test_a_habit_is_what_nine_of_ten_cases_have(counts: dict[str, int], habit: str | None) -> None:
    assert find_habit(Counter(counts)) == habit


def test_bare_addresses_have_no_emphasis() -> None:
    bold = each("**N** and **more**, ")
    assert formatted(f"{bold}https://a.org/__init__.py\n") == f"{bold}https://a.org/__init__.py\n"
    assert formatted(f"{bold}__init__.py\n") == f"{bold}**init**.py\n"


def test_an_empty_task_keeps_the_space_that_makes_it_one() -> None:
    assert formatted("- [ ] a\n- [ ] \n- b \n- c\n- d\n") == "- [ ] a\n- [ ] \n- b\n- c\n- d\n"


# ----------------------------------------------------------------------------------------- accidents
ACCIDENTS = {
    "a link": "[paper](https://a.org/p)\n---\n",
    "a sentence": "These tools are for the bold.\n---\n",
    "several lines": "First line\nand the second\n---\n",
}


@pytest.mark.parametrize("accident", ACCIDENTS.values(), ids=list(ACCIDENTS))
def test_a_text_right_above_a_rule_is_left_and_reported(accident: str) -> None:
    text = each("## N\n\n- N\n\n") + accident + "\nText.\n"
    result = format_source(Source(text))
    assert result.text == text
    assert [line for line, _ in result.unformatted] == [text[: text.index(accident)].count("\n") + 1]
    assert "makes it a heading" in result.unformatted[0].reason


def test_a_line_below_words_stays_there() -> None:
    text = "**2021**\n\n___\n1. A\n\n**2020**\n___\n1. B\n"
    assert format_source(Source(text)).text == text


def test_the_only_underlined_text_is_reported_too() -> None:
    result = format_source(Source("# Tools\n\n[paper](https://a.org/p)\n---\n\nText.\n"))
    assert [line for line, _ in result.unformatted] == [3]


def test_underlined_headings_with_links_are_headings_where_all_are_underlined() -> None:
    assert format_source(Source(each("[N](u)\n---\n\n- N\n\n"))).unformatted == ()


def test_a_heading_of_two_lines_keeps_its_blank_line_and_nothing_is_said_of_it() -> None:
    text = each("Of N.\n# N\n\n- N\n\n") + "Of Zap.\n\nZap\nand more\n===\n\n- Zap\n"
    assert formatted(text) == text
    assert format_source(Source(text)).unformatted == ()


# ------------------------------------------------------------------------------------------ line numbers
def test_what_is_left_is_named_by_its_line_in_the_file_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = (
        "\n\n" + each("## N\n\n- N\n\n") + "## Zap\n\n\n\n- Zap\n\n[paper](https://a.org/p)\n---\n\nText.\n"
    )
    (tmp_path / "README.md").write_text(text)
    line = text[: text.index("[paper]")].count("\n") + 1
    for options in (["--diff"], ["--check"]):
        done = CliRunner().invoke(group, ["format", "--isolated", *options, "README.md"])
        assert f"README.md:{line}: not formatted" in done.stderr
    done = CliRunner().invoke(group, ["format", "--isolated", "README.md"])
    assert f"README.md:{line - 4}: not formatted" in done.stderr
    assert (tmp_path / "README.md").read_text().splitlines()[line - 5].startswith("[paper]")


def test_a_paragraph_that_misses_its_item_is_told_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    items = [f"{number}. **Title {number}.** KDD 2009.\n\n   *Ada Stone*\n\n" for number in range(1, 6)]
    text = "# Papers\n\n" + "".join(items).replace("4. ", "4.  ")
    (tmp_path / "README.md").write_text(text)
    done = CliRunner().invoke(group, ["format", "--isolated", "--check", "README.md"])
    assert (
        "README.md:15: not formatted: the text below it is indented by 3, but belongs to the item only from 4 on: indent it further"
        in done.stderr
    )


def test_items_within_one_line_keep_their_columns() -> None:
    for text in ("- -   a\n\n      b\n", "1. -   a\n\n       b\n", "- 1)   a\n\n       b\n"):
        result = format_source(Source(text))
        assert (result.text, result.unformatted) == (text, ())
