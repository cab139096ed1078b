"""Links through URL shorteners."""

from __future__ import annotations

import pytest

from shelfread.checks.link.detours import shortener
from shelfread.core.diagnostics import Severity
from support.project import run


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("https://bit.ly/a", True),
        ("HTTPS://WWW.BIT.LY/a/?x#y", True),
        ("//bit.ly/a", True),
        ("https://bit.ly", False),
        ("https://bit.ly/?a", False),
        ("https://bit.ly/a/b", False),
        ("https://tinyurl.com/app", False),
        ("bit.ly/a", False),
        ("/bit.ly/a", False),
        ("https://a.org/https://bit.ly/a", False),
        ("https://youtu.be/a", False),
        ("https://aka.ms/a", False),
    ],
)
def test_shorteners(url: str, found: bool) -> None:
    assert bool(run(shortener, f"- [a]({url})\n")) is found


@pytest.mark.parametrize(
    ("path", "severity"),
    [
        ("spec-tutorial-slides", Severity.INFO),
        ("mlsys_2024", Severity.INFO),
        ("shelfreading", Severity.INFO),
        ("3abcDEF", Severity.ERROR),
        ("BtQu5U", Severity.ERROR),
        ("yxkqzab", Severity.ERROR),
        ("2x-9Qa", Severity.ERROR),
    ],
)
def test_chosen_words_are_info(path: str, severity: Severity) -> None:
    assert [one.place.severity for one in run(shortener, f"- [a](https://bit.ly/{path}?x=y)\n")] == [severity]


def test_a_shortener_of_one_site_is_info() -> None:
    assert [one.place.severity for one in run(shortener, "- [a](https://amzn.to/3QN2VdU)\n")] == [
        Severity.INFO
    ]


def test_what_the_link_says_was_chosen() -> None:
    text = "- [{}](https://bit.ly/decko)\n"
    for words, severity in (
        ("Decko", Severity.INFO),
        ("bit.ly/decko", Severity.ERROR),
        ("A tool", Severity.ERROR),
    ):
        assert [one.place.severity for one in run(shortener, text.format(words))] == [severity]
