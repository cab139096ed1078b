"""The rule `text/punctuation-pairs`, in what its page is too short to show."""

from __future__ import annotations

from shelfread.checks.text.punctuation import punctuation_pairs
from support.project import run


def test_what_a_paragraph_opens_the_list_below_may_close() -> None:
    assert run(punctuation_pairs, "列表（包括\n\n- 论文\n- 书）\n") == []


def test_low_quotes_that_a_list_closes_with_straight_ones() -> None:
    """Keyboards have `„` for some languages and no key for the quote that closes it."""
    line = 'Szukasz „{}" albo nie.\n\n'
    assert run(punctuation_pairs, "".join(line.format(name) for name in "ABC")) == []
    assert len(run(punctuation_pairs, line.format("A") + "Szukasz „B”.\n\nSzukasz „C”.\n")) == 1
    assert len(run(punctuation_pairs, "".join(line.format(name) for name in "ABC") + "Szukasz „D.\n")) == 1
