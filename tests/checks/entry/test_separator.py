"""The rule `entry/separator`, in what its page is too short to show."""

from __future__ import annotations

import pytest

from shelfread.checks.entry.separator import separator
from support.lists import LINE, TEN, checked_texts
from support.project import run


@pytest.mark.parametrize("mark", [" – ", " — ", ": ", " -- ", " -\u00a0", "- ", " -"])
def test_a_separator_of_another_form(mark: str) -> None:
    one = f"- [dig](https://example.org/dig){mark}Asks name servers.\n"
    (found,) = run(separator, TEN + one)
    assert found.text.strip() == mark.strip() or mark == " -"
    assert found.fixed == TEN + LINE.format("dig", "Asks name servers.")


@pytest.mark.parametrize(
    "rest",
    [
        " is what asks name servers.",
        ": for those who ask\n  - [host](https://example.org/host) - Asks name servers.",
        ", by Ada Lovelace.",
        " and [host](https://example.org/host) - Ask name servers.",
        " (v9) - Asks name servers.",
        " [[code](https://example.org/code)] - Asks name servers.",
        " ![new](https://example.org/new.svg) - Asks name servers.",
        " -\n  Asks name servers.",
        " - **Asks** name servers.",
        " - `dig` asks name servers.",
        " - :mag: Asks name servers.",
        " - :mag::zap: Asks name servers.",
        " - ⚡ Asks name servers.",
        " - 🛰️ 🔎 Asks name servers.",
        " - [DNS](https://example.org/dns) questions.",
        "",
    ],
)
def test_a_separator_that_is_as_it_should_be(rest: str) -> None:
    assert checked_texts(separator, f"{TEN}- [dig](https://example.org/dig){rest}\n") == []


def test_a_list_keeps_its_own_separator() -> None:
    dashes = TEN.replace(" - ", " – ")
    assert checked_texts(separator, dashes) == []
    (found,) = run(separator, dashes + LINE.format("dig", "Asks name servers."))
    assert found.fixed.endswith("(https://example.org/dig) – Asks name servers.\n")


def test_a_file_of_the_project_may_have_a_form_of_its_own() -> None:
    own = "".join(f"- [{n}](https://example.org/{n}): A number.\n" for n in ("one", "two", "three"))
    assert run(separator, {"a.md": TEN, "b.md": own}) == []


def test_the_colon_of_an_emoji_is_no_separator() -> None:
    (found,) = run(separator, TEN + "- [dig](https://example.org/dig) – :mag: Asks name servers.\n")
    assert found.text == " – "
    assert found.fixed == TEN + "- [dig](https://example.org/dig) - :mag: Asks name servers.\n"


def test_the_better_form_is_not_made_worse() -> None:
    ten = TEN.replace(" - ", " : ")
    assert run(separator, ten + "- [dig](https://example.org/dig): Asks name servers.\n") == []
    (found,) = run(separator, ten + "- [dig](https://example.org/dig) - Asks name servers.\n")
    assert found.fixed == ten + "- [dig](https://example.org/dig) : Asks name servers.\n"


def test_two_spaces_are_shown_as_one() -> None:
    ten = TEN.replace(" - ", ": ")
    assert run(separator, ten + "- [dig](https://example.org/dig):  Asks name servers.\n") == []


def test_a_separator_before_the_link() -> None:
    text = f"{TEN}- **dig** - [Very bad manners of it](https://example.org/dig). Apps have trackers.\n"
    assert run(separator, text) == []


def test_papers_show_the_habit_of_their_section() -> None:
    papers = "".join(
        f"- [A Study of {number} Ovens](https://arxiv.org/abs/2202.0764{number}) Shows how hot they are.\n"
        for number in range(4)
    )
    tool = "- [dig](https://example.org/dig) Asks name servers.\n"
    assert run(separator, {"a.md": papers + tool, "b.md": TEN}) == []
    (found,) = run(separator, {"a.md": tool, "b.md": TEN})
    assert found.fixed == LINE.format("dig", "Asks name servers.")
