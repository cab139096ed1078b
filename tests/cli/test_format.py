"""`shelfread format`: what it writes, prints and exits with."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from shelfread.cli import group
from support.gitrepo import commit, put, repo

__all__ = ["repo"]


def shelfread(*words: str, text: str | None = None) -> Result:
    return CliRunner().invoke(group, ["format", *words], input=text)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.md").write_bytes(b"\xef\xbb\xbf#  A\r\n\r\n- a\r\n")
    (tmp_path / "b.md").write_text("# B\n")
    return tmp_path


def test_files_are_formatted_and_counted(root: Path) -> None:
    (root / "a.md").chmod(0o640)
    assert shelfread(".").exit_code == 0
    assert (root / "a.md").read_bytes() == b"\xef\xbb\xbf# A\r\n\r\n- a\r\n"
    assert (root / "a.md").stat().st_mode & 0o777 == 0o640
    assert shelfread(".").stderr == "shelfread: 2 files formatted already\n"


def test_check_names_the_files_and_changes_none(root: Path) -> None:
    done = shelfread("--check", ".")
    assert (done.exit_code, done.stdout) == (1, "a.md: would be formatted\n")
    assert (root / "a.md").read_bytes() == b"\xef\xbb\xbf#  A\r\n\r\n- a\r\n"
    assert shelfread("--check", "b.md").exit_code == 0


def test_diff_shows_the_change(root: Path) -> None:
    done = shelfread("--diff", ".")
    assert done.exit_code == 1
    assert "-\ufeff#  A\r\n+\ufeff# A\r\n" in done.stdout_bytes.decode()
    assert shelfread("--diff", "b.md").exit_code == 0


def test_standard_input_comes_out_formatted(root: Path) -> None:
    done = shelfread("-", text="#  A\n\n- a")
    assert (done.exit_code, done.stdout) == (0, "# A\n\n- a\n")


def test_the_configuration_chooses_the_style(root: Path) -> None:
    (root / ".shelfread.yaml").write_text("format: {bullet: '*'}\n")
    assert shelfread(".").exit_code == 0
    assert (root / "a.md").read_bytes() == b"\xef\xbb\xbf# A\r\n\r\n* a\r\n"
    (root / ".shelfread.yaml").write_text("format: {bulet: '*'}\n")
    done = shelfread(".")
    assert done.exit_code == 2 and "unknown key 'bulet', did you mean 'bullet'?" in done.stderr


def test_one_unreadable_file_does_not_keep_the_others_back(root: Path) -> None:
    (root / "c.md").write_bytes(b"\xff")
    done = shelfread("a.md", "c.md")
    assert done.exit_code == 2 and "not UTF-8 at byte 0" in done.stderr
    assert (root / "a.md").read_bytes().endswith(b"\r\n\r\n- a\r\n")


ENTRIES = [
    f"- [{letter * 3}](https://example.org/{letter}) - Does {letter}." for letter in "abcdefghijklmnopqrst"
]
SWAPPED = "# A\n\n## B\n\n" + "\n".join([*ENTRIES[:3], *ENTRIES[4:], ENTRIES[3]])


@pytest.mark.parametrize("end", ["", "\n", "\n\n\n"])
def test_a_formatted_file_ends_with_one_newline_and_a_fixed_one_as_before(root: Path, end: str) -> None:
    text = SWAPPED + end
    (root / "a.md").write_text(text)
    assert shelfread("a.md").exit_code == 0
    assert (root / "a.md").read_text() == SWAPPED + "\n"
    (root / "a.md").write_text(text)
    done = CliRunner().invoke(
        group, ["fix", "--isolated", "--select", "entry/order", "--unsafe-fixes", "a.md"]
    )
    assert done.exit_code == 0, done.output
    assert (root / "a.md").read_text() == "# A\n\n## B\n\n" + "\n".join(ENTRIES) + end


@pytest.mark.parametrize("text", ["", "\n", "\n\n"])
def test_an_empty_file_stays_empty(root: Path, text: str) -> None:
    (root / "a.md").write_text(text)
    assert shelfread("a.md").exit_code == 0
    assert (root / "a.md").read_text() == text


OLD = "#  A\n- a\n*   b\n"


@pytest.mark.parametrize(
    ("text", "formatted"),
    [
        ("##   New\n\n" + OLD, "## New\n\n" + OLD),
        (OLD + "##   New", OLD + "## New\n"),
        ("#  A\n- a\n- c   \n*   b\n", "#  A\n- a\n- c\n*   b\n"),
        ("#  A\n*   b\n", "#  A\n*   b\n"),
        (OLD + "\n\n\n## New\n", OLD + "\n## New\n"),
    ],
)
def test_since_a_commit_only_its_lines_are_formatted(repo: Path, text: str, formatted: str) -> None:
    commit({"b.md": OLD})
    put({"b.md": text})
    assert shelfread("--check", "--since", "HEAD", "b.md").exit_code == int(text != formatted)
    assert shelfread("--since", "HEAD", "b.md").exit_code == 0
    assert (repo / "b.md").read_text() == formatted
    assert shelfread("--check", "--since", "HEAD", "b.md").exit_code == 0


@pytest.mark.parametrize("line", [20, 21, 36])
def test_since_a_commit_blank_lines_that_were_added_go(repo: Path, line: int) -> None:
    """Wherever they are added: beside one of the commit nobody can tell which is new."""
    old = "# L\n" + "".join(f"\n## S{number}\n\n- [a](https://a.org/{number}) - Is.\n" for number in range(9))
    commit({"b.md": old})
    lines = old.splitlines(keepends=True)
    put({"b.md": "".join([*lines[:line], "\n" * 2, *lines[line:]])})
    assert shelfread("--since", "HEAD", "b.md").exit_code == 0
    assert (repo / "b.md").read_text() == old


def test_a_style_that_no_table_can_have_is_said(root: Path) -> None:
    rows = "".join(
        f"| Shelf {n} of Books | OSDI 2020 | [pdf](https://example.org/{n}.pdf) |\n" for n in range(12)
    )
    (root / "a.md").write_text(f"# P\n\n| Title | Venue | Link |\n|---|---|---|\n{rows}")
    said = shelfread("--entry-style", "linked-title", "a.md").stderr
    assert "linked-title would leave 12 of 12 papers as they are" in said and "it is a row of a table" in said


def test_since_a_commit_no_line_end_changes(repo: Path) -> None:
    commit({".shelfread.yaml": "format: {end-of-line: lf}\n", "a.md": "# A\r\n\r\n- a\r\n"})
    put({"a.md": "# A\r\n\r\n- a\r\n- b\r\n"})
    assert shelfread("--since", "HEAD", "a.md").exit_code == 0
    assert (repo / "a.md").read_bytes() == b"# A\r\n\r\n- a\r\n- b\r\n"


def test_since_a_commit_only_its_entries_get_the_style(repo: Path) -> None:
    lines = [
        f"- {title} of Large Shelves by Colour (OSDI 2020) [[Paper](https://example.org/{title})]\n"
        for title in ("Sorting", "Painting", "Moving")
    ]
    config = {".shelfread.yaml": "format: {entry: linked-title}\n"}
    commit(config | {"c.md": "# A\n\n" + "".join(lines[:2])})
    put({"c.md": "# A\n\n" + "".join(lines)})
    assert shelfread("--since", "HEAD", "c.md").exit_code == 0
    added = "- [Moving of Large Shelves by Colour](https://example.org/Moving) (OSDI 2020)\n"
    assert (repo / "c.md").read_text() == "# A\n\n" + "".join(lines[:2]) + added


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-"], "--stdin-filename names it"),
        (["--entry-style", "table"], "leave out --since"),
        (["."], "no revision 'nowhere'"),
    ],
)
def test_since_does_not_go_with_everything(repo: Path, words: list[str], message: str) -> None:
    commit({"a.md": "# A\n"})
    done = shelfread("--since", "nowhere", *words)
    assert done.exit_code == 2 and message in done.stderr
