"""The rule `entry/title-case`, in what its page is too short to show."""

from __future__ import annotations

from shelfread.checks.entry.form import title_case
from support.project import run

URL = "https://example.org/a"


def test_titles_of_tools_have_no_style() -> None:
    assert run(title_case, f"- [left Pad tool]({URL}) - pads strings.\n", style="title") == []
