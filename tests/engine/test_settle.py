"""A second fix has nothing left to do, also where the first one changes what the list's conventions are."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from shelfread.cli import group
from shelfread.core.source import Source
from shelfread.engine.model import CheckOptions, RunRequest
from shelfread.engine.run import run
from shelfread.fixes import rounds
from shelfread.project.config import EMPTY
from shelfread.rulebook.selection import select
from shelfread.taxonomy.load import load

TITLES = (
    "Alpaca Serving Plans", "Beaver Gradient Tables", "Condor Index Pages", "Dingo Cache Rings", "Egret Token Trees",
    "Ferret Batch Queues", "Gecko Tensor Maps", "Heron Kernel Graphs", "Ibis Memory Pools", "Jackal Stream Joins",
)  # fmt: skip


def paper(title: str, number: int, link: str = "[Code]({})") -> str:
    name = title.split()[0].lower()
    return (
        f"- {title}, OSDI 2021 [[Paper](https://www.usenix.org/conference/osdi21/presentation/{name})]"
        f" [{link.format(f'https://github.com/{name}/{name}-{number}')}]\n"
    )


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    return tmp_path


def shelfread(*words: str) -> Result:
    return CliRunner().invoke(group, words)


def split_list(folder: Path, files: int) -> None:
    """Write a list whose tenth code link is only a link after a fix; then nine of ten labels are `Code`."""
    lines = [paper(title, number) for number, title in enumerate(TITLES)]
    lines[3] = paper(TITLES[3], 3, "(Code)[{}]")
    lines[7] = paper(TITLES[7], 7, "[code]({})")
    step = len(lines) // files
    for number in range(files):
        body = "".join(lines[number * step : (number + 1) * step])
        (folder / f"list{number}.md").write_text(f"# Papers {number}\n\n## Systems\n\n{body}")


@pytest.mark.parametrize("files", [1, 2, 5])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_convention_that_a_fix_completes_is_followed_in_the_same_run(
    folder: Path, files: int, jobs: str
) -> None:
    split_list(folder, files)
    assert "entry/label-case" not in shelfread("check", ".").output
    shelfread("fix", "-j", jobs, ".")
    first = {path.name: path.read_text() for path in folder.glob("*.md")}
    assert "[code]" not in "".join(first.values())
    assert "[Code](https://github.com/dingo/" in "".join(first.values())
    again = shelfread("fix", ".")
    assert {path.name: path.read_text() for path in folder.glob("*.md")} == first
    assert "fixed" not in again.output


def test_a_fix_reports_what_the_next_check_reports(folder: Path) -> None:
    split_list(folder, 2)
    with (folder / "list0.md").open("a") as file:
        file.write("- Kiwi\n")
    fixed, checked = shelfread("fix", "--show-info", "."), shelfread("check", "--show-info", ".")
    found = [line for line in checked.output.splitlines() if line.startswith("list")]
    assert [line for line in fixed.output.splitlines() if line.startswith("list")] == found


def test_a_file_that_does_not_settle_stays_as_it_was(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "MAX_ROUNDS", 0)
    split_list(folder, 1)
    request = RunRequest(("list0.md",), (), select(EMPTY), load(None), options=CheckOptions(fix=True))
    [result] = run(request).files
    assert result.fixed is not None
    assert result.fixed.text == Source.from_bytes((folder / "list0.md").read_bytes()).text
    assert result.fixed.applied == []
    assert {"did not settle" in reason for _, reason in result.fixed.dropped} == {True}
