"""What can be folded."""

from __future__ import annotations

from random import Random

import pytest
from lsprotocol import types as lsp

from shelfread.server.features.list_outline import folding_ranges
from support.markdown_upstream import odd_text
from support.marked import read_marked

TEXT = """---
title: List
---

# List

- [One](#one)
- [Two](#two)
- [Three](#three)

## One

* **A Title of a Paper** (OSDI'22) \\[[Paper](https://example.org/a.pdf)]
  * Ada Stone, Ben Field

<!-- a comment
of two lines -->

## Two

<details>
<summary>Old</summary>

* [Alpha](https://example.org/alpha) - First.

</details>

## Three

```sh
one
two
```
"""


def folded(text: str) -> list[tuple[int, int]]:
    marked = read_marked(text)
    return [
        (each.start_line + 1, each.end_line + 1) for each in folding_ranges(marked.document, marked.context)
    ]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_what_has_several_lines_can_be_folded(newline: str) -> None:
    assert folded(TEXT.replace("\n", newline)) == [
        (1, 3),
        (5, 33),
        (7, 9),
        (11, 17),
        (13, 14),
        (16, 17),
        (19, 26),
        (21, 26),
        (22, 26),
        (28, 33),
        (30, 33),
    ]


def test_comments_are_folded_as_comments() -> None:
    marked = read_marked(TEXT)
    found = {each.start_line: each.kind for each in folding_ranges(marked.document, marked.context)}
    assert found[15] == lsp.FoldingRangeKind.Comment
    assert found[10] is None


@pytest.mark.parametrize("seed", range(150))
def test_ranges_are_lines_of_the_text(seed: int) -> None:
    text = odd_text(Random(seed))
    last = len(read_marked(text).document.source.lines)
    found = folded(text)
    assert all(1 <= start < end <= last for start, end in found)
    assert len({start for start, _ in found}) == len(found)
