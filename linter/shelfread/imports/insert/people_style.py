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
    between, last, pairs = Counter[str](), Counter[str](), Counter[str]()
    initials, families = Counter[bool](), Counter[bool]()
    named: Counter[int] = Counter()
    cut = 0
    for entry in document.entries:
        gaps = [text[first.span.end : second.span.start] for first, second in pairwise(entry.authors)]
        if any(len(gap) > _LONGEST or "\n" in gap or not gap.strip(" *_") for gap in gaps):
            continue
        between.update(gaps[:-1])
        (last if len(gaps) > 1 else pairs).update(gaps[-1:])
        if entry.authors and ET_AL.match(text, entry.authors[-1].span.end):
            cut += 1
        elif entry.authors:
            named[len(entry.authors)] += 1
        families.update(" " not in author.value.strip() for author in entry.authors[:_MOST])
        initials.update(_INITIALS.match(author.value) is not None for author in entry.authors[:_MOST])
    usual = _usual(between, ", ")
    before_last = _usual(last, usual)
    most = max((number for number, count in named.items() if count * _RARE > named.total()), default=1)
    return PeopleStyle(
        usual,
        before_last,
        _usual(pairs, before_last),
        initials[True] > 4 * initials[False],
        families[True] > 4 * families[False],
        most if cut >= _LEAST else None,
    )


def _usual(counts: Counter[str], default: str) -> str:
    return counts.most_common(1)[0][0] if counts.total() >= _LEAST else default


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
    if not given or not given[-1][0].isupper() or not all(map(_GIVEN.fullmatch, given)):
        return name
    return " ".join([*(f"{part[0]}." for part in given if part[0].isupper()), family])
