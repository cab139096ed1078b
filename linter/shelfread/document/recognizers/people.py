"""Recognises authors in text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from string import ascii_lowercase

from shelfread.core.folders import PACKAGE
from shelfread.core.patterns import lazy
from shelfread.document.model import Field
from shelfread.document.plain_text import PlainText, find_fields
from shelfread.document.recognizers import WORDS
from shelfread.document.recognizers.organisations import is_organisation, names_organisation
from shelfread.document.years import DATE

SEPARATOR = lazy(
    r"(?:(?<!\s)\s+)?(?:,(?:\s*(?:[Aa]nd|&)(?=\s))?|;|(?<=\s)(?:(?:and|&|und|et(?! al))(?=\s)|[ye](?=\s[^\s,]+\s[^\W\d_a-z]))|、|，|；)\s*"
)
# A person: `Yimin Jiang`, `Quoc V. Le`, `H. van der Maaten`, `Mahajan`, `K.`; letters of any script.
_PERSON = lazy(
    r"(?:(?:van|von|der|den|de|des|du|la|le|di|da|del|dos|das|do|ter|ten|el|al|bin|ben)\s+)*(?:d[’'])?"
    r"[^\W\d_][\w’'.·‐‑\u00ad-]*(?:\s+(?:(?:van|von|der|den|de|des|du|la|le|di|da|del|dos|das|do|ter|ten|el|al|bin|ben)|d[’'][^\W\d_a-z][\w’'.‑-]*|[^\W\d_a-z][\w’'.·‑-]*)){0,4}"
)
# One person, the family name first: `Stone, Ada B.`
ONE_INVERTED = lazy(r"[A-Z][\w’'-]+, [A-Z](?:[\w’'-]+|\.)?(?: [A-Z](?:[\w’'-]+|\.)?){0,2}")
# What stands before the people of a line or cell: marks, `by`, `Authors:`.
BEFORE_PEOPLE = lazy(
    r"[\s,.;:|·•(\[–—)\]\"”’»」》>*_\u2190-\u2bff\ufe0f\U0001f000-\U0001faff-]*(?:(?:by:?\s|authors?\s?[:：]|作者\s?[:：])\s*)?",
    re.IGNORECASE,
)
_IN_BRACKETS = lazy(r"\s{0,9}[(（][^()（）]*[)）]")
# Affiliations, but not what a person is called: `Ada (Fern) Stone`.
_BEHIND_PEOPLE = lazy(r"\s{0,9}(?!\([A-Z][\w.-]{1,12}\) ?[A-Z][a-z])[(（][^()（）]*[)）]")
_GRADE = lazy(
    r",\s?(?:(?:(?:Senior|Life|Student) )?(?:Member|Fellow),\s?)?IEEE\b(?=\s?(?:,|and\b|$))"
)  # behind a person
_INITIALS = lazy(r"(?![A-Z]{4})(?:[A-Z]\.?[\s-]?){1,4}")
_ET_AL = lazy(r"\bet\.?\s*al\b|\band others\b", re.IGNORECASE)
_LOWER = lazy(r"(?<![’'-])\b[a-z]{3,}\b")
_PARTICLES = frozenset("van von der den del dos das des ter ten bin ben and".split())
_NOT_NAMES = frozenset(
    "workshop conference proceeding journal symposium blog transaction arxiv preprint http award ieee acm".split()
)
_AND_OTHERS = lazy(r"[\s,]{0,9}(?:\bet\.?\s{0,9}al|\band [Oo]thers)\b|,\s{0,9}\.\.\.|\s?等\Z")
_LEFT_OUT = lazy(
    r",?\s?(?:\.\.\.|…)\s?,?\s?(?:(?:&|and)\s)?\s{0,3}(?=[^\W\d_])"
)  # `Stone, A., ... & Moor, C.`
_MARKS = "*†‡§∗⋆✝¶"  # of footnotes, behind a person
# What may stand between the last author and what stands for the others: `Stone* (MIT), et al.`
_MORE = lazy(
    rf"(?:[\s,;._{_MARKS}\d)\]”\"]|\([^()]{{1,80}}\)|\]\([^()\s]{{1,300}}\)|</?[a-z]{{1,6}}>){{0,8}}?"
    r"(?:(?<=[\s>*_])et\.?\s{0,3}al\b|(?<=\s)(?:and|&)\s(?:\d{1,3}\s)?others\b|(?<=,)\s?(?:\.\.\.|…)|等)",
    re.IGNORECASE,
)
_SEVERAL = lazy(r";|\b[A-Z]\b(?!-)|\bet al|\band\b|&|(?:,[^,]+){2}")
_JOINED = lazy(r"[,;&、，]|\band\b|\bet\b")
_LAST_STOP = lazy(r"(?<=[^\W\d_A-Z]{2})\.$")
_LAST_INITIAL = lazy(r"\b[A-Z]$")
_SUFFIX = lazy(r"(?i)[js]r\.?")
_LAST_AND = lazy(r",?\s{1,9}(?:and|&)\s{1,9}")
_TRAILING = lazy(
    rf"(?<![\s{_MARKS}\d\])(:])[\s{_MARKS}\d\])(:]+$|^[\s*\d\](]+|^\s{{0,9}}(?:and|y|e|et|und)\s+"
)
_INITIAL = lazy(r"\b[A-Z]\.")
_LETTERS = lazy(r"[^\W\d_]+")
_GIVEN_NAMES_FILE = PACKAGE / "document" / "recognizers" / "given_names.txt"
_CLAUSE = lazy(r"[\u4e00-\u9fff]{6}")  # names in Chinese and Japanese are shorter
_MAX_LENGTH = 3000
_MAX_NAME = 4  # words
_MAX_IDEOGRAPHS = 5  # names in Chinese and Japanese have fewer; clauses have more
_FOOTNOTE_MARKS = lazy(rf"(?<![{_MARKS}\d])[{_MARKS}\d]+(?=[,\s]|$)")


@lru_cache(maxsize=64)  # each piece of a line is asked several times in quick succession
def are_authors(text: str, minimum: int = 1) -> bool:
    """Return whether a text is nothing but a list of people, with at least `minimum` full names."""
    text = _GRADE.sub("", text) if "IEEE" in text else text
    is_stopped = text.rstrip(" *_\n,;").endswith(".")
    text = text.strip(" .*_\n,;")
    if text.count(" ") > 6 and not _JOINED.search(text, 0, 80):
        return False
    if not text or len(text) > _MAX_LENGTH or ":" in text or text[0] in '"“':
        return False
    lower = text.lower()
    if ("et" in lower or "others" in lower) and _ET_AL.search(text):
        named = _FOOTNOTE_MARKS.sub("", _IN_BRACKETS.sub("", _ET_AL.split(text)[0])).strip(" ,.(")
        parts = [part.strip(" .") for part in _split(named)] if len(named) < 1000 else []
        return bool(parts) and all(map(_PERSON.fullmatch, parts)) and _lower_case_share(named) < 0.3
    if not _NOT_NAMES.isdisjoint(word.removesuffix("s") for word in _LETTERS.findall(lower)):
        return False
    text = _FOOTNOTE_MARKS.sub("", _IN_BRACKETS.sub("", text))
    if inverted := _inverted(text):
        pairs = [person.split(",") for person in inverted]
        return all(_is_person(family, mixed=False) and _is_person(given) for family, given in pairs)
    parts = [part for part in _split(text) if part.strip(" .")]
    if len(parts) < minimum or not parts or not _PERSON.fullmatch(parts[0].strip(" .")):
        return False
    mixed = names_organisation(text)
    people = sum(1 for part in parts if _is_person(part, mixed))
    if len(parts[-1].split()) > _MAX_NAME and not _is_person(parts[-1], mixed):
        return False  # a title behind its authors
    full = sum(1 for part in parts if " " in part.strip() or part.strip().endswith("."))
    full += is_stopped and len(parts) > 1 and _INITIAL.fullmatch(parts[-1] + ".") is not None
    if full < minimum and not _are_chinese(parts):
        return False
    return people >= 0.8 * len(parts) and (len(parts) > 1 or not mixed)


def _are_chinese(parts: Sequence[str]) -> bool:
    """Return whether all of several parts are people in Chinese characters, the surname first: `王小明, 李大山`."""
    names = [name for part in parts if (name := part.strip(" .*_")) not in ("", "等")]
    return len(names) > 1 and all(
        1 < len(name) < _MAX_IDEOGRAPHS and name[0] in WORDS["surname"] for name in names
    )


def are_names(text: str) -> bool:
    """Return whether all parts of a text have the form of a name: what a label calls people may be `Ada Is`."""
    parts = [part.strip(" .*_\n") for part in _split(text)]
    return all(_PERSON.fullmatch(part) and not part[0].islower() for part in parts)


def is_list_of_people(text: str) -> bool:
    """Return whether a text is surely a list of people, and not two phrases joined by a comma."""
    if _SEVERAL.search(text) and any(map(str.isupper, text)) and are_authors(text, minimum=0):
        return True
    return len(_split(text)) > 1 and are_named(text)


def are_named(text: str) -> bool:
    """Return whether a text is people, and names that many people have show it for at least half of them."""
    if _are_chinese(_split(text)):
        return True
    if " " not in text or not are_authors(text):
        return False
    parts = [part.strip(" .*_").split() for part in _split(text)]
    named = sum(1 for words in parts if 2 <= len(words) <= 4 and is_given_name(words[0]))
    return 2 * named >= len(parts)


def is_given_name(word: str) -> bool:
    """Return whether a word is a given name that many people have."""
    return word in _given_names()


@cache
def _given_names() -> frozenset[str]:
    """Return given names of authors in the lists of at least two owners, without those that are words of titles."""
    return frozenset(_GIVEN_NAMES_FILE.read_text("utf-8").split())


def are_surely_people(text: str) -> bool:
    """Return whether no other reading of a list of people is likely: it has initials, `et al.`, or four names."""
    if not _INITIAL.search(text) and not _ET_AL.search(text) and len(SEPARATOR.findall(text)) < 3:
        return False
    return are_authors(text, minimum=0)


def split_people(text: str) -> list[str]:
    """Return the people of a list as written, without `et al.`. `Family, Given` stays one person."""
    written = _GRADE.sub("", text[:_MAX_LENGTH]) if "IEEE" in text else text[:_MAX_LENGTH]
    text = _BEHIND_PEOPLE.sub(lambda match: " " * len(match.group()), written)
    bare = text.strip(" .*_\n,;")
    is_grouped = text != written  # `Ada Stone (Oxford); Ben Field, Cy Moor (Duke)`
    has_stops = "." in bare or ONE_INVERTED.fullmatch(bare)
    if _LAST_INITIAL.search(bare) and has_stops and text.rstrip(" *_\n,;").endswith("."):
        bare += "."
    text, *others = _AND_OTHERS.split(_LEFT_OUT.sub(", ", bare), maxsplit=1)
    text = _LAST_STOP.sub("", text) if others else text  # `A. Stone. et al.`
    if text.count(";") > 1 or (";" in text and "," in text):
        groups = [group for part in text.split(";") if (group := _bare(part).removeprefix("and ").strip())]
        return [person for group in groups for person in split_people(group)] if is_grouped else groups
    if inverted_people := _inverted(text):
        return inverted_people
    parts = [bare for part in _split(text) if any(map(str.isalpha, bare := _bare(part)))]
    if len(parts) > 1 and " " in parts[0] and parts[-1].casefold() in WORDS["month"]:
        parts.pop()  # `Ada Stone, Sep. 2019`
    is_two = len(parts) == 2 and parts[0][0].isupper() and " " not in parts[0]
    if others and is_two and f"{parts[0]}, {parts[1]}" in text:
        return [f"{parts[0]}, {parts[1]}"]  # Kumar, Adarsh B., et al.
    families, given = parts[::2], parts[1::2]
    if len(families) == len(given) > 1 and _are_pairs(families, given):
        return [f"{family}, {name}" for family, name in zip(families, given, strict=True)]
    initials = [bool(_INITIALS.fullmatch(part)) for part in parts]
    # Only the first person is written as `Family, Given`.
    inverted = len(parts) > 2 and " " not in parts[0] and all(" " in part for part in parts[2:])
    if inverted and len(parts) > 4 and " " in parts[1] and is_given_name(parts[1].split()[0]):
        inverted = (
            _INITIALS.fullmatch(parts[1].partition(" ")[2]) is not None
        )  # `Mausam, Ada Stone, Ben Field`
    people: list[str] = []
    for index, part in enumerate(parts):
        is_part = (initials[index] and not initials[index - 1]) or (inverted and index == 1)
        if index and (is_part or _SUFFIX.fullmatch(part)):
            people[-1] = f"{people[-1]}, {part}"
        else:
            people.append(part)
    return people


def _inverted(text: str) -> list[str]:
    """Return the people of a list in which each is `Family, Given`, with `and` before the last one or before each. Else none."""
    groups = _LAST_AND.split(text) if " and " in text or " & " in text else []
    if len(groups) < 2 or not all(group.count(",") % 2 for group in groups):
        return []
    parts = [
        _LAST_STOP.sub("", part.strip()) for group in groups for part in group.split(",") if part.strip(" .")
    ]
    families, given = parts[::2], parts[1::2]
    if len(families) != len(given) or any(map(_INITIALS.fullmatch, given)):
        return []
    if all(" " in part and "." not in part for part in parts):
        return []  # `Ada Stone, Ben Field, and Cy Moor, Lin Wu`
    if any(" " in family.lstrip(f"{ascii_lowercase} ") for family in families) and any(
        group.count(",") != 1 for group in groups
    ):
        return []
    return [f"{family}, {name}" for family, name in zip(families, given, strict=True)]


def _are_pairs(families: Sequence[str], given: Sequence[str]) -> bool:
    """Return whether family and given names take turns, each a word, as given names that many people have show."""
    words = [name.split()[0] for name in given]
    if any(" " in family for family in families) or any(map(_INITIALS.fullmatch, given)):
        return False
    are_short = all(_INITIALS.fullmatch(rest) for name in given if (rest := name.partition(" ")[2]))
    return (
        are_short
        and 3 * sum(map(is_given_name, words)) >= len(words)
        and not any(map(is_given_name, families))
    )


def has_others(authors: Sequence[Field], text: str) -> bool:
    """Return whether a text names only some of the people: `et al.` or the like stands behind the last one."""
    if not authors or _MORE.match(text, authors[-1].span.end) is not None:
        return bool(authors)
    return _LEFT_OUT.search(text, authors[0].span.start, authors[-1].span.start) is not None


@lru_cache(maxsize=64)
def _split(text: str) -> tuple[str, ...]:
    """Return the parts of a list of people."""
    return tuple(SEPARATOR.split(text))


def _bare(part: str) -> str:
    if part[:1].isupper() and part[-1:].isalpha():
        return part
    return _TRAILING.sub("", part).strip()


def find_people(plain: PlainText, text: str, start: int, end: int) -> list[Field]:
    """Return the people of a range of `text`, in order. `text` is that of `plain` or of the same length."""
    people = DATE.sub(" ", text[start:end]).replace("\0", " ")  # `Ada Stone, March 3, 2025`
    return find_fields(split_people(people), plain, text, start, end)


def people_and_organisations(
    plain: PlainText, text: str, minimum: int = 2
) -> tuple[list[Field], list[Field]] | None:
    """Return the people and their organisations if a text names some of both and nothing else, else None.

    `minimum` is the least number of people.
    """
    if "(" in text or "," not in text or not names_organisation(text):
        return None
    parts = [part.strip(" ") for part in SEPARATOR.split(text[:_MAX_LENGTH]) if part.strip(" .()")]
    groups = [part for part in parts if names_organisation(part) and is_organisation(part.strip(" .()"))]
    people = [part for part in parts if part not in groups and _is_person(part) and " " in part.strip()]
    if len(people) < minimum or not groups or len(people) + len(groups) < len(parts):
        return None
    fields = {part: Field(part, plain.span(text.find(part), text.find(part) + len(part))) for part in parts}
    return [fields[part] for part in people], [fields[part] for part in groups]


@lru_cache(maxsize=1024)  # a byline is read several times: where does it begin, where does it end, who is it
def _is_person(part: str, mixed: bool = True) -> bool:
    """Return whether a part of a list is a person. With `mixed`, the list may name organisations too."""
    part = part.strip(" .")
    if not _PERSON.fullmatch(part) or _CLAUSE.search(part) or has_title_word(part):
        return False
    return (part.istitle() or _lower_case_share(part) <= 0.5) and not (mixed and names_organisation(part))


def _lower_case_share(text: str) -> float:
    words = _LETTERS.findall(text)
    lower = [word for word in _LOWER.findall(text) if word not in _PARTICLES]
    return len(lower) / len(words) if words else 1.0


def has_title_word(text: str) -> bool:
    """Return whether a text has a word that titles have and names of people have not."""
    words = text.casefold().replace("-", " ").replace(".", " ").split()
    return not (WORDS["title"].isdisjoint(words) and WORDS["abbreviated"].isdisjoint(words))
