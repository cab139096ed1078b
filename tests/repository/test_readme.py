"""What README.md shows is what happens."""

from __future__ import annotations

import re

import pytest
import yaml
from click.testing import CliRunner

from shelfread.cli import COMMANDS, group
from support.docs import README, assert_shown, fences, runs
from support.paths import ROOT


def test_the_example_is_real(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    ((arguments, shown),) = runs(fences(README, "console")[0])
    done = CliRunner().invoke(group, arguments)
    assert done.exit_code == 1
    assert_shown(shown, done.output)


def test_the_hooks_exist() -> None:
    hooks = {hook["id"] for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
    assert {"shelfread-fix", "shelfread-format"} <= set(re.findall(r"- id: ([\w-]+)", README)) <= hooks


def test_the_commands_exist() -> None:
    assert set(re.findall(r"^\| `shelfread (\w+)", README, re.MULTILINE)) == set(COMMANDS)
