"""`link/tracking`."""

from __future__ import annotations

import pytest

from shelfread.checks.link.detours import tracking
from support.project import run

URL = "https://example.org/a?utm_source=x&amp;utm_medium=y"


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        (f"[![b](https://example.org/b.svg)]({URL})", "info"),
        (f'<a href="{URL}"><img src="https://example.org/b.svg"></a>', "info"),
        (f'<a href="{URL}" target="_blank">\n  <img src="https://example.org/b.svg"></a>', "info"),
        (f'<a href="{URL}">Page</a> <img src="https://example.org/b.svg">', "warning"),
        (f"[Page]({URL})", "warning"),
    ],
)
def test_badges_are_pasted_as_their_service_gives_them(text: str, severity: str) -> None:
    assert [found.place.severity.label for found in run(tracking, f"{text}\n")] == [severity]


def test_many_tags_take_linear_time() -> None:
    assert run(tracking, f'<a href="{URL}" ' + "a='b' " * 20_000) is not None
