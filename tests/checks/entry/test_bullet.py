"""The rule `entry/bullet`: which items slipped, and which are a list of their own."""

from __future__ import annotations

import pytest

from shelfread.checks.entry.list_markers import bullet
from shelfread.core.diagnostics import Severity
from support.project import fixed, run


def items(marker: str, names: str) -> str:
    return "".join(f"{marker} [{name}](https://example.org/{name}) - Does it.\n" for name in names)


@pytest.mark.parametrize(
    "text",
    [
        items("-", "abcd") + items("*", "e") + items("-", "fghijklmno"),
        items("*", "e") + items("-", "fghijklmnopqr"),
        items("-", "fghijklmnopqr") + items("+", "e"),
        items("*", "e").replace("\n", "\n\n") + items("-", "fghijklmnopqr").replace("\n", "\n\n"),
        items("-", "abcdefghijkl")
        + items("*", "m")
        + "  - [n](https://example.org/n)\n"
        + items("-", "opqr"),
        items("-", "abcdefghijklmnopqr") + "\n## Others\n\n" + items("-", "st") + items("+", "uv"),
        items("-", "abcdefghijklmnopqrst") + "\n## Others\n\n" + items("*", "u"),
        items("-", "abcdefghijklmnop") + "\n## Others\n\n" + items("*", "u") + items("-", "v"),
        items("-", "abcdefghijkl").replace("\n", "\r\n") + "* [m](https://example.org/m)\r\n",
    ],
)
def test_an_item_that_slipped_is_fixed(text: str) -> None:
    result = fixed(bullet, text)
    assert not result.remaining
    assert result.text == text.replace("* [", "- [").replace("+ [", "- [")


@pytest.mark.parametrize(
    "text",
    [
        items("-", "abcdef") + items("*", "ghij"),
        items("-", "abcdefghijklmnopqrs") + "\n## Others\n\n" + items("*", "t"),
        items("-", "abcdefghijklmnopqrstu") + "\n## Others\n\n* [Read this](other.md)*\n",
        items("-", "abcdefghijklmnopqrstu") + "\n## Others\n\n* [Others](#others)\n",
        items("*", "a") + "\n## Others\n\n" + items("-", "bcdefghijklmnopqrstuvw"),
        items("-", "abcdefghijklmnopqrstu") + "\n## Others\n\n" + items("*", "vwx"),
        items("-", "abcdefghijk") + "\n" + items("*", "l"),
        items("-", "abcdef") + "\nText\n\n" + items("*", "g"),
        items("-", "abcdef") + items("1.", "g"),
        items("-", "a") + "  * [b](https://example.org/b)\n" + items("-", "cdefg"),
        items("-", "abcdefghijklmnopqr") + items("*", "stuv"),
    ],
)
def test_a_list_of_its_own_is_not(text: str) -> None:
    assert run(bullet, text) == []


def test_where_both_bullets_are_common_it_is_an_info() -> None:
    text = items("-", "abcde") + items("*", "f") + items("-", "ghi") + "\n# Others\n\n" + items("*", "jklmno")
    (found,) = run(bullet, text)
    assert (found.line, found.place.severity) == (6, Severity.INFO)
    assert not found.place.safe


def test_one_among_two_is_an_info() -> None:
    (found,) = run(bullet, items("-", "a") + items("*", "b") + items("-", "c"))
    assert found.place.severity is Severity.INFO and not found.place.safe
