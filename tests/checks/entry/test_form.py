"""The rule `entry/form`: what only one of many entries has, or lacks."""

from __future__ import annotations

import pytest

from shelfread.checks.entry.form import form
from support.project import run

ROWS = [f"- [Shelf {n}](https://shelf{n}.dev) - Keeps the books in order.\n" for n in range(20)]
NEW = "- [Crate](https://crate.dev)"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("".join(ROWS) + f"{NEW}\n", ["description"]),
        ("".join(ROWS[:18]) + f"{NEW}\n", []),
        (
            "".join(f"- [Shelf {n}](https://shelf{n}.dev) - Ada Stone (PDF)\n" for n in range(20))
            + f"{NEW}\n",
            [],
        ),
        ("".join(ROWS) + f"{NEW}\n" * 2, []),
        ("".join(ROWS * 2) + f"{NEW}\n- [Box](https://box.dev)\n", []),  # two in one section
        ("".join(ROWS) + f"\n## More\n\n{NEW}\n", []),  # alone in its section
        ("".join(ROWS) + f"{NEW}\n  - [Lid](https://lid.dev) - A part of it.\n", []),
        ("".join(ROWS) + f"{NEW} - Keeps the fruit.\n  - [Lid](https://lid.dev)\n", []),
        ("".join(ROWS) + f"{NEW} - 整理所有的书和书架。\n", ["script"]),
        ("".join(ROWS) + f"{NEW} - Keeps snow (雪) cold.\n", []),
        ("".join(ROWS) + f"{NEW} - by Ada Stone\n", []),
        ("".join(ROWS) + f"{NEW} *(account required)*\n", []),
        (
            "".join(ROWS) + f"{NEW} - [![build](https://img.dev/b.svg)](https://ci.dev/crate)\n",
            ["description"],
        ),
        ("".join(ROWS) + "- https://crate.dev - Keeps the fruit.\n", ["name"]),
        ("".join(ROWS) + "- https://crate.dev - Keeps fruit.\n- https://box.dev - Keeps salt.\n", []),
        (
            "".join(ROWS) + "- [Crate] (https://crate.dev) - Keeps the fruit.\n",
            [],
        ),  # it is read for what it is
        ("".join(ROWS) + "- Crate - Keeps the fruit in order.\n", ["link"]),
        ("".join(ROWS) + "\n⛔ **Avoid**\n\n- **Crate** - Keeps the fruit in order.\n", []),
        ("".join(ROWS) + "\n⛔ **已废弃**\n\n- **Crate** - Keeps the fruit in order.\n", []),
        ("".join(ROWS) + "\n⛔ **Also**\n\n- **Crate** - Keeps the fruit in order.\n", ["link"]),
        ("".join(ROWS) + "- Crates\n  - [Crate](https://crate.dev) - Keeps the fruit.\n", []),
        ("".join(ROWS) + f"{NEW} - Seen at Conf 2019, Conf 2021 and Conf 2099.\n", ["year"]),
        ("".join(ROWS) + f"{NEW} - Seen at Conf 2019 and Cyber 2099, in 2018, in 2019, in 2099.\n", []),
        ("".join(ROWS) + f"- ⌛ {NEW[2:]} - Keeps the fruit.\n", ["mark"]),
        ("".join(ROWS) + f"- ⌛ {NEW[2:]} - Keeps the fruit.\n\n⌛ takes a while\n", []),
    ],
)
def test_form(text: str, found: list[str]) -> None:
    assert [one.place.message for one in run(form, text)] == found


@pytest.mark.parametrize(("rows", "found"), [(19, ["cells"]), (10, [])])
def test_rows(rows: int, found: list[str]) -> None:
    table = "| Name | Year | Link |\n|---|---|---|\n" + "| [A](https://a.dev) | 2019 | b |\n" * rows
    short = "| [C](https://c.dev) | d |\n"
    assert [one.place.message for one in run(form, table + short)] == found
    assert run(form, f"{table}| [B](https://b.dev) | 2020 | |\n{short}") == []


@pytest.mark.parametrize("mark", ["`", "**"])
def test_tables_with_one_header_are_read_as_one(mark: str) -> None:
    def table(*rows: str) -> str:
        return "| Name | Venue |\n|---|---|\n" + "".join(f"| Shelf | {row} |\n" for row in rows) + "\n"

    others = table(*[f"{mark}OSDI{mark}"] * 4) * 5
    (found,) = run(form, others + table("SOSP", f"{mark}OSDI{mark}"))
    assert (found.place.message, found.place.values["mark"], found.place.values["count"]) == (
        "unmarked",
        mark,
        21,
    )
    assert run(form, others + table("SOSP", "OSDI")) == run(form, others + table("—", "")) == []
    (found,) = run(form, others + table("OSDI").replace(" OSDI |", ""))
    assert found.place.message == "cells"
