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


def test_a_heading_below_the_title_may_be_its_second_line() -> None:
    text = "# Shelves\n\n### All about shelves, boxes and crates\n\n## News\n\nNone.\n\n## Tools\n\n- [Tidy](https://example.org)\n"
    assert run(empty, text) == []
    assert [found.text for found in run(empty, text.replace(", boxes and crates", ""))] == [
        "All about shelves"
    ]
