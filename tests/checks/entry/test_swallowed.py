"""Entries that are shown as part of the entry above."""

from __future__ import annotations

import pytest

from shelfread.checks.entry.swallowed import swallowed
from support.project import fixed, run

ROWS = [f"- [Shelf {chr(97 + n)}](https://shelf{n}.dev) - Keeps the books in order." for n in range(12)]
NEW = "[Crate](https://crate.dev) - Keeps the fruit in order."


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (f"{ROWS[3]}- {NEW}", True),
        (f"{ROWS[3]} - {NEW}", True),
        (f"{ROWS[3].rstrip('.')}- {NEW}", True),
        (f"{ROWS[3].rstrip('.')} - {NEW}", False),  # part of a sentence
        (f"{ROWS[3]} * {NEW}", False),  # another bullet
        (f"{ROWS[3]} - [Crate](https://crate.dev)", False),
        (f"{ROWS[3]} - [Paper](https://crate.dev) - Tells how it was made.", False),
        (f"{ROWS[3]}\n{NEW}", True),
        (f"{ROWS[3]}\n  {NEW}", False),
        (f"{ROWS[3].rstrip('.')} and\n{NEW}", False),
        (f"{ROWS[3]}\n[Crate](https://crate.dev)", False),
    ],
)
def test_in_the_text_of_an_item(line: str, found: bool) -> None:
    text = "\n".join([*ROWS[:3], line, *ROWS[4:]]) + "\n"
    assert bool(run(swallowed, text)) is found
    if found:
        above = line.partition("[Crate")[0].rstrip("- \n")
        assert fixed(swallowed, text).text == "\n".join([*ROWS[:3], above, f"- {NEW}", *ROWS[4:]]) + "\n"


def test_habits_are_left_alone() -> None:
    wrapped = [f"{row}\n{NEW.replace('rate', str(number))}" for number, row in enumerate(ROWS)]
    assert run(swallowed, "\n".join(wrapped) + "\n") == []


@pytest.mark.parametrize("indent", ["  ", "    ", "\t"])
def test_a_child(indent: str) -> None:
    rows = [row.replace("Shelf", f"Shelf{n}") for n in range(3) for row in ROWS]
    text = "\n".join([*rows[:20], f"{indent}- {NEW}", *rows[20:]]) + "\n"
    (found,) = run(swallowed, text)
    assert (found.line, found.place.message) == (21, "child")
    assert fixed(swallowed, text, unsafe=True).text == "\n".join([*rows[:20], f"- {NEW}", *rows[20:]]) + "\n"
    twice = text.replace("\n- [Shelf0 b]", f"\n{indent}- {NEW}\n{indent}- {NEW}\n- [Shelf0 b]")
    assert [one.line for one in run(swallowed, twice)] == []


def test_one_word_behind_a_title_labels_its_link() -> None:
    rows = [f"- [How to Sort {n} Shelves](https://talks.dev/{n})" for n in range(12)]
    text = "\n".join(
        [*rows, "- [How to Sort Books](https://talks.dev/b) - [Transcript](https://talks.dev/t)"]
    )
    assert run(swallowed, text + "\n") == []
    assert run(swallowed, text.replace("Transcript", "How to Sort Fruit") + "\n")


def test_a_glued_bullet_is_told_by_another_rule() -> None:
    assert run(swallowed, "\n".join([*ROWS[:3], f"{ROWS[3]}\n-{NEW}", *ROWS[4:]]) + "\n") == []
