"""The rule `text/punctuation-pairs`, in what its page is too short to show."""

from __future__ import annotations

from shelfread.checks.text.characters import punctuation_pairs
from support.project import run


def test_what_a_paragraph_opens_the_list_below_may_close() -> None:
    assert run(punctuation_pairs, "列表（包括\n\n- 论文\n- 书）\n") == []
