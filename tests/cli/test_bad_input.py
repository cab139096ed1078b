"""Every option of every command with values that are wrong: one line that says what to do, and no file changed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from shelfread.cli import COMMANDS
from shelfread.cli import group as shelfread_group
from support.command_line import shelfread

WORDS = {
    "add": ["sharkdp/fd", "--offline"], "audit": ["folder"], "complete": ["list.md", "--offline"], "diff": ["HEAD"],
    "links": ["list.md", "--offline"], "rule": ["link/empty"],
}  # fmt: skip
FILES = (
    "missing.txt",
    "folder",
    "binary",
    "latin.md",
    "LICENSE.md",
    "broken.yaml",
    "none/list.md",
    "loop",
    "-nope",
)
NUMBERS = ("-1", "x")


def commands() -> Iterator[tuple[str, ...]]:
    context = click.Context(shelfread_group)
    for name in COMMANDS:
        command = shelfread_group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from ((name, each) for each in command.list_commands(context))
        elif name != "server":
            yield (name,)


def option_values(words: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Wrong values of the options of a command, with their options."""
    context = click.Context(shelfread_group)
    command: click.Command | None = shelfread_group
    for word in words:
        assert isinstance(command, click.Group)
        command = command.get_command(context, word)
    assert command is not None
    for option in command.params:
        if isinstance(option, click.Option) and not option.is_flag:
            values = {click.Choice: ("x",), click.IntRange: NUMBERS}.get(type(option.type), FILES)
            yield from ((max(option.opts, key=len), value) for value in ("", *values))


def is_report(words: tuple[str, ...], shown: str) -> bool:
    """Whether a command reported what is wrong with the file that it is for."""
    return words == ("taxonomy", "check") and "error" in shown


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "list.md").write_text(
        "# Shelves\n\n## Tools\n\n- [Alpha](https://a.example/alpha) - Keeps order.\n"
    )
    (tmp_path / "folder").mkdir()
    (tmp_path / "binary").write_bytes(bytes(range(256)))
    (tmp_path / "latin.md").write_bytes("# Regale für Bücher\n".encode("latin-1"))
    (tmp_path / "LICENSE.md").write_text("# MIT License\n\nPermission is granted.\n")
    (tmp_path / "broken.yaml").write_text("a: [1\n")
    (tmp_path / "loop").symlink_to("loop")
    return tmp_path


@pytest.mark.parametrize("words", list(commands()), ids=" ".join)
def test_wrong_values(files: Path, words: tuple[str, ...]) -> None:
    before = {path: path.read_bytes() for path in files.iterdir() if path.is_file()}
    for option, value in option_values(words):
        done = shelfread(*words, *WORDS.get(words[0], ["list.md"]), option, value)
        shown = (*words, option, value, done.stderr)
        assert done.exception is None or isinstance(done.exception, SystemExit), shown
        if not value:
            assert (done.exit_code, f"{option} is empty: give it a value" in done.stderr) == (2, True), shown
        if done.exit_code == 2 and not is_report(words, done.stdout):
            assert done.stderr.startswith("shelfread: ") and done.stderr.count("\n") == 1, shown
        assert {path: path.read_bytes() for path in before} == before, shown


@pytest.mark.parametrize("words", list(commands()), ids=" ".join)
def test_wrong_arguments(files: Path, words: tuple[str, ...]) -> None:
    before = {path: path.read_bytes() for path in files.iterdir() if path.is_file()}
    for value in ("", *FILES):
        done = shelfread(*words, value)
        shown = (*words, value, done.stderr)
        assert done.exception is None or isinstance(done.exception, SystemExit), shown
        if done.exit_code == 2 and not is_report(words, done.stdout):
            assert done.stderr.startswith("shelfread: ") and done.stderr.count("\n") == 1, shown
        assert {path: path.read_bytes() for path in before} == before, shown


@pytest.mark.parametrize(
    "words", [("check",), ("links",), ("links", "--offline"), ("taxonomy", "map"), ("taxonomy", "show")]
)
def test_nothing_is_said_of_a_file_that_cannot_be_read(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    done = shelfread(*words, "picture.png")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == "shelfread: picture.png: this is no text file: name a Markdown file\n"
    done = shelfread(*words, "nosuch.md")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == "shelfread: nosuch.md: no such file or folder\n"
