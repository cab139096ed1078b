"""The blocks around an offset."""

from __future__ import annotations

import pytest

from shelfread.core.source import Source
from shelfread.markdown.parse import parse
from shelfread.server.under_cursor import blocks_around

TEXT = "# A\n\n- b\n  - c\n\nd\n"


@pytest.mark.parametrize(
    ("mark", "kinds"),
    [
        ("A", ["heading"]),
        ("b", ["list", "item", "paragraph"]),
        ("c", ["list", "item", "list", "item", "paragraph"]),
        ("d", ["paragraph"]),
    ],
)
def test_blocks_around_an_offset_outermost_first(mark: str, kinds: list[str]) -> None:
    blocks = blocks_around(parse(Source(TEXT)).blocks, TEXT.index(mark))
    assert [block.kind for block in blocks] == kinds


def test_no_block_is_around_a_blank_line() -> None:
    assert list(blocks_around(parse(Source("\n\n# A\n")).blocks, 0)) == []
