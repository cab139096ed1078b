"""Presets that a list is checked with."""

from __future__ import annotations

from pathlib import Path

import pytest

from shelfread.index.pages import find_presets
from support.gitrepo import configure_origin
from support.lists import TEN
from support.project import read_project


def test_the_name_of_the_repository_makes_its_readme_awesome(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "awesome-engines" / ".git").mkdir(parents=True)
    (tmp_path / "work").mkdir()
    configure_origin(tmp_path / "work", "https://github.com/ada/awesome-engines.git")
    for folder in ("awesome-engines", "work"):
        monkeypatch.chdir(tmp_path / folder)
        _, context = read_project({"README.md": f"# Engines\n\n{TEN}", "docs/more.md": f"# More\n\n{TEN}"})
        assert find_presets(context) == {"README.md": ("core", "awesome"), "docs/more.md": ("core",)}
