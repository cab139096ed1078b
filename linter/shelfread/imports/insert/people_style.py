"""How a list writes the authors of papers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from shelfread.core.support.named_tuple import NamedTuple
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document

ET_AL = lazy(r"(?P<place>\s?\([^()\n]{1,80}\))?(?P<others>,?\s(?:\*|_)?(?:et\.?\s?al\b\.?|and others))")
"""What stands for the authors that are not named, behind the place of the last one that is."""
_INITIALS = lazy(r"(?:[^\W\d_]\.[ -]?){1,3}[^\W\d_][^\W\d_]")
_GIVEN = lazy(r"([^\W\d_])[^\W\d_]*\.?")
_LONGEST = 8
"""A separator with its blanks: `, and `."""
_MOST = 3
_LEAST = 5
_RARE = 20
"""One of as many."""


class PeopleStyle(NamedTuple):
    """What stands between names, before the last one, and between two, and what is written of given names."""

    between: str
    last: str
    pair: str
    with_initials: bool
    families: bool
    """Whether only the families are named: `Stone et al.`"""
    most: int | None
    """The most authors that are named without `et al.`; None if that is not written."""


def learn_people(document: Document) -> PeopleStyle:
    """Return how most papers of a list write their authors."""
    text = document.source.text
    between: Counter[str] = Counter()
    last: Counter[str] = Counter()
    pairs: Counter[str] = Counter()
    initials: Counter[bool] = Counter()
    whole: Counter[int] = Counter()
    cut = 0
    families: Counter[bool] = Counter()
    for entry in document.entries:
        gaps = [text[first.span.end : second.span.start] for first, second in pairwise(entry.authors)]
        if any(len(gap) > _LONGEST or "\n" in gap or not gap.strip(" *_") for gap in gaps):
            continue
        between.update(gaps[:-1])
        (last if len(gaps) > 1 else pairs).update(gaps[-1:])
        if entry.authors and ET_AL.match(text, entry.authors[-1].span.end):
            cut += 1
        elif entry.authors:
            whole[len(entry.authors)] += 1
        families.update(" " not in author.value.strip() for author in entry.authors[:_MOST])
        initials.update(_INITIALS.match(author.value) is not None for author in entry.authors[:_MOST])
    usual = between.most_common(1)[0][0] if between.total() >= _LEAST else ", "
    before_last = last.most_common(1)[0][0] if last.total() >= _LEAST else usual
    pair = pairs.most_common(1)[0][0] if pairs.total() >= _LEAST else before_last
    most = max((number for number, count in whole.items() if count * _RARE > whole.total()), default=1)
    return PeopleStyle(
        usual,
        before_last,
        pair,
        initials[True] > 4 * initials[False],
        families[True] > 4 * families[False],
        most if cut >= _LEAST else None,
    )


def write_people(authors: Sequence[str], style: PeopleStyle) -> str:
    """Return names as a list writes them."""
    names = [given_first(author) for author in authors]
    if style.families:
        names = [_family(author) for author in authors]
    elif style.with_initials:
        names = [_with_initials(name) for name in names]
    if len(names) < 2:
        return "".join(names)
    last = style.last if len(names) > 2 else style.pair
    return f"{style.between.join(names[:-1])}{last}{names[-1]}"


def given_first(author: str) -> str:
    """Return a name as most lists write it: `Stone, Ada` is `Ada Stone`."""
    family, comma, given = author.partition(",")
    return f"{given.strip()} {family.strip()}" if comma and "," not in given else author


def _family(author: str) -> str:
    family, comma, _ = author.partition(",")
    return family.strip() if comma else author.split()[-1]


def _with_initials(name: str) -> str:
    *given, family = name.split()
    if not given or not all(_GIVEN.fullmatch(part) for part in given):
        return name
    return (
        f"{' '.join(f'{part[0]}.' for part in given if part[0].isupper())} {family}"
        if given[-1][0].isupper()
        else name
    )
