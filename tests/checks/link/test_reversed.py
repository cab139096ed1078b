"""Reversed links."""

from __future__ import annotations

import pytest

from shelfread.checks.link.unparsed import reversed
from support.project import run


@pytest.mark.parametrize(
    "text",
    [
        "A [[Paper]](https://a.org/1)[[Code]](https://a.org/2), [[Paper](https://a.org)][https://b.org]",
        "a fix (a bug)[#123], (see)[1], (a)[b], (and/or)[x/y], f(x)[i], (see) [https://a.org]",
        "<div>(text)[https://a.org]</div>",
        "<!-- (text)[https://a.org] -->",
        "$(a)[https://a.org]$ and `(a)[https://a.org]`",
        "    (text)[https://a.org]",
        "(text)\n[https://a.org]",
        r"\(text)[https://a.org] and (text\)[https://a.org]",
        "()[https://a.org] and text)[https://a.org]",
    ],
)
def test_not_reversed(text: str) -> None:
    assert run(reversed, f"{text}\n") == []


def test_a_list_may_link_years() -> None:
    others = "".join(f"- A Title. [Ada (200{n})](https://a.org/{n})\n" for n in range(3))
    (found,) = run(reversed, f"{others}- A Title. (Brooks (1987))[https://a.org]\n")
    assert found.place.safe


@pytest.mark.parametrize(
    ("text", "fixed", "safe"),
    [
        ("- **(a)[https://a.org]**", "- **[a](https://a.org)**", True),
        ("| (a)[https://a.org] | b |\n|---|---|", "| [a](https://a.org) | b |\n|---|---|", True),
        ("## (a)[b/c.md#d]", "## [a](b/c.md#d)", True),
        ("word(a)[https://a.org]", "word[a](https://a.org)", False),
        ("Title (OSDI '20)[https://a.org]", "Title [OSDI '20](https://a.org)", False),
        ("- (Task 2018)[https://a.org] text", "- [Task 2018](https://a.org) text", True),
        (
            "code (PET: How to Optimize Much of It OSDI'21)[https://a.org]",
            "code [PET: How to Optimize Much of It OSDI'21](https://a.org)",
            True,
        ),
        ("(a)[https://a.org/x_(y)]", "[a](https://a.org/x_(y))", True),
    ],
)
def test_reversed(text: str, fixed: str, safe: bool) -> None:
    (found,) = run(reversed, f"{text}\n")
    assert found.fixed == f"{fixed}\n"
    assert found.place.safe is safe
