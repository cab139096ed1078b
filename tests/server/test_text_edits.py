"""The edits from one text to another: they give it, and they are small."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from shelfread.core.diagnostics import TextEdit, apply_edits
from shelfread.server.protocol import minimal_edits

LINES = st.lists(
    st.sampled_from(["- a\n", "- b\n", "- b b\n", "\r\n", "c\r\n", "d\r", "中 😀\n", "e"]), max_size=12
)


@given(LINES, LINES)
def test_the_edits_give_the_text(before: list[str], after: list[str]) -> None:
    old, new = "".join(before), "".join(after)
    edits = minimal_edits(old, new)
    assert apply_edits(old, edits) == new
    assert all(one.end <= other.start for one, other in pairwise(edits))
    for edit in edits:
        assert old[edit.start - 1 : edit.start + 1] != "\r\n" or edit.start == 0
        assert old[edit.end - 1 : edit.end + 1] != "\r\n" or edit.end == 0


def test_only_what_differs_is_edited() -> None:
    assert minimal_edits("a\nb c d\ne\n", "a\nb x d\ne\n") == [TextEdit(4, 5, "x")]
    assert minimal_edits("a\nb\nc\n", "a\nc\n") == [TextEdit(2, 4, "")]
    assert minimal_edits("a\n", "a\n") == []


def test_a_line_is_not_cut_between_cr_and_lf() -> None:
    assert minimal_edits("a\r\nb\r\n", "a\nb\n") == [TextEdit(1, 3, "\n"), TextEdit(4, 6, "\n")]
