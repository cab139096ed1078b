"""Which changes do damage is found with few tries, however many there are."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

import shelfread.format.format as formatting
from shelfread.core.diagnostics import Span
from shelfread.core.source import Source
from shelfread.fixes.conservation import Damage, Search
from shelfread.format.same_page import Page, read_page


def keep_harmless(
    count: int, find_damage: Callable[[Sequence[int]], list[Damage]], most_tries: int = 30
) -> tuple[list[int], list[tuple[int, str]]]:
    search = Search[int](lambda change: [Span(change, change)], find_damage, most_tries)
    search.run([range(count)])
    return search.kept, [*search.harmful, *search.harmful_together]


class Judge:
    """Changes at a number each; some do damage, in a place of three changes or anywhere."""

    def __init__(self, harmful: Callable[[int], bool], has_places: bool = True) -> None:
        self.harmful, self.has_places, self.tries = harmful, has_places, 0

    def __call__(self, changes: Sequence[int]) -> list[Damage]:
        self.tries += 1
        assert list(changes) == sorted(changes)
        places = {change // 3 * 3 for change in changes if self.harmful(change)}
        return [Damage("bad", Span(at, at + 2) if self.has_places else None) for at in sorted(places)]

    def keep(self, count: int, most_tries: int = 30) -> tuple[list[int], list[tuple[int, str]]]:
        return keep_harmless(count, self, most_tries)


@pytest.mark.parametrize("count", [3, 30, 3000])
def test_damage_in_many_places(count: int) -> None:
    judge = Judge(lambda change: change % 3 == 1)
    kept, harmful = judge.keep(count)
    assert sorted(kept) == [change for change in range(count) if change % 3 != 1]
    assert sorted(harmful) == [(change, "bad") for change in range(count) if change % 3 == 1]
    assert judge.tries <= 9


def test_two_changes_that_do_damage_together() -> None:
    def find_damage(changes: Sequence[int]) -> list[Damage]:
        return [Damage("both", None)] if {3, 7} <= {*changes} else []

    kept, harmful = keep_harmless(10, find_damage)
    assert (len(kept), [reason for _, reason in harmful]) == (9, ["both"])


def test_damage_that_may_be_done_anywhere_is_halved() -> None:
    judge = Judge(lambda change: change == 70, has_places=False)
    kept, harmful = judge.keep(100)
    assert (len(kept), harmful) == (99, [(70, "bad")])


def test_the_rest_is_given_up() -> None:
    judge = Judge(lambda change: True, has_places=False)
    kept, harmful = judge.keep(100)
    assert (kept, len(harmful)) == ([], 100)
    assert judge.tries < 100


UNIT = """\
  - a
- b
- c
1. - d
1.   e
1.   - f
1.
1. g
1. - h
1. i
</pre>
- j\x20

"""
"""A list that goes on in the next unit, whose lines would then be lazy text."""


def test_blocks_that_are_left_are_found_together(monkeypatch: pytest.MonkeyPatch) -> None:
    def pages(count: int) -> tuple[float, int]:
        read = 0

        def count_letters(text: str) -> Page:
            nonlocal read
            read += len(text)
            return read_page(text)

        monkeypatch.setattr(formatting, "read_page", count_letters)
        text = UNIT * count
        result = formatting.format_source(Source(text))
        return read / len(text), len(result.unformatted)

    (few, left), (many, more_left) = pages(10), pages(80)
    assert left > 5
    assert more_left > left * 4
    assert many < few * 1.5
