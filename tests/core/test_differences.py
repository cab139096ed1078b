"""One slip is a distance of 1."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from shelfread.core.wording import is_slip

WORDS = st.text("abc", max_size=6)


@given(WORDS, WORDS)
def test_it_is_the_optimal_string_alignment_distance(first: str, second: str) -> None:
    assert is_slip(first, second) == (OSA.distance(first, second) == 1)


@pytest.mark.parametrize("other", ["wrd", "woord", "ward", "wrod", "xword", "wor"])
def test_slips(other: str) -> None:
    assert is_slip("word", other) and is_slip(other, "word")
    assert not is_slip("word", "word") and not is_slip("word", other + "yz")
