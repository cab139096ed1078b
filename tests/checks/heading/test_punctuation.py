"""The rule `heading/punctuation`, in what its page is too short to show."""

from __future__ import annotations

from shelfread.checks.heading.structure import punctuation
from support.project import run


def test_an_empty_heading() -> None:
    assert run(punctuation, "##\n\n#\n") == []
