"""The rule `entry/marker-space`, in what its page is too short to show."""

from __future__ import annotations

import pytest

from shelfread.checks.entry.separator import marker_space
from support.project import fixed, run


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("- [a](u)\n-[b](u)\n- [c](u)\n", ["-"]),
        ("-[a](u)\n- [b](u)\n", ["-"]),
        ("-[a](u)\n-[b](u)\n-[c](u)\n", ["-", "-", "-"]),
        ("* [a](u)\n*Text of an item\n", ["*"]),
        ("1. [a](u)\n2.[b](u)\n3. [c](u)\n", ["2."]),
        ("- [a](u)\n\n-[b](u)\n\n- [c](u)\n", ["-"]),
        ("- [a](u)\n  - note\n  -Note\n", ["-"]),
        ("- [ ] a\n-[ ] b\n-[x] c\n", ["-", "-"]),
        ("- [a](u)\n\n## B\n\n-[b](u)\n\nText.\n", ["-"]),
        ("> - [a](u)\n> -[b](u)\n", ["-"]),
    ],
)
def test_marks_without_a_blank(text: str, marks: list[str]) -> None:
    assert [one.place.values["marker"] for one in run(marker_space, text)] == marks
    result = fixed(marker_space, text)
    assert not result.dropped
    assert not result.remaining
    assert result.text.count(" ") == text.count(" ") + len(marks)


@pytest.mark.parametrize(
    "text",
    [
        "* [a](u)\n*text*\n",
        "* [a](u)\n**bold** text\n",
        "- [a](u)\n-5 degrees\n",
        "- [a](u)\n--flag\n",
        "- [a](u)\n-flag of a command\n",
        "- [a](u)\n*Needs an account\n",
        "* [a](u)\n\n*Needs an account\n",
        "-[a](u)\n",
        "text\n-[not a link] text\n",
        "- [a](u)\n-[not a link] text\n",
        "```\n- [a](u)\n-[b](u)\n```\n",
        "- [a](u)\n+1 to this\n",
        "- [a](u)\n  1.5 million\n",
        "-[a](u)\n-[b](u)\n",
    ],
)
def test_marks_that_are_none(text: str) -> None:
    assert run(marker_space, text) == []
