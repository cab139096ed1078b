"""Names of people, parted as CSL and BibTeX need them."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.document.recognizers.organisations import names_organisation

OTHERS = "others"
"""Stands for the authors that are not named."""
_NAME = lazy(r"[^\W\d_][\w.’'‐‑·-]*(?: [^\W\d_][\w.’'‐‑·-]*)*")
_PARTICLES = frozenset(
    "van von der den de des du la le di da del della dos das do ter ten te zu zum zur af av al el bin ben y".split()
)
_SUFFIX = lazy(r"(?i:jr|sr)\.?|II|III|IV")
_INITIALS = lazy(r"[A-Z]|(?:[A-Z]\.-?){1,3}")
_ET_AL = lazy(r"(?i)(?:and )?(?:et\.? ?al\.?|others|\.\.\.|…)")
_MAX_WORDS = 6


class PersonName(NamedTuple):
    """A name in its parts; a name that is no person's, or cannot be parted, is all `family`, and `whole`."""

    family: str
    given: str = ""
    particle: str = ""
    """What stands before the family name, in lower case: `van der`."""
    suffix: str = ""
    whole: bool = False


@lru_cache(maxsize=4096)  # authors recur
def part_name(text: str) -> PersonName:
    """Return the parts of a name as lists write it: `Ada B. Stone`, `Stone, Ada B.`, `Stone A`, `NVIDIA`."""
    family, comma, given = (part.strip() for part in text.partition(","))
    if _ET_AL.fullmatch(text):
        return PersonName(OTHERS, whole=True)
    if comma and _SUFFIX.fullmatch(given):
        return part_name(f"{family} {given}")
    if comma and _is_name(family) and _is_name(given):
        words = family.split(" ")
        first = next(
            (index for index, word in enumerate(words[:-1]) if word not in _PARTICLES), len(words) - 1
        )
        return PersonName(" ".join(words[first:]), given, " ".join(words[:first]))
    words = text.split(" ")
    if comma or len(words) < 2 or not _is_name(text) or names_organisation(text):
        return PersonName(text, whole=True)
    suffix = words.pop() if len(words) > 2 and _SUFFIX.fullmatch(words[-1]) else ""
    if _INITIALS.fullmatch(words[-1]) and not _INITIALS.fullmatch(words[0]):
        return PersonName(" ".join(words[:-1]), words[-1], suffix=suffix)
    start = len(words) - 1
    while start > (words[0] not in _PARTICLES) and words[start - 1].lower() in _PARTICLES:
        start -= 1
    first = start
    while first < len(words) - 1 and words[first] in _PARTICLES:
        first += 1
    return PersonName(" ".join(words[first:]), " ".join(words[:start]), " ".join(words[start:first]), suffix)


def _is_name(text: str) -> bool:
    """Return whether a text can be a name whose parts stand in the order of Western names."""
    if not _NAME.fullmatch(text) or text.count(" ") >= _MAX_WORDS or " and " in text:
        return False
    return any(char.isupper() for char in text)
