"""`paper/title-end`."""

from __future__ import annotations

import pytest

from shelfread.checks.paper.title_text import title_end
from support.project import run


def titled(end: str, count: int) -> str:
    return "".join(
        f"- **Study {number} of Jobs{end} [[Paper](https://example.org/{number})]\r\n"
        for number in range(count)
    )


def test_a_full_stop_is_added_or_removed_with_crlf() -> None:
    (found,) = run(
        title_end,
        titled("**", 20)
        + "- **A Study of Locks.**\r\n  *Ann Lee, Bob Ray* [[Paper](https://example.org/x)]\r\n",
    )
    assert found.fixed.endswith(
        "- **A Study of Locks**\r\n  *Ann Lee, Bob Ray* [[Paper](https://example.org/x)]\r\n"
    )
    (found,) = run(
        title_end,
        titled(".**", 20)
        + "- **A Study of Locks**\r\n  *Ann Lee, Bob Ray* [[Paper](https://example.org/x)]\r\n",
    )
    assert found.fixed.endswith(
        "- **A Study of Locks.**\r\n  *Ann Lee, Bob Ray* [[Paper](https://example.org/x)]\r\n"
    )


@pytest.mark.parametrize(
    "title", ["**Building Safe A.I.**", "**A Study of Example Inc.**", "**A Study.** It ends."]
)
def test_full_stops_that_are_not_the_end_of_the_title(title: str) -> None:
    assert run(title_end, titled("**", 20) + f"- {title} [[Paper](https://example.org/x)]\n") == []


def test_a_full_stop_after_a_space_counts() -> None:
    assert (
        run(title_end, titled(".**", 20) + "- **A Study of Locks** . [[Paper](https://example.org/x)]\n")
        == []
    )


@pytest.mark.parametrize(
    "line",
    [
        "- **A Study of Fires** :fire:. [[Paper](https://example.org/x)]",
        "- **A Study of Fires** 🔥 [[Paper](https://example.org/x)]",
        "- **A Study of Fires** (extended abstract). [[Paper](https://example.org/x)]",
        "- A Study of Jobs, Ann Lee and Bob Roe, OSDI 2020 [[Paper](https://arxiv.org/abs/2001.00001)]",
    ],
)
def test_no_stop_is_missed_behind_an_emoji_or_where_the_end_is_a_guess(line: str) -> None:
    assert run(title_end, titled(".**", 20) + f"{line}\r\n") == []


@pytest.mark.parametrize("title", ["A Study of Clocks", "A Study of “Clocks”", "A Study of Clocks (v2)"])
def test_a_missing_stop_is_reported_at_the_last_word(title: str) -> None:
    usual = "".join(f"- **Study {n} of Jobs.** [[Paper](https://example.org/{n})]\n" for n in range(20))
    (found,) = run(title_end, f"{usual}- **{title}** [[Paper](https://example.org/99)]\n")
    assert title.endswith(found.text) and any(map(str.isalpha, found.text))
