"""`awesome/contributing` and `awesome/code-of-conduct`."""

from __future__ import annotations

from pathlib import Path

import pytest

from shelfread.checks.awesome.repository import code_of_conduct, contributing
from support.lists import TEN
from support.project import run

README = {"README.md": f"# Awesome X\n\n{TEN}\n## License\n\nCC0\n"}


def test_only_the_readme_of_a_repository_needs_a_contributing_guide(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(contributing, README) == []  # there is no such file
    Path("README.md").write_text(README["README.md"], encoding="utf-8")
    assert run(contributing, README) == []  # not in a repository
    Path(".git").mkdir()
    assert run(contributing, README) == []  # it may be without one
    assert len(run(contributing, README, required=True)) == 1


def test_a_code_of_conduct_is_a_file_of_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("README.md").write_text(README["README.md"], encoding="utf-8")
    Path(".git").mkdir()
    outside = tmp_path.parent / "outside.md"
    outside.write_text("[INSERT EMAIL ADDRESS]", encoding="utf-8")
    Path("code_of_conduct.md").symlink_to(outside)
    assert run(code_of_conduct, README) == []  # a link that leads out of the project
    Path("code_of_conduct.md").unlink()
    Path("code_of_conduct.md").mkdir()
    assert run(code_of_conduct, README) == []
