"""What a change does to that by which it is judged is said in one line each."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from shelfread.cli import group
from support.gitrepo import commit, do, put, repo

__all__ = ["repo"]

LIST = (
    "# Tools\n\n- [Fd](https://fd.example.org) - Finds files.\n- [Rg](https://rg.example.org) - Searches.\n"
)
BAD = LIST + "- [Jq](htps://jq.example.org) - Reads JSON.\n"


@pytest.fixture(autouse=True)
def here(repo: Path) -> Path:
    """A repository with a list, tagged `base`."""
    commit({"list.md": LIST, "other.md": "# Other\n", ".gitattributes": "*.png binary\n"})
    do("tag", "base")
    return repo


def said(*words: str, about: str = "check") -> list[str]:
    """The lines on standard error, without the revision's hash."""
    rev = "base" if about == "diff" else "--since=base"
    done = CliRunner().invoke(group, [about, rev, *words], prog_name="shelfread")
    assert done.exit_code in (0, 1), done.output
    short = do("rev-parse", "--short=7", "base")
    return [line.removeprefix("shelfread: ").replace(f" ({short})", "") for line in done.stderr.splitlines()]


def both(*words: str) -> list[str]:
    """What check and diff agree to say of the work tree, and diff of a commit; which lists are left alone besides."""

    def remarks(*more: str, about: str) -> list[str]:
        return [line for line in said(*more, *words, about=about) if ": skipped: " not in line]

    lines = remarks(about="check")
    assert remarks(about="diff") == lines
    commit({})
    assert remarks("HEAD", about="diff") == lines
    return lines


def test_nothing_is_said_of_what_judges_nothing() -> None:
    put(
        {
            "list.md": BAD,
            ".gitattributes": "*.gif binary\n",
            "pyproject.toml": "[project]\n",
            "a.yaml": "x: 1\n",
        }
    )
    assert both() == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (".shelfread.yaml", "ignore: [link]\n"),
        ("sub/.shelfread.yaml", "ignore: [link]\n"),
        ("pyproject.toml", "[tool.shelfread]\nignore = ['link']\n"),
        (".gitattributes", "other.md linguist-generated\n"),
        (".shelfread/rules/own/page.txt", "no page\n"),
    ],
)
def test_a_configuration(name: str, text: str) -> None:
    put({"list.md": BAD, name: text})
    (line,) = both()
    assert line == (
        f"{name}: changed since base, and the change is judged by it: "
        "--config-from judges by what was there before"
    )
    (line,) = said("--config-from", "base")
    assert line == f"{name}: changed since base, and not heeded (--config-from)"


def test_one_that_is_gone_and_one_that_is_extended() -> None:
    commit({".shelfread.yaml": "extends: rules/base.yaml\n", "rules/base.yaml": "fail-on: error\n"})
    do("tag", "--force", "base")
    put({"rules/base.yaml": "ignore: [link]\n"})
    assert both()[0].startswith("rules/base.yaml: changed")
    Path(".shelfread.yaml").unlink()
    assert both()[0].startswith(".shelfread.yaml: changed")


def test_a_baseline() -> None:
    put({"list.md": BAD})
    CliRunner().invoke(group, ["check", "--write-baseline", "known.json"])
    commit({})
    assert said("--baseline", "known.json") == [
        "known.json: changed since base, and what it knows is not shown"
    ]
    do("tag", "--force", "base")
    assert said("--baseline", "known.json") == []


def test_a_list_that_calls_itself_generated() -> None:
    put({"list.md": "<!-- Generated, do not edit -->\n" + BAD})
    assert both() == ["list.md: calls itself generated only since base, and is left alone"]
    do("tag", "--force", "base")
    put({"list.md": "<!-- Generated, do not edit -->\n" + BAD + "x\n"})
    assert len(said()) == 1


def test_comments_that_silence() -> None:
    commit({"list.md": LIST + "- [Old](htps://x.example.org) - Is old. <!-- shelfread-disable-line -->\n"})
    do("tag", "--force", "base")
    put(
        {
            "list.md": "<!--lint disable-->\n"
            + Path("list.md").read_text()
            + "\n<!-- shelfread-disable link -->\n"
        }
    )
    assert both() == ["list.md: comments that silence rules are new since base: lines 1, 8"]


def test_a_comment_for_the_pull_request_and_github_say_it_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put({".shelfread.yaml": "ignore: [link]\n", "list.md": BAD})
    words = ["diff", "base", "--output-format"]
    assert "- ⚠️ .shelfread.yaml" in CliRunner().invoke(group, [*words, "markdown"]).stdout
    assert len(json.loads(CliRunner().invoke(group, [*words, "json"]).stdout)["remarks"]) == 1
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    done = CliRunner().invoke(group, ["check", "--since", "base"])
    assert "::warning title=shelfread%3A what judges this change::.shelfread.yaml" in done.stdout
    assert "changed since base" in (tmp_path / "summary.md").read_text()


def test_a_name_forges_nothing() -> None:
    put({"a\n::error::x\x1b[31m/.shelfread.yaml": "ignore: [link]\n"})
    (line,) = said()
    assert line.startswith("a<U+000A>::error::x<U+001B>[31m/.shelfread.yaml: changed")
