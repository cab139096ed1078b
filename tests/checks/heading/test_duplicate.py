"""Sibling sections with the same name."""

from __future__ import annotations

from shelfread.checks.heading.structure import duplicate
from support.project import run


def test_names_that_recur_as_a_form_are_meant() -> None:
    text = "".join(f"## Paper {n}\n\n## Notes\n\n" for n in range(6))
    assert run(duplicate, text) == []
    assert [one.line for one in run(duplicate, "# A\n\n## Tools\n\n## Books\n\n##  *TOOLS*\n")] == [7]


def test_an_empty_list_has_none() -> None:
    assert run(duplicate, "") == []
