"""Sibling sections with the same name."""

from __future__ import annotations

from shelfread.checks.heading.structure import duplicate
from support.project import run


def test_an_empty_list_has_none() -> None:
    assert run(duplicate, "") == []
