from __future__ import annotations

from itertools import product

import pytest
from markdown_it import MarkdownIt

from shelfread.markdown.html import escape


def test_nothing_is_markup() -> None:
    """Every short text of these signs is shown as it is."""
    parser = MarkdownIt()
    for length in range(1, 6):
        for signs in product("_a* .`", repeat=length):
            text = " ".join("".join(signs).split())
            if text:
                assert parser.render(f"x {escape(text)}") == f"<p>x {text}</p>\n", text


@pytest.mark.parametrize(
    "text", ["10.1145/3302424.3303953", "snake_case", "a__b", "2.5 times faster", "3D (fast)", "$ for iOS"]
)
def test_what_is_no_markup_is_not_escaped(text: str) -> None:
    assert escape(text) == text


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("__init__ of", r"\_\_init\_\_ of"),
        ("10. Foo", r"10\. Foo"),
        ("3)", r"3\)"),
        ("- a", r"\- a"),
        ("a * b", r"a \* b"),
        ("$5 or 5$", r"\$5 or 5\$"),
    ],
)
def test_what_would_be_markup_is_escaped(text: str, escaped: str) -> None:
    assert escape(text) == escaped
