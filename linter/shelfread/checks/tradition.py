"""What lists in the tradition of sindresorhus/awesome do, and how far a list follows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import NamedTuple

from shelfread.diagnostic import Applicability, Severity
from shelfread.survey.convention import LEAST_CASES, Convention, When, learn

_FEW = 3


class Norm(NamedTuple):
    """The form that entries are held to; where it is not settled, only for information."""

    convention: Convention
    severity: Severity
    applicability: Applicability


def norm(forms: Counter[str], tradition: Collection[str], when: When) -> Norm | None:
    """The list's own clear form; else the tradition's, where the list has not chosen another.

    Among few cases two of three settle it: the tradition speaks for them. `always` holds every list to its
    commonest form, or to the tradition where none is commonest.
    """
    own = learn(forms, when)
    if own is not None:
        return Norm(own, Severity.ERROR, Applicability.SAFE)
    usual = max(tradition, key=lambda form: forms[form])
    convention = Convention(usual, forms[usual], forms.total())
    if when == "never" or convention.cases * 2 < convention.total:
        return None
    if when == "always":
        return Norm(convention, Severity.ERROR, Applicability.SAFE)
    few = _FEW <= convention.total < LEAST_CASES and convention.cases * 3 >= convention.total * 2
    if few:
        return Norm(convention, Severity.ERROR, Applicability.SAFE)
    return Norm(convention, Severity.INFO, Applicability.UNSAFE) if convention.total >= _FEW else None
