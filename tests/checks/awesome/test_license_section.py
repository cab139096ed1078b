"""`awesome/license-section`."""

from __future__ import annotations

from pathlib import Path

import pytest

from shelfread.checks.awesome.repository import license_section
from support.lists import TEN
from support.project import run


def test_the_fix_needs_a_license_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    readme = {"README.md": f"# Awesome X\n\n{TEN}\n## License\n\nCC0\n"}
    Path("README.md").write_text(readme["README.md"], encoding="utf-8")
    Path(".git").mkdir()
    (found,) = run(license_section, readme)
    assert not found.place.edits
    Path("LICENSE").write_text("CC0", encoding="utf-8")
    (found,) = run(license_section, readme)
    assert found.fixed == f"# Awesome X\n\n{TEN}"
