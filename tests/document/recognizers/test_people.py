from __future__ import annotations

import pytest

from shelfread.document.recognizers.people import split_people


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("Stone, Ada, et al.", ["Stone, Ada"]),
        ("Stone, Ada E., et al.", ["Stone, Ada E."]),
        ("Oord, Ada van den, et al.", ["Oord, Ada van den"]),
        ("Ada Stone, Ben Wood, et al.", ["Ada Stone", "Ben Wood"]),
        ("Stone, Ben Wood, et al.", ["Stone, Ben Wood"]),
        ("Stone, Wood, Reed, et al.", ["Stone", "Wood", "Reed"]),
    ],
)
def test_the_only_person_that_is_named_is_one(text: str, people: list[str]) -> None:
    assert split_people(text) == people


def test_a_suffix_belongs_to_the_person_before_it() -> None:
    assert split_people("Ada Stone, Jr. and Lin Wu") == ["Ada Stone, Jr.", "Lin Wu"]
    assert split_people("Lin Wu, Ada Stone, Sr.") == ["Lin Wu", "Ada Stone, Sr"]
