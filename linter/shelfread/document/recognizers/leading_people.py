"""Finds the people that a text begins with: the authors of a reference, or of a line that names them before the title."""

from __future__ import annotations

from itertools import chain, islice
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.document.recognizers.organisations import names_organisation
from shelfread.document.recognizers.people import (
    SEPARATOR,
    are_authors,
    are_named,
    has_title_word,
    is_given_name,
    split_people,
)
from shelfread.document.years import find_year

_PARTICLES = "van|von|der|den|de|des|du|la|le|di|da|del|della|dos|das|do|ter|ten|el|al|bin|ben|af|zu|zur|y|e|Van|Von|De|Le|La|Di|Da|El|Al"
_NAME = r"(?:[dDOL][’'])?[^\W\d_a-z][\w’'´`‐‑-]*"
_FAMILY = rf"(?:(?:{_PARTICLES})\s){{0,3}}{_NAME}(?:\s(?:(?:{_PARTICLES})\s)?{_NAME}){{0,2}}"
_INITIALS = r"[^\W\d_a-z][a-z]?\.(?:\s?[-‐]?\s?[^\W\d_a-z][a-z]?\.){0,4}"
_SUFFIX = r"(?:,?\s(?:Jr|Sr)\.?|,?\s(?:II|III|IV)\b)?"
_JOINT = r"(?:\s?[,;]\s?(?:(?:\.\.\.|…)\s?,?\s?)?(?:(?:and|&|und)\s?)?|\s?(?:and|&)\s?|\s(?:und|et(?! al))\s)(?=[^\W\d_])"
_OTHERS = r"(?:\s?[,;]?\s?(?:and\s)?(?:et\.?\s?al\.?|[Oo]thers\b)|,?\s?(?:\.\.\.|…))?"
_FAMILY_FIRST = rf"{_FAMILY},\s?{_INITIALS}(?:\s(?:{_PARTICLES})(?=[,.;:\s]))?{_SUFFIX}"
_INITIALS_FIRST = rf"{_INITIALS}\s?(?!\w\b){_FAMILY}{_SUFFIX}"  # `U.S. Shelves` are nobody
_BARE_INITIALS_FIRST = rf"[A-Z](?:[\s-]?[A-Z])?\s{_NAME}"
_FAMILY_INITIALS = rf"{_NAME}\s{_INITIALS}"
_VANCOUVER = rf"(?:(?:{_PARTICLES})\s){{0,2}}{_NAME}(?:\s{_NAME})?\s[A-ZÀ-ÖØ-ÞŁŚŠŽŻĆČĐĞİŐŘŞŤŮŰ]{{1,3}}(?:\s[A-Z]){{0,2}}(?!\w|\.-?[A-Z])"


_AFTER = lazy(r"\s?(?:[,.:;]\s?|(?=\s[(\"“‘])|(?=\()|(?=[\"“]))")
_AFTER_INITIALS = lazy(r"\s?(?:[,:;]?\s?(?=\()|[,:;]\s?|(?=[^\W\d_])|\s?(?=[\d\"“‘]))")


def _list(person: str, least: str = "*") -> str:
    return rf"\s*(?P<people>{person}(?:{_JOINT}{person}){least})(?P<others>{_OTHERS})"


_GIVEN_LAST = rf"(?:(?:{_PARTICLES})\s){{0,3}}{_NAME}, {_NAME}(?:\s(?:[^\W\d_a-z]\.|{_NAME})){{0,3}}"
_JOINED_BY_AND = (
    rf"\s*(?P<people>{_GIVEN_LAST}(?:,?\s(?:and|&)\s{_GIVEN_LAST}){{%s,60}})(?P<others>{_OTHERS})"
)
# People joined by `and` alone, the family name first: `Stone, Ada and Field, Ben B`. One `and` may join
# phrases.
FAMILIES_FIRST = lazy(_JOINED_BY_AND % 1)
# The forms of lists with initials: a whole list, one person, and what stands behind it.
_FORMS = {
    "family first": (lazy(_list(_FAMILY_FIRST)), lazy(_FAMILY_FIRST), _AFTER_INITIALS),
    "joined by and": (lazy(_JOINED_BY_AND % 2), lazy(_GIVEN_LAST), _AFTER),
    "initials first": (lazy(_list(_INITIALS_FIRST)), lazy(_INITIALS_FIRST), _AFTER),
    "Vancouver": (lazy(_list(_VANCOUVER)), lazy(_VANCOUVER), _AFTER),
    "bare initials first": (lazy(_list(_BARE_INITIALS_FIRST, "+")), lazy(_BARE_INITIALS_FIRST), _AFTER),
    "family, then initials": (
        lazy(_list(_FAMILY_INITIALS, "+")), lazy(_FAMILY_INITIALS), _AFTER_INITIALS,
    ),
}  # fmt: skip
# Where the names of a list without initials can end.
_STOP = lazy(
    r"(?<![\s.][^\W\d_])\.\s+|(?<=et al)\.?[,:]?\s+|(?<=et al)\.(?=[A-Z])|[,.]?\s+(?=\((?:19|20)\d\d)|,\s+(?=(?:19|20)\d\d[a-z]?[.:])|(?<!^),?\s+(?=[\"“])|:\s+"
    r"|(?<=[^\s.][^\s.]),\s+(?=[A-Z][\w-]+\s(?![\w-]+\set\sal|and\s[A-Z])[\w-]+\s(?!and\s[A-Z]|et\sal)[\w-]+\s)"
)
_BEFORE_YEAR = lazy(r"(?<=[^\W\d_]{2})\.\s+(?=(?:19|20)\d\d[a-z]?\.\s)")  # as the ACM cites
_MAX = 3000
_MAX_STOPS = 12
_SHORT_NAME = lazy(r"\s[^\W\d_a-z][a-z]\Z")
_LAST_STOP = lazy(r"(?<=[^\W\d_]{2})\.$")  # the stop behind a list; that of an initial stays
_IDEOGRAPHS = lazy(
    r"\s*(?P<people>[\u4e00-\u9fff·]{2,8}(?:\s?[,，、;；]\s?[\u4e00-\u9fff·]{2,8}){0,30})(?P<others>\s?[,，、]?\s?等)?\s?[.．。:：]\s?"
)
_BODY = lazy(
    r"(?i)\b(?:organi[sz]ations?|foundation|consortium|association|committee|agency|council|society|ministry|department|commission|initiative|collaboration|team|inc|ltd|gmbh)\b"
)
_INVERTED = lazy(rf"(?P<family>{_FAMILY}), (?P<given>{_NAME}(?:\s(?:{_NAME}|[^\W\d_a-z]\.)){{0,6}})")
# Two people, the given names first: `Ada Stone, Ben Field`, but `Stone Hill, Ada B.`, `de Field, Ben Cole`.
_TWO_PEOPLE = lazy(r"[^\W\d_a-z]\S+ [^,]+, \S+ [^\W\d_a-z][^\s.].*")
_IN_NAME = lazy(r"\b[A-Z]-[A-Z]{2}|[A-Z]{3}|\d")  # Faster R-CNN
_ORGANISATION = lazy(r"(?P<name>[^\W\d_a-z][\w&-]*(?:\s(?:[^\W\d_a-z][\w&-]*|of|and|for)){0,4}?)\.\s+(?=\S)")
_YEAR = lazy(
    r"[\s,.]*(?:\((?P<a>(?:19|20)\d\d)[a-z]?(?:[,\s/][^()]{1,30})?\)|(?P<b>(?:19|20)\d\d)[a-z]?(?:,\s(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}(?:\s\d{1,2})?)?(?=[.,:]\s|[.,:]?$)|[\[(](?:n\.\s?d\.|in press|forthcoming|to appear)[\])])\s?[.,:]?\s*"
)


class LeadingPeople(NamedTuple):
    """The people that a text begins with, where they end, the year behind them, and whether their form proves them."""

    people: list[str]
    end: int
    year: int | None
    proved: bool
    complete: bool = True  # whether no `et al.` stands for others


def find_leading_people(text: str) -> LeadingPeople:
    """Return the people that a text begins with, and the year behind them; `end` is where what follows begins."""
    authors = people_by_form(text) or _by_names(text) or _organisation(text)
    if authors is None:
        return LeadingPeople([], 0, None, False)
    year = _YEAR.match(text, authors.end)
    if year is None:
        return authors
    stated = year["a"] or year["b"]
    return authors._replace(end=year.end(), year=int(stated) if stated else None)


def people_by_form(text: str) -> LeadingPeople | None:
    """Return the authors of a list whose initials show it: `Stone, A., and Field, B.`, `A. Stone`, `Stone A, Field B`."""
    head = text[:_MAX]
    for form, (whole, single, after) in _FORMS.items():
        match = whole.match(head)
        if match is None:
            continue
        others, end = match["others"], match.end()
        people = [_straight(person[0]) for person in single.finditer(match["people"])]
        is_one = len(people) == 1 and not others
        if form == "family first" and is_given_name(people[0].partition(" ")[0]):
            continue  # `Ada Stone, C. Ben Field`
        is_bare = form in ("Vancouver", "bare initials first")
        if is_bare and (any(map(has_title_word, people)) or (is_one and not _is_title(text, end))):
            continue
        whole_names = _by_names(text) if is_one else None
        if whole_names and len(whole_names.people) > 1 and ":" not in text[: whole_names.end]:
            return whole_names  # Q. Victor Le and Ada Stone
        stop = (_AFTER if others else after).match(head, end - others.endswith("."))
        if stop is not None or form == "family first":
            return LeadingPeople(people, stop.end() if stop else end, None, True, not others)
    if ideographs := _IDEOGRAPHS.match(head):
        people = SEPARATOR.split(ideographs["people"])
        return LeadingPeople(people, ideographs.end(), None, len(people) > 1, not ideographs["others"])
    return None


def _is_title(text: str, end: int) -> bool:
    """Return whether a stop and a sentence of several words follow: `Quill P. Reading the shelves.`, not `Quoc V. Le.`"""
    words = text[end + 1 :].partition(".")[0].split()
    return text.startswith(".", end) and len(words) > 2 and words[0][-1] != "," and words[1] != "and"


def _straight(person: str) -> str:
    """Return a name with the blanks that a PDF lost: `Nie,X.` is `Nie, X.`."""
    family, comma, given = person.partition(",")
    return f"{family.strip()}, {given.strip()}" if comma else " ".join(person.split())


def _by_names(text: str) -> LeadingPeople | None:
    """Return the authors of a list of whole names: `Ada Stone, Ben Field, and Cy Moor. Title`."""
    stops = (_BEFORE_YEAR.finditer(text[:1500]), _STOP.finditer(text[:1500]))
    for stop in chain.from_iterable(map(islice, stops, (1, _MAX_STOPS))):
        before = text[: stop.start()]
        if text[stop.start() : stop.start() + 1] == "." and before.endswith("et al"):
            before += "."
        words = before.split()
        if not words or len(before) < 4:
            continue
        if stop.group().strip() == ":" and "," not in before and " and " not in before:
            return None  # the short name of a title
        if stop.group().strip() == ":" and (end := find_name_behind(before)):
            people = split_people(before[:end].rstrip(" ,"))
            return LeadingPeople(people, end, None, len(people) > 1)
        following = text[stop.end() :].partition(". ")[0]
        if _SHORT_NAME.search(before) and following.isalpha():
            continue  # Josep Ll. Berral
        is_one = _INVERTED.fullmatch(before.partition(" et al")[0].rstrip(" ,"))
        if is_one and _TWO_PEOPLE.fullmatch(is_one[0]) and are_named(before):
            is_one = None
        is_known = is_one is not None and is_given_name(is_one["given"].split()[0])
        if has_title_word(before.partition(",")[0]) or not (is_known or are_authors(before, minimum=1)):
            if len(words) > 6 and "," not in before and " and " not in before:
                return None
            continue
        if is_one:
            people = [f"{is_one['family']}, {is_one['given']}"]
        else:
            people = [_LAST_STOP.sub("", person) for person in split_people(before)]
        several = len(people) > 1 or "et al" in before
        is_known = is_known or (not several and are_named(before))
        if not several and (len(words) > 4 or names_organisation(before)):
            return None
        proved = several or (is_known and find_year(text[stop.end() :]) is not None)
        return LeadingPeople(people, stop.end(), None, proved, "et al" not in before)
    return None


def find_name_behind(people: str) -> int:
    """Return where the short name of a title begins behind whole names, 0 if there is none: `Ada Stone, Ben Field, ShelfNet`."""
    *whole, last = people.split(", ")
    is_name = bool(whole) and (last.isalnum() or _IN_NAME.search(last)) and not is_given_name(last)
    return (
        len(people) - len(last)
        if is_name and are_authors(people) and all(" " in one.strip() for one in whole)
        else 0
    )


def _organisation(text: str) -> LeadingPeople | None:
    """Return the organisation that a reference begins with: `Example Foundation. Shelf kit, 2020.`"""
    match = _ORGANISATION.match(text)
    if match is None or len(text[match.end() :].split()) < 2:
        return None
    name = match["name"]
    is_body = _BODY.search(name) or (names_organisation(name) and not has_title_word(name))
    if not is_body and not _YEAR.match(text, match.end()):
        return None
    return LeadingPeople([name], match.end(), None, False)
