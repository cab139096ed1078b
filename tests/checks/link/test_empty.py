"""Links without a URL or without text: which ones are on purpose, and what can be removed."""

from __future__ import annotations

import pytest

from shelfread.checks.link.empty import empty
from shelfread.core.diagnostics import Applicability, Severity
from support.project import fixed, message_of, run

BADGE = "[![{}](https://img.example.org/{}.svg)]({})"


def badge(name: str, number: int, url: str = "") -> str:
    return BADGE.format(name, number, url)


def test_badges_without_a_url_are_one_info() -> None:
    text = "".join(f"- {badge('Type', n)} [T{n}](https://example.org/{n})\n" for n in range(30))
    (found,) = run(empty, text)
    assert message_of("link/empty", found.place).startswith("30 pictures of this file")
    assert (found.line, found.place.severity) == (1, Severity.INFO)
    assert found.place.applicability is Applicability.UNSAFE
    assert "[![" not in found.fixed and found.fixed.count("![Type](") == 30
    assert fixed(empty, text, unsafe=True).text == found.fixed


def test_a_badge_that_others_of_its_name_link_is_a_mistake() -> None:
    stars = "".join(f"- {badge('Star', n, f'https://example.org/{n}')}\n" for n in range(5))
    found = run(empty, f"{stars}- {badge('Star', 9)} {badge('Type', 10)}\n")
    assert [(message_of("link/empty", one.place)[:12], one.place.severity.label) for one in found] == [
        ("the link has", "error"),
        ("the link of ", "info"),
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "- [A](https://example.org) []() [B](https://example.org/b)\n",
            "- [A](https://example.org) [B](https://example.org/b)\n",
        ),
        ("- [A](https://example.org) [[]()]\n", "- [A](https://example.org)\n"),
        ("- [A](https://example.org) \\[[]()\\]\n", "- [A](https://example.org)\n"),
        (
            "- [A](https://example.org)\n- []()\n- [B](https://example.org/b)\n",
            "- [A](https://example.org)\n- [B](https://example.org/b)\n",
        ),
        ("- []() [A](https://example.org)\n", "- [A](https://example.org)\n"),
    ],
)
def test_what_shows_nothing_is_removed(before: str, after: str) -> None:
    assert fixed(empty, before).text == before
    result = fixed(empty, before, unsafe=True)
    assert (result.text, result.dropped) == (after, [])


@pytest.mark.parametrize(
    "text", ["- [paper]()\n", '<a href=""></a>\n', "- [](https://example.org)\n", "| a |\n|---|\n| []() |\n"]
)
def test_what_may_be_known_stays(text: str) -> None:
    assert fixed(empty, text, unsafe=True).text == text
