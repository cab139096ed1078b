"""Texts are parsed in several threads at once, as in the language server: each has a parser of its own."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from shelfread.core.source import Source
from shelfread.markdown.parse import parse

LINES = [
    "- [a](https://a.example/1 'x') - B [c](<https://c.example/a b> \"t\") d.\n",
    "* ![i](i.png 'title') [l](https://e.example/(x)) *m* [n](/o).\n",
    "1. [p]( https://p.example/long/path?q=r#s ) and [t](u 'v') and [w](x).\n",
]


@pytest.fixture(autouse=True)
def many_switches() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.slow
def test_trees_do_not_mix() -> None:
    texts = [f"# {index}\n\n" + line * 300 for index, line in enumerate(LINES)] * 2
    expected = [parse(Source(text)) for text in texts]
    with ThreadPoolExecutor(4) as executor:
        assert list(executor.map(lambda text: parse(Source(text)), texts)) == expected
