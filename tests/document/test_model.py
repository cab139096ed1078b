"""The innermost entry at a place."""

from __future__ import annotations

import pytest

from shelfread.core.diagnostics import Span
from shelfread.document.model import EntryIndex
from support.project import read_text

TEXT = """\
- [Tidy Shelves: A Study of Their Order](https://arxiv.org/abs/2001.00001) (OSDI 2020)
  - [Dusty Shelves: A Study of Their Dust](https://arxiv.org/abs/2001.00002) (OSDI 2021)
- [Empty Shelves: A Study of What Is Not There](https://arxiv.org/abs/2001.00003) (OSDI 2022)

Text
"""


@pytest.mark.parametrize(
    ("start", "end", "title"),
    [
        ("Tidy", "Study", "Tidy"),
        ("Dusty", "Dust]", "Dusty"),
        ("Order]", "Dusty", "Tidy"),
        ("Empty", "There]", "Empty"),
        ("Dusty", "Empty", None),
        ("Text", "Text", None),
    ],
)
def test_entry_around_a_span(start: str, end: str, title: str | None) -> None:
    index = EntryIndex(read_text(TEXT).entries)
    entry = index.around(Span(TEXT.index(start), TEXT.index(end, TEXT.index(start)) + len(end)))
    assert (entry and entry.title.value.split()[0]) == title
