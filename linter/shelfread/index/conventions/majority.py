"""Learns conventions: a convention is a clear majority among enough cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Literal, TypeAlias, cast

from shelfread.core.support.named_tuple import NamedTuple

When: TypeAlias = Literal["learned", "always", "never"]
"""Whether a rule follows the list's clear majority, any majority, or reports nothing."""

LEAST_CASES = 10
MANY_CASES = 100


class Convention(NamedTuple):
    """The form that most cases have: `cases` of `total`."""

    form: str
    cases: int
    total: int

    @property
    def is_strict(self) -> bool:
        """Whether hardly any case differs: at most two, or one in 20."""
        return self.total - self.cases <= max(2, self.total // 20)


class _Later:
    """A convention whose counts, which change with every entry, are found when they are needed."""

    def __init__(self, form: str, is_strict: Callable[[], bool], find: Callable[[], Convention]) -> None:
        self.form = form
        self._is_strict, self._find = is_strict, find

    @property
    def cases(self) -> int:
        return self._find().cases

    @property
    def total(self) -> int:
        return self._find().total

    @property
    def is_strict(self) -> bool:
        return self._is_strict()


def later(form: str, is_strict: Callable[[], bool], find: Callable[[], Convention]) -> Convention:
    """Return a convention whose form is known, and of which the rest is found when it is needed."""
    return cast(Convention, _Later(form, is_strict, find))


def learn(forms: Counter[str], when: When = "learned") -> Convention | None:
    """Return the form of nine of ten cases, of at least ten; with `always` the most common one, or None."""
    convention = _commonest(forms) if when != "never" else None
    if convention is None or when == "always":
        return convention
    clear = convention.total >= LEAST_CASES and convention.cases * 10 >= convention.total * 9
    return convention if clear else None


def learn_spelling(forms: Counter[str], when: When = "learned") -> Convention | None:
    """Return the spelling of one word, as `learn` does; of at least 100 cases four of five are enough."""
    convention = learn(forms, when)
    if convention is not None or when != "learned" or forms.total() < MANY_CASES:
        return convention
    most = _commonest(forms)
    return most if most is not None and most.cases * 5 >= most.total * 4 else None


def _commonest(forms: Counter[str]) -> Convention | None:
    """Return the form that more cases have than any other; None for a tie."""
    first = forms.most_common(2)
    if not first or (len(first) == 2 and first[0][1] == first[1][1]):
        return None
    return Convention(*first[0], forms.total())
