"""What a list mostly does: a convention is a clear majority among enough cases, never our taste."""

from __future__ import annotations

from collections import Counter
from typing import Literal, NamedTuple, TypeAlias

When: TypeAlias = Literal["learned", "always", "never"]
"""Whether a rule follows the list's clear majority, any majority, or holds its tongue."""

LEAST_CASES = 10
MANY_CASES = 100


class Convention(NamedTuple):
    """The form that most cases have: `cases` of `total`."""

    form: str
    cases: int
    total: int

    @property
    def is_strict(self) -> bool:
        """Whether hardly a case differs: two at most, or one of 20."""
        return self.total - self.cases <= max(2, self.total // 20)


def learn(forms: Counter[str], when: When = "learned") -> Convention | None:
    """The form that nearly all cases have: 9 of 10, at least 10 cases; `always`: the commonest one."""
    convention = _commonest(forms) if when != "never" else None
    if convention is None or when == "always":
        return convention
    clear = convention.total >= LEAST_CASES and convention.cases * 10 >= convention.total * 9
    return convention if clear else None


def learn_spelling(forms: Counter[str], when: When = "learned") -> Convention | None:
    """As `learn`, for one word: nothing but habit varies its case, so that of 100 cases 4 of 5 are clear."""
    convention = learn(forms, when)
    commonest = _commonest(forms)
    if convention is not None or when != "learned" or commonest is None or commonest.total < MANY_CASES:
        return convention
    return commonest if commonest.cases * 5 >= commonest.total * 4 else None


def _commonest(forms: Counter[str]) -> Convention | None:
    """The form that more cases have than any other; None where two have as many."""
    first = forms.most_common(2)
    if not first or (len(first) == 2 and first[0][1] == first[1][1]):
        return None
    return Convention(*first[0], forms.total())
