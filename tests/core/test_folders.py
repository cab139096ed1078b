from __future__ import annotations

import sys
from pathlib import Path

import pytest

from shelfread.core.folders import cache_path


def test_the_folder_is_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_path("links.sqlite3").name == "links.sqlite3"
    if sys.platform == "linux":
        assert cache_path("links.sqlite3") == tmp_path / "shelfread/links.sqlite3"
