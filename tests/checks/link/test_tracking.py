"""`link/tracking`."""

from __future__ import annotations

from shelfread.checks.link.detours import tracking
from support.project import run

URL = "https://example.org/a?utm_source=x&amp;utm_medium=y"


def test_many_tags_take_linear_time() -> None:
    assert run(tracking, f'<a href="{URL}" ' + "a='b' " * 20_000) is not None
