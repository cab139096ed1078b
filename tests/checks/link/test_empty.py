"""Links without a URL or without text: which ones are on purpose, and what can be removed."""

from __future__ import annotations

import pytest

from shelfread.checks.link.malformed import empty
from support.project import fixed, run

BADGE = "[![{}](https://img.example.org/{}.svg)]({})"


def badge(name: str, number: int, url: str = "") -> str:
    return BADGE.format(name, number, url)


@pytest.mark.parametrize(
    "text", ["- [paper]()\n", '<a href=""></a>\n', "- [](https://example.org)\n", "| a |\n|---|\n| []() |\n"]
)
def test_what_may_be_known_stays(text: str) -> None:
    assert fixed(empty, text, unsafe=True).text == text


def test_several_pictures_without_a_url_are_on_purpose() -> None:
    text, linked = (f"- {badge(1, 1)} A study.\n", badge("x", 1, "https://example.org"))
    (found,) = run(empty, text + linked)
    assert (found.line, found.place.severity.label) == (1, "info")
    assert run(empty, text * 2 + linked) == []
