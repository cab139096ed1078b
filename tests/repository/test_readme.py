"""What README.md shows is what happens."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from shelfread.cli import COMMANDS, group
from support.paths import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def fences(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def test_the_example_is_real(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    example = fences("console")[0]
    command, *shown = example.splitlines()
    done = CliRunner().invoke(group, command.removeprefix("$ shelfread ").split())
    assert done.exit_code == 1
    rest = done.output
    for part in filter(None, (part.strip("\n") for part in "\n".join(shown).split("..."))):
        assert part in rest
        rest = rest.partition(part)[2]


def test_the_configuration_is_valid(tmp_path: Path) -> None:
    (config,) = (text for text in fences("yaml") if "taxonomy:" in text)
    (tmp_path / ".shelfread.yaml").write_text(config)
    (tmp_path / "list.md").write_text("# Training\n")
    done = CliRunner().invoke(group, ["check", str(tmp_path)])
    assert done.exit_code == 0, done.output


def test_the_hooks_exist() -> None:
    hooks = {hook["id"] for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
    assert set(re.findall(r"- id: ([\w-]+)", README)) == hooks


def test_the_commands_exist() -> None:
    assert set(re.findall(r"^\| `shelfread (\w+)", README, re.MULTILINE)) == set(COMMANDS)
