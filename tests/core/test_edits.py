"""Edits are applied in one pass, whatever their order."""

from __future__ import annotations

import pytest

from shelfread.core.diagnostics import TextEdit, apply_edits


@pytest.mark.parametrize(
    ("edits", "after"),
    [
        ([], "abcdef"),
        ([TextEdit(4, 5, "E"), TextEdit(0, 1, "")], "bcdEf"),
        ([TextEdit(2, 2, "-"), TextEdit(6, 6, "!")], "ab-cdef!"),
        ([TextEdit(2, 3, "C"), TextEdit(2, 2, "-")], "ab-Cdef"),
        ([TextEdit(1, 4, "-"), TextEdit(3, 5, "+")], "a-ef"),
    ],
)
def test_edits_are_applied(edits: list[TextEdit], after: str) -> None:
    assert apply_edits("abcdef", edits) == after


def test_edits_beyond_a_range_are_left_out() -> None:
    edits = [TextEdit(0, 2, "x"), TextEdit(2, 3, "C"), TextEdit(3, 5, "y")]
    assert apply_edits("abcdef", edits, 1, 4) == "bCd"
