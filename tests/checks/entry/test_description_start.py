"""The rule `entry/description-start`, in what its page is too short to show."""

from __future__ import annotations

import pytest

from shelfread.checks.entry.description import description_start
from support.lists import LINE, TEN, checked_texts
from support.project import run


@pytest.mark.parametrize(
    "said",
    [
        "iOS apps.",
        "npm without npm.",
        "dig asks.",
        "x86 code.",
        "node.js servers.",
        "e.g. this.",
        "by Ada.",
        "http://a.b",
    ],
)
def test_a_text_that_begins_with_a_name(said: str) -> None:
    assert checked_texts(description_start, TEN + LINE.format("dig", said)) == []


def test_a_text_in_another_script() -> None:
    assert (
        checked_texts(
            description_start, TEN + LINE.format("dig", "域名查询工具。") + LINE.format("host", "ホスト")
        )
        == []
    )


def test_a_text_that_goes_on_in_another_script() -> None:
    assert checked_texts(description_start, TEN + LINE.format("dig", "open source の辞書です。")) == []


def test_a_small_word_that_may_be_a_name_is_for_information_where_others_use_it() -> None:
    text = TEN + LINE.format("dig", "blorp in packets.")
    assert run(description_start, text) == []
    (found,) = run(description_start, text + 2 * LINE.format("dag", "A blorp in graphs."))
    assert (found.text, found.place.severity.label) == ("blorp", "info")


def test_a_name_within_the_title_keeps_its_letter() -> None:
    many = "".join(f"- [Tool {n}](https://example.org/{n}) - Sorts jobs.\n" for n in range(20))
    line = "- [shelf-ng](https://example.org/x) - {} for the next generation.\n"
    assert run(description_start, many + line.format("shelf")) == []
    (found,) = run(description_start, many + line.format("tools"))
    assert found.text == "tools"
