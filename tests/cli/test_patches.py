"""What `--diff` prints is a patch that git takes; on a terminal it is text that commands nothing."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from support.command_line import process, shelfread
from support.gitrepo import commit, do, repo
from support.paths import LINTER

pytestmark = pytest.mark.slow

__all__ = ["repo"]

TEXT = "# List\n\n- [One](https://one.org/?utm_source=x) - Does it.\n- [Two](https://two.org) - Does it.\n"
NAMES = ["list.md", "a list.md", "a\nb.md", "a\x1b[31mb.md", 'a"b\\c.md', "列 表.md", "a\x9b.md"]
TEXTS = {
    "LF": TEXT,
    "CRLF": TEXT.replace("\n", "\r\n"),
    "CR": TEXT.replace("\n", "\r"),
    "mixed": TEXT.replace("\n\n", "\r\r\n").replace("\n- [T", "\r- [T"),
    "a BOM": "\ufeff" + TEXT,
    "no end": TEXT.rstrip("\n"),
    "CR at the end": TEXT.rstrip("\n") + "\r",
    "form feeds": TEXT.replace(" - ", " \x0c- "),
}


@pytest.mark.parametrize("text", TEXTS)
def test_git_applies_it(text: str, repo: Path) -> None:
    commit({"list.md": TEXTS[text]})
    patch = shelfread("fix", "--diff").stdout_bytes
    assert patch.startswith(b"--- a/list.md\n")
    subprocess.run(["git", "apply"], input=patch, check=True, cwd=repo)
    applied = (repo / "list.md").read_bytes()
    do("checkout", "--quiet", ".")
    shelfread("fix")
    assert (repo / "list.md").read_bytes() == applied != TEXTS[text].encode()


@pytest.mark.parametrize("name", NAMES)
def test_git_reads_the_name(name: str, repo: Path) -> None:
    commit({name: TEXT})
    patch = shelfread("fix", "--diff").stdout_bytes
    subprocess.run(["git", "apply"], input=patch, check=True, cwd=repo)
    assert b"utm_source" not in (repo / name).read_bytes()


def test_a_name_that_is_not_utf_8(repo: Path) -> None:
    name = b"a\xff.md"
    try:
        (repo / os.fsdecode(name)).write_text(TEXT)
    except OSError:
        pytest.skip("this file system takes no such name")
    subprocess.run(["git", "apply"], input=process("fix", "--diff", cwd=repo).stdout, check=True, cwd=repo)
    assert "utm_source" not in (repo / os.fsdecode(name)).read_text()


@pytest.mark.parametrize("settings", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": "xterm"}])
def test_no_terminal_gets_control_characters(settings: dict[str, str], repo: Path) -> None:
    commit({"list.md": TEXT.replace("One", "One\x1b]0;x\x07 \x9b31m \u202e")})
    environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "shelfread", "fix", "--diff"]
    subprocess.run(
        command,
        stdout=theirs,
        stderr=theirs,
        cwd=repo,
        env={**environment, "PYTHONPATH": str(LINTER), **settings},
    )
    os.close(theirs)
    shown = os.read(ours, 1 << 16).decode()
    os.close(ours)
    assert "<U+001B>]0;x<U+0007> <U+009B>31m <U+202E>" in shown
    allowed = "\r\n" if settings != {"TERM": "xterm"} else "\r\n\x1b"
    assert all(character.isprintable() or character in allowed for character in shown)
    assert "\x1b]" not in shown
