"""What GitHub Actions reads in the output."""

from __future__ import annotations

import subprocess
from collections import Counter
from pathlib import Path

import pytest

from shelfread.cli.options import FORMATS
from support.command_line import LIST, here, process, sample, shelfread
from support.workflow import commands

__all__ = ["here", "sample"]


@pytest.fixture
def actions(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A step of a workflow in a folder of the checkout."""
    for name, value in {
        "ACTIONS": "true",
        "WORKSPACE": str(here),
        "STEP_SUMMARY": str(here / "summary"),
        "SERVER_URL": "https://github.com",
        "REPOSITORY": "a/b",
        "SHA": "c0ffee",
    }.items():
        monkeypatch.setenv(f"GITHUB_{name}", value)
    return here


def test_in_github_actions(actions: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (actions / "sub dir").mkdir()
    (actions / "sub dir/list.md").write_text(LIST)
    monkeypatch.chdir(actions / "sub dir")
    done = shelfread("check")
    assert done.exit_code == 1 and done.stderr == ""
    assert done.stdout.startswith('list.md:5:33: warning[word/the] "teh" is misspelt\n')
    group, told, end = commands(done.stdout)
    assert (group.name, end.name) == ("group", "endgroup")
    assert told == (
        "warning",
        {
            "file": "sub dir/list.md", "line": "5", "endLine": "5", "col": "33", "endColumn": "36",
            "title": "shelfread: word/the",
        },
        '"teh" is misspelt\nFix (shelfread fix): the',
    )  # fmt: skip
    summary = (actions / "summary").read_text()
    assert "[5:33](https://github.com/a/b/blob/c0ffee/sub%20dir/list.md?plain=1#L5)" in summary
    shelfread("check")
    assert (actions / "summary").read_text() == summary * 2


def test_an_explicit_format_wins(actions: Path) -> None:
    for form in FORMATS:
        found = list(commands(shelfread("check", "--output-format", form).stdout))
        assert len(found) == (form == "github")
    assert not list(commands(shelfread("check", "--statistics").stdout))
    assert not (actions / "summary").exists()


def test_as_many_annotations_as_github_shows(actions: Path) -> None:
    for number in range(20):
        (actions / f"list-{number}.md").write_text(LIST)
    found = Counter(one.name for one in commands(shelfread("check", "--select", "word").stdout))
    assert found == {"group": 1, "warning": 10, "endgroup": 1}
    assert shelfread("check", "--select", "word", "--output-format", "github").stdout.count("\n") == 21


def test_one_cause_in_one_file_is_one_annotation(actions: Path) -> None:
    (actions / "list.md").write_text(LIST + "- [Three](https://three.org) - Does teh.\n" * 20)
    (found,) = commands(shelfread("check", "--select", "word", "--output-format", "github").stdout)
    assert (found.properties["line"], found.properties["title"]) == ("5", "shelfread: word/the (21 findings)")
    assert found.message.split("\n") == [
        '"teh" is misspelt',
        "also in lines 7-26",
        "Fix (shelfread fix): the",
    ]


def test_a_summary_that_cannot_be_written_is_a_warning(
    actions: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(actions / "no/such"))
    done = shelfread("check")
    assert done.exit_code == 1
    assert "no/such: the summary cannot be written: no such file" in done.stderr


HOSTILE = (
    "# List\n\n## ##[error]forged\n\n::error::forged\n\n"
    "- [##[error]forged](https://one.org) - Does teh ::warning::thing <script>.\n"
    "- [::error::forged](https://two.org) - Does teh ##[add-mask]e.\n"
)


@pytest.mark.parametrize(
    "words", [("check",), ("check", "--diff"), ("check", "--statistics"), ("fix", "--diff")]
)
def test_a_list_gives_the_runner_no_command(actions: Path, words: tuple[str, ...]) -> None:
    names = ["::error file=a::forged.md", "##[error]forged.md", " ::notice::forged.md"]
    for name in names:
        (actions / name).write_text(HOSTILE.replace("forged", name[:-3]))
    (actions / "##[error]broken.md").write_bytes(b"\xff")
    done = shelfread(*words)
    assert done.exit_code == 2
    found = [one for one in commands(done.stdout) if one.name != "stop-commands"]
    assert list(commands(done.stderr)) == []
    if words == ("check",):
        assert found.pop(0).name == "group" and found.pop().name == "endgroup"
        assert {one.properties["title"].partition(":")[0] for one in found} == {"shelfread"}
        assert {one.properties["file"] for one in found} == {*names, "list.md", "##[error]broken.md"}
    else:
        assert found == []


def test_a_patch_from_a_workflow_applies(actions: Path) -> None:
    (actions / "other.md").write_text(LIST.rstrip("\n"))
    assert process("format", "--diff", "--isolated", "list.md").stdout == b""
    (actions / "list.md").write_text(HOSTILE)
    done = shelfread("fix", "--diff", "list.md", "other.md")
    assert "stop-commands" in done.stdout
    subprocess.run(["git", "apply", "-"], input=done.stdout.encode(), check=True)
    assert "teh" not in (actions / "list.md").read_text() + (actions / "other.md").read_text()
