"""Brackets, held against each other."""

from __future__ import annotations

from shelfread.checks.common.unpaired import find_uneven_lines
from shelfread.core.source import Source


def test_lines_that_differ_are_few() -> None:
    source = Source('（a） ! "b" 【c】 〔d〕 〖e〗 :\n（a \n"\n〖\n(\n')
    assert find_uneven_lines(source) == [1, 2, 3, 4]
