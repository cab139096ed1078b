"""Keys of references."""

from __future__ import annotations

import re

from shelfread.exports.cited_work import CitationKeys, work_of
from support.exported import VOCABULARY, exported


def keys(*entries: dict[str, object]) -> list[str]:
    known = CitationKeys()
    return [known.next(work_of(entry, VOCABULARY)) for entry in entries]


def test_author_year_and_word() -> None:
    paper = exported(title="The Art of Shelves", year=2020, authors=["Jörg von Müller"])
    assert keys(paper) == ["muller2020art"]
    assert keys(exported(title="On-Device Shelves", authors=["NVIDIA Research"])) == [
        "nvidiaresearchondevice"
    ]
    assert keys(exported(title="The Art of Shelves", year=2020)) == ["art2020shelves"]
    assert keys(exported(title="1001 Shelves of 2 Oaks", year=2020)) == ["shelves2020oaks"]
    assert keys(exported(title="fd")) == ["fd"]


def test_equal_keys_are_told_apart_in_order() -> None:
    paper = exported(title="Shelves", year=2020)
    assert keys(*[paper] * 4) == ["shelves2020", "shelves2020a", "shelves2020b", "shelves2020c"]
    assert keys(*[paper] * 30)[-3:] == ["shelves2020aa", "shelves2020ab", "shelves2020ac"]
    # A key with a letter may be that of another title.
    others = [exported(title=title) for title in ("Shelf", "Shelfa", "Shelf", "Shelf")]
    assert keys(*others) == ["shelf", "shelfa", "shelfb", "shelfc"]


def test_additions_below_change_no_key() -> None:
    entries = [exported(title=title, year=2020) for title in ("Shelves", "Books", "Shelves")]
    assert keys(*entries, exported(title="Shelves", year=2020))[:3] == keys(*entries)


def test_titles_without_latin_letters_have_keys_too() -> None:
    first, second = keys(exported(title="标题", year=2020), exported(title="另一个", year=2020))
    assert first != second
    assert re.fullmatch(r"entry2020[0-9a-f]{8}", first)
    assert keys(exported(title="另一个", year=2020), exported(title="标题", year=2020)) == [second, first]
