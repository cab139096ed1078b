"""What rewriting an entry must not tear: emphasis, quotation marks, emoji, punctuation, badges, brackets."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from format.entries.test_restyle import URL, many, styled
from shelfread.cli import group
from shelfread.format.result import EntryStyle

BRACKETS = many(f"- Paper Number N of Many (OSDI 2024) [[Paper]({URL}N)]")
LINKED = many(f"- [Paper Number N of Many]({URL}N) (OSDI 2024)")

KEPT: dict[str, tuple[EntryStyle, str, str]] = {
    "a title and its citation in one emphasis": (
        "linked-title",
        f"- **Looking into Recurrent Networks (2018), SysML** [[Paper]({URL}9)]\n",
        "what is emphasised is more than its title",
    ),
    "an emoji before another label": (
        "linked-title",
        f"- Quick Serving of Many Models. :star: [[pdf]({URL}9)] [[code](https://github.com/a/b)]\n",
        "a mark of one link would be before another",
    ),
    "a link that ends within a title": (
        "bracket-links",
        f"- [Long term]({URL}9)memory for language models that serve (ICML 2023)\n",
        "its link ends within its title",
    ),
    "an emoji that a row has no place for": (
        "table",
        f"- [Quick Serving of Many Models]({URL}9), SOSP 2023 :zap: [code](https://github.com/a/b)\n",
        "a mark of it would be lost",
    ),
}


@pytest.mark.parametrize(("entry", "line", "reason"), KEPT.values(), ids=list(KEPT))
def test_what_would_be_torn_stays_and_is_named(entry: EntryStyle, line: str, reason: str) -> None:
    others = {"linked-title": LINKED, "bracket-links": BRACKETS, "table": ""}[entry]
    text, left = styled(others + line, entry)
    assert text == others + line
    assert left == [(others.count("\n") + 1, reason)]


REWRITTEN: dict[str, tuple[EntryStyle, str, str]] = {
    "an emoji stays before its link": (
        "bracket-links",
        f"- [Quick Serving of Many Models]({URL}9). SOSP 2023. :star:[code](https://github.com/a/b)\n",
        f"- Quick Serving of Many Models. SOSP 2023. :star:[code](https://github.com/a/b) [[Paper]({URL}9)]\n",
    ),
    "of two marks around a removed label one stays": (
        "linked-title",
        f"- Wide Serving of Many Models. *Ann Author, Bo Writer*. [[pdf]({URL}9)], 2024.08\n",
        f"- [Wide Serving of Many Models]({URL}9). *Ann Author, Bo Writer*. 2024.08\n",
    ),
    "a label that only says paper goes with its brackets": (
        "linked-title",
        f"- One Solution for Serving of Models. [[PUB]({URL}9)] [[CODE](https://github.com/a/b)]\n",
        f"- [One Solution for Serving of Models]({URL}9) [[CODE](https://github.com/a/b)]\n",
    ),
    "a label that is the venue stays": (
        "linked-title",
        f"- [[arXiv]({URL}9)] One Solution for Serving of Models\n",
        f"- [One Solution for Serving of Models]({URL}9) (arXiv)\n",
    ),
    "badges get no brackets": (
        "linked-title",
        f"- One Solution for Serving of Models (OSDI 2024) [[pdf]({URL}9)] ![stars](https://img.shields.io/a/b)\n",
        f"- [One Solution for Serving of Models]({URL}9) (OSDI 2024) ![stars](https://img.shields.io/a/b)\n",
    ),
    "a label with brackets of its own gets no others": (
        "linked-title",
        f"- One Solution for Serving of Models. [Mnih et al. (2013)]({URL}9).\n",
        f"- [One Solution for Serving of Models]({URL}9). Mnih et al. (2013).\n",
    ),
    "a break stays at the end of its line": (
        "bracket-links",
        f"- [One Solution for Serving of Models]({URL}9) <br />\n",
        f"- One Solution for Serving of Models [[Paper]({URL}9)] <br />\n",
    ),
    "quotation marks": (
        "bracket-links",
        f'- "[One Solution for Serving of Models]({URL}9)" (OSDI 2024)\n',
        f'- "One Solution for Serving of Models" (OSDI 2024) [[Paper]({URL}9)]\n',
    ),
}  # fmt: skip


@pytest.mark.parametrize(("entry", "line", "right"), REWRITTEN.values(), ids=list(REWRITTEN))
def test_what_is_around_a_link_stays_in_its_place(entry: EntryStyle, line: str, right: str) -> None:
    others = LINKED if entry == "linked-title" else BRACKETS
    assert styled(others + line, entry) == (others + right, [])


def test_titles_that_are_highlighted_stay_so() -> None:
    bold = many(f"- **Great Paper N of Many** (OSDI 2024) [[Paper]({URL}N)]", 3)
    others = many(f"- Paper Number N of Many (OSDI 2024) [[Paper]({URL}N)]", 9)
    text = bold + others + f"- **[Another Great Paper]({URL}0)** (OSDI 2024)\n"
    right = bold + others + f"- **Another Great Paper** (OSDI 2024) [[Paper]({URL}0)]\n"
    assert styled(text, "bracket-links") == (right, [])


def test_a_row_keeps_the_stop_of_et_al_and_the_colon_of_a_subtitle() -> None:
    text = (
        f"- A Paper of Many Words (2015), A. Author et al. [[pdf]({URL}1)]\n"
        f"- Another Paper of Many Words (2016), B. Author et al. [[pdf]({URL}2)]\n"
    )
    after, _ = styled(text, "table")
    assert "et al. |" in after


def test_lines_are_those_of_the_file_before_its_lists_become_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = (
        "# Papers\n\n\n\n\n## First\n\n"
        + many(f"- Paper Number N of Many (OSDI 2024) [[Paper]({URL}N)]")
        + f"\n## Second\n\n- Paper of Words (OSDI 2024) [[Paper]({URL}8)]\n  - A note.\n"
    )
    (tmp_path / "a.md").write_text(text)
    line = text[: text.index("- Paper of Words")].count("\n") + 1
    command = ["format", "--entry-style", "table", "--isolated", "a.md"]
    assert f"a.md:{line}: not formatted" in CliRunner().invoke(group, [*command, "--diff"]).stderr
    written = CliRunner().invoke(group, command).stderr
    after = (tmp_path / "a.md").read_text()
    line_after = after[: after.index("- Paper of Words")].count("\n") + 1
    assert line_after != line
    assert f"a.md:{line_after}: not formatted" in written
