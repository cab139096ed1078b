"""Comments, code blocks and tags that nothing closes."""

from __future__ import annotations

import pytest

from shelfread.checks.contents.sync import sync
from shelfread.checks.link.references import missing_anchor
from shelfread.checks.text.left_over import unclosed
from support.project import run

ENTRY = "- [Ash](https://ash.dev) - Keeps books.\n"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("<!-- a\n\n" + ENTRY, [1]),
        ("<!-- a -->\n\n" + ENTRY, []),
        ("<!-- a\n\n" + ENTRY + "\n<!-- b -->\n", [1]),
        ("<!-- a <!-- b -->\n\n" + ENTRY, []),
        ("<details>\n\n<!-- a\n\n" + ENTRY + "\n</details>\n", [3]),
        ("```\n" + ENTRY, [1]),
        ("````\n```\n````\n" + ENTRY, []),
        (ENTRY + "\n```\n" + ENTRY + "```sh\nash\n```\n", [3]),
        ("```sh\nash\n```\n\n```\n" + ENTRY, [5]),
        ("<details>\n\n" + ENTRY + "\n</details>\n\n<details>\n", [7]),
        ("<details>\n<summary>a</summary>\n\n</details>\n", []),
        ("a <b>b <i>c</i> d\n", [1]),
        ("a <b>b</b> <br> </i> <img src=a> <p>d\n", []),
        ("a <B>b</b>\n", []),
        ("| a | b |\n|---|---|\n| <b>c | d</b> |\n", [3]),
        ("`<b>` \\<b>\n", []),
    ],
)
def test_unclosed(text: str, lines: list[int]) -> None:
    assert [one.line for one in run(unclosed, text)] == lines


@pytest.mark.parametrize("check", [missing_anchor, sync])
def test_what_is_hidden_is_not_said_again(check: object) -> None:
    names = ("books", "boxes", "racks", "crates")
    contents = "".join(f"- [{name.title()}](#{name})\n" for name in names)
    sections = "".join(f"\n## {name.title()}\n\n{ENTRY}" for name in names[:3])
    text = f"# Shelves\n\n## Contents\n\n{contents}{sections}\n"
    assert run(check, f"{text}## Crate\n\n{ENTRY}")  # type: ignore[arg-type]
    assert run(check, f"{text}<!--\n\n## Crates\n\n{ENTRY}") == []  # type: ignore[arg-type]
