"""`heading/empty`."""

from __future__ import annotations

from shelfread.checks.heading.structure import empty
from support.project import run

HEADER = "# Shelves\n\nAll about shelves.\n\n# Contributing\n\nSee the guide.\n\n# The list\n"


def test_the_last_heading_of_a_page_without_entries_waits_for_a_generator() -> None:
    assert run(empty, HEADER) == []
    assert [found.text for found in run(empty, HEADER.replace("See the guide.", ""))] == ["Contributing"]
    entries = "\n# Tools\n\n- [Tidy](https://example.org/tidy) - Sorts shelves.\n\n# More tools\n"
    assert [found.text for found in run(empty, HEADER + entries)] == ["The list", "More tools"]


def test_news_may_go_on_in_headings_of_days() -> None:
    text = (
        "# Shelves\n\nAll about shelves.\n\n## What's new\n\n## {}\n\n- Sorts shelves.\n\n## Tools\n\nMany.\n"
    )
    assert run(empty, text.format("May 3, 2024")) == []
    assert [found.text for found in run(empty, text.format("Books"))] == ["What's new"]
