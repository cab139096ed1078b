"""The cache that commands name with --cache-file, or leave out with --no-cache."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.command_line import here as here
from support.command_line import sample as sample
from support.command_line import shelfread

COMMANDS = [["links", "--offline"], ["complete", "--offline"], ["page"]]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_list_is_no_cache(here: Path, command: list[str]) -> None:
    """A command that took it for a damaged cache renamed the list."""
    path = here / "list.md"
    path.write_text("# Papers\n\n- [A](https://one.org)\n")
    done = shelfread(*command, "--cache-file", "list.md", "list.md")
    assert done.exit_code == 2
    assert "list.md: --cache-file would replace it, and it is no cache" in done.stderr
    assert {file.name for file in here.glob("list*")} == {"list.md"}
    assert path.read_text().startswith("# Papers")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_cache_and_none_exclude_each_other(here: Path, command: list[str]) -> None:
    (here / "list.md").write_text("- [A](https://one.org)\n")
    done = shelfread(*command, "--cache-file", "cache", "--no-cache", "list.md")
    assert done.exit_code == 2 and "--cache-file and --no-cache exclude each other" in done.output
