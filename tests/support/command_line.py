"""The command line, in this process and in one of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from shelfread.cli import group
from support.paths import LINTER
from support.sample import write_page

LIST = (
    "# List\n\n## Tools\n\n- [One](https://one.org) - Does teh thing.\n- [Two](https://two.org) - Does it.\n"
)
FIXED = LIST.replace("teh", "the")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sample: None) -> Path:
    """A folder with a list, a config and a rule of its own."""
    for name in ("NO_COLOR", "FORCE_COLOR", *(name for name in os.environ if name.startswith("GIT_"))):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    write_page(tmp_path, "word/the")
    (tmp_path / ".shelfread.yaml").write_text("exclude: [.shelfread/]\n")
    (tmp_path / "list.md").write_text(LIST)
    return tmp_path


def shelfread(*words: str, input: str | bytes | None = None) -> Result:
    return CliRunner().invoke(group, words, input=input, prog_name="shelfread")


def process(*words: str, **options: object) -> subprocess.CompletedProcess[bytes]:
    """The real thing, in a process of its own (which does not have the sample's check)."""
    env = {**os.environ, "PYTHONPATH": str(LINTER)}
    command = [sys.executable, "-m", "shelfread", *words]
    return subprocess.run(command, capture_output=True, env=env, check=False, **options)  # type: ignore[call-overload, no-any-return]
