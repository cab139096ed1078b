"""What README.md shows is what happens."""

from __future__ import annotations

import re
import subprocess
import sys

import yaml

from shelfread.cli import COMMANDS
from support.docs import README
from support.paths import ROOT


def test_the_picture_of_a_run_is_what_a_run_shows() -> None:
    """`python site/pictures.py` makes it anew."""
    script = [sys.executable, "-c", "import pictures; print(pictures.terminal(), end='')"]
    shown = subprocess.run(
        script, cwd=ROOT / "site", capture_output=True, encoding="utf-8", check=True
    ).stdout
    assert shown == (ROOT / "docs/pictures/run.svg").read_text(encoding="utf-8")
    assert "paper/arxiv-agrees" in shown and "= fix:" in shown


def test_the_pictures_are_there() -> None:
    pictures = re.findall(r"!\[[^\]]+\]\((\S+)\)", README)
    assert len(pictures) == 2 and all((ROOT / path).is_file() for path in pictures)


def test_the_hooks_exist() -> None:
    hooks = {hook["id"] for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
    assert {"shelfread-fix", "shelfread-format"} <= set(re.findall(r"- id: ([\w-]+)", README)) <= hooks


def test_the_commands_exist() -> None:
    assert set(re.findall(r"^\| `shelfread (\w+)", README, re.MULTILINE)) == set(COMMANDS)
