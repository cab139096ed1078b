"""Sections with few or many entries."""

from __future__ import annotations

from shelfread.checks.section.size import size
from support.project import run


def test_an_empty_list_has_none() -> None:
    assert run(size, "") == []
