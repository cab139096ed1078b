"""Changes that may hide findings are reported, each in one line."""

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


def stderr_lines(*words: str, about: str = "check") -> list[str]:
    """The lines on standard error, without the revision's hash."""
    rev = "base" if about == "diff" else "--since=base"
    done = CliRunner().invoke(group, [about, rev, *words], prog_name="shelfread")
    assert done.exit_code in (0, 1), done.output
    short = do("rev-parse", "--short=7", "base")
    return [line.removeprefix("shelfread: ").replace(f" ({short})", "") for line in done.stderr.splitlines()]


def both(*words: str) -> list[str]:
    """The changes that check and diff report for the work tree, and diff for a commit, without skipped lists."""

    def changes(*more: str, about: str) -> list[str]:
        lines = stderr_lines(*more, *words, about=about)
        return [line for line in lines if ": skipped: " not in line and "broken links only: " not in line]

    lines = changes(about="check")
    assert changes(about="diff") == lines
    commit({})
    assert changes("HEAD", about="diff") == lines
    return lines


def test_other_files_are_not_reported() -> None:
    put({"list.md": BAD, ".gitattributes": "*.gif binary\n", "a.yaml": "x: 1\n"})
    assert both() == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "text"),
    [
        (".shelfread.yaml", "ignore: [link]\n"),
        ("sub/.shelfread.yaml", "ignore: [link]\n"),
        (".gitattributes", "other.md linguist-generated\n"),
        (".shelfread/rules/own/page.txt", "no page\n"),
    ],
)
def test_a_policy_file(name: str, text: str) -> None:
    put({"list.md": BAD, name: text})
    (line,) = both()
    assert line == (
        f"{name}: changed since base: the new version is used, use --config-from to check with the old one"
    )
    (line,) = stderr_lines("--config-from", "base")
    assert line == f"{name}: changed since base: the version of --config-from is used"


def test_a_deleted_configuration() -> None:
    commit({".shelfread.yaml": "fail-on: error\n"})
    do("tag", "--force", "base")
    Path(".shelfread.yaml").unlink()
    assert both()[0].startswith(".shelfread.yaml: changed")


def test_a_baseline() -> None:
    put({"list.md": BAD})
    CliRunner().invoke(group, ["check", "--write-baseline", "known.json"])
    commit({})
    assert stderr_lines("--baseline", "known.json") == [
        "known.json: changed since base: its findings are not reported"
    ]
    do("tag", "--force", "base")
    assert stderr_lines("--baseline", "known.json") == []


def test_suppression_comments() -> None:
    commit({"list.md": LIST + "- [Old](htps://x.example.org) - Is old. <!-- shelfread-disable-line -->\n"})
    do("tag", "--force", "base")
    put(
        {
            "list.md": "<!--lint disable-->\n"
            + Path("list.md").read_text()
            + "\n<!-- shelfread-disable link -->\n"
        }
    )
    assert both() == ["list.md: new suppression comments since base: lines 1, 8"]


def test_a_list_that_is_none_any_more() -> None:
    filled = "".join(f"- [Tool {name}]({{{{ {name} }}}})\n" for name in "abc")
    put({"list.md": LIST + filled, "CHANGELOG.md": "# Changes\n\n- [Fd](htps://fd.example.org)\n"})
    assert both() == ["list.md: was a list at base and is a template now: only broken links are reported"]
    do("tag", "--force", "base")
    put({"list.md": Path("list.md").read_text() + "- [Tool d]({{ d }})\n"})
    assert both() == []


def test_the_changes_are_in_reports_for_github(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put({".shelfread.yaml": "ignore: [link]\n", "list.md": BAD})
    words = ["diff", "base", "--output-format"]
    assert "- ⚠️ .shelfread.yaml" in CliRunner().invoke(group, [*words, "markdown"]).stdout
    assert len(json.loads(CliRunner().invoke(group, [*words, "json"]).stdout)["remarks"]) == 1
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    done = CliRunner().invoke(group, ["check", "--since", "base"])
    assert "::warning title=shelfread%3A changed settings::.shelfread.yaml" in done.stdout
    assert "changed since base" in (tmp_path / "summary.md").read_text()


def test_control_characters_in_names_are_escaped() -> None:
    put({"a\n::error::x\x1b[31m/.shelfread.yaml": "ignore: [link]\n"})
    (line,) = stderr_lines()
    assert line.startswith("a<U+000A>::error::x<U+001B>[31m/.shelfread.yaml: changed")
