"""Names of people in their parts."""

from __future__ import annotations

import pytest

from shelfread.exports.cited_work import PersonName, part_name

NAMES = {
    "Ada B. Stone": PersonName("Stone", "Ada B."),
    "Stone, Ada B.": PersonName("Stone", "Ada B."),
    "Stone A": PersonName("Stone", "A"),
    "G. E. P. Box": PersonName("Box", "G. E. P."),
    "Aäron van den Oord": PersonName("Oord", "Aäron", "van den"),
    "van den Oord, Aäron": PersonName("Oord", "Aäron", "van den"),
    "van Gogh": PersonName("Gogh", "", "van"),
    "Christopher De Sa": PersonName("De Sa", "Christopher"),
    "Le Song": PersonName("Song", "Le"),
    "Jean-Luc Müller": PersonName("Müller", "Jean-Luc"),
    "Ken Stone Jr.": PersonName("Stone", "Ken", suffix="Jr."),
    "Ken Stone, Jr.": PersonName("Stone", "Ken", suffix="Jr."),
    "NVIDIA": PersonName("NVIDIA", whole=True),
    "Shelf Research Team": PersonName("Shelf Research Team", whole=True),
    "Ada Stone and Ken Wood": PersonName("Ada Stone and Ken Wood", whole=True),
    "Ada Stone (MIT)": PersonName("Ada Stone (MIT)", whole=True),
    "王小明": PersonName("王小明", whole=True),
    "王 小明": PersonName("王 小明", whole=True),
}


@pytest.mark.parametrize("text", NAMES)
def test_parts(text: str) -> None:
    assert part_name(text) == NAMES[text]
