"""Fixes and formatting reach the same text, whichever comes first."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from shelfread.cli import group
from shelfread.core.source import Source
from shelfread.format.format import format_source
from support.examples import CARDS, PAGES, Trial, own_folder

# `check --fix` makes safe fixes alone; what needs a yes may make another list of what is being formatted.
FIXED = [id for id, card in CARDS.items() if card.fix in ("safe", "mixed")]


def formatted(texts: Mapping[str, str]) -> dict[str, str]:
    """Formatted files."""
    return {name: format_source(Source(text, name)).text for name, text in texts.items()}


@pytest.mark.slow
@pytest.mark.parametrize("id", FIXED)
def test_examples_of_rules(id: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for example in PAGES[id].examples:
        monkeypatch.chdir(own_folder(example, tmp_path))
        trial = Trial(id, example)
        before = dataclasses.replace(example, files={**example.files, **formatted(trial.lists)})
        if before == example:
            continue
        assert formatted(trial.fixed()) == formatted(Trial(id, before).fixed()), f"line {example.line}"


_BLOCKS = st.lists(
    st.sampled_from(
        [
            "# Papers", "## Serving", "##  Training ", "## Contents\n- [Serving](#serving)\n- [Training](#training)", "",  "", "Text  ",
            "- Orca: A Serving System (OSDI 2022) [[paper](htps://arxiv.org/abs/2207.00032)]", "-  Pipes of Layers (SOSP'19)[[Paper](https://arxiv.org/abs/1806.03377v2)]",
            "* [Tool](http://github.com/a/tool)  - does something", "* [Other](https://github.com/a/other/?utm_source=x) – Does more.", "- [Third]( https://example.org/a b ) - Does.",
            "    - a note  ", "\t- UW & Duke", "1. [One](https://example.org/1) - One.", "3. [Three](https://example.org/3) - Three.", "Title\n=====",
            "| Title | Venue |\n|-|-|\n| [A Paper of Words](http://arxiv.org/pdf/1806.03377)|  SOSP 2019  |", "<!-- comment -->", "```\n- code\n```", "_a_ __b__ *c*",
            "- Paper of Typos (EuroSys2020 ) [[Code]](https://github.com/a/b) , [[Paper]](https://doi.org/10.1145/3302424.3303953)",
        ]
    ),
    min_size=1, max_size=12,
)  # fmt: skip


def run(command: list[str], text: str) -> str:
    """A text as a command leaves it."""
    done = CliRunner().invoke(group, [*command, "--isolated", "-"], input=text)
    assert done.exit_code in (0, 1), done.stderr
    return done.stdout


@pytest.mark.slow
@given(_BLOCKS)
def test_invented_lists(blocks: list[str]) -> None:
    text = "\n".join([*blocks, ""])
    fix, formatting = ["fix", "--unsafe-fixes"], ["format"]
    assert run(formatting, run(fix, text)) == run(fix, run(formatting, text))
