"""The rule `entry/description-copied`: what is copied, and what is alike by right."""

from __future__ import annotations

import pytest

from shelfread.checks.entry.description import description_copied
from support.project import run

SAME = "Keeps all of the books in order."


@pytest.mark.parametrize(
    ("descriptions", "found"),
    [
        ([SAME, SAME], []),
        ([SAME, SAME, SAME], []),
        (["Ada Stone, Lin Wu (University of Shelves)"] * 2, []),
        ([SAME, "Keeps boxes.", SAME], []),
        (["Keeps books.", "Keeps books."], []),
        ([f"{SAME} {SAME}"], ["twice"]),
        (["Books. Books."], []),
        (["A short description of the project."], ["template"]),
        (["Your description here"], ["template"]),
        (["Lorem ipsum dolor sit amet."], ["template"]),
        (["Description of a shelf."], []),
    ],
)
def test_copied(descriptions: list[str], found: list[str]) -> None:
    names = ("Ash", "Elm", "Fir")
    rows = [
        f"- [{name}](https://{name}.dev) - {text}\n" for name, text in zip(names, descriptions, strict=False)
    ]
    tail = "- [Oak](https://oak.dev) - Keeps the rooms.\n- [Yew](https://yew.dev) - Keeps the doors.\n"
    assert [one.place.message for one in run(description_copied, "".join(rows) + tail)] == found
