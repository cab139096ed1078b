"""Recognises organisations (affiliations) in text."""

from __future__ import annotations

from functools import lru_cache

from shelfread.core.patterns import lazy
from shelfread.document.model import Field
from shelfread.document.plain_text import PlainText, find_fields
from shelfread.document.recognizers import WORDS

_WORD = lazy(r"[^\W\d_]+")
_WORDS_OF_NAMES, _ALSO_PEOPLE = WORDS["organisation"], WORDS["also_people"]
_STEMS = ("universit", "institut", "academ", "laborator", "technolog")
_CJK = lazy(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_CJK_ORGANISATION = lazy(r"大学|大學|学院|研究|实验室|公司|集团|科技|대학|연구")
# `Ada Stone (Oxford Institute (OI))`, but not `Ada (Fern) Stone`.
_BEHIND_PERSON = lazy(
    r"[(（]\s?(?P<names>[^\W\d_](?:[^()（）\0\d]|\([A-Z]{2,8}\)){1,80})[)）](?! ?[A-Z][a-z])"
)
_JOINED = lazy(r"(\s{0,9}[&,/;、+]\s{0,9}|\s·\s)")
_BETWEEN_GROUPS = lazy(r"(\s{0,9}[&,/;、+]\s{0,9}|\s·\s)(?![^()]{0,80}\))")
_BETWEEN_SLASHES = lazy(r"(\s/\s)(?![^()]{0,80}\))")  # `Oak / Pine & Stone Foundation`
_NAME_WORD = lazy(
    r"[^\W\d_a-z][^\W\d_A-Z]+(?:[’'-][^\W\d_]+)*|[A-Z]\.|(?:van|von|der|de|da|del|di|la|le|bin)"
)
_OTHERS = ("etc", "et al", "others", "and others")
_ORGANISATION_WORD = lazy(
    r"(?:of|the|and|at|in|for|de|la|der|von|et)|[(]?[^\W\d_a-z][\w.’'@()-]*|[a-z]*[A-Z][\w.-]*"
)


@lru_cache(maxsize=256)
def names_organisation(text: str) -> bool:
    """Return whether a text has a word of an organisation's name, or is a well-known organisation."""
    words = _WORD.findall(text.casefold())
    if not _WORDS_OF_NAMES.isdisjoint(words) or any(word.startswith(_STEMS) for word in words):
        return True
    return bool(words) and _ALSO_PEOPLE.issuperset(words)


@lru_cache(maxsize=64)
def are_organisations(text: str) -> bool:
    """Return whether a text is nothing but organisations joined by `&`, `,` or `/`."""
    text = text.strip(" *_\n")
    ends_sentence = text.endswith(".") and not text.endswith(("Inc.", "Corp.", "Ltd.", "Co."))
    if not text or len(text) > 240 or ":" in text or ends_sentence:
        return False
    parts = [
        part
        for part in _JOINED.split(text.replace(" and ", " & "))[::2]
        if part.strip(" .") not in ("", *_OTHERS)
    ]
    if not all(is_organisation(part) for part in parts):
        return False
    # `Yibo Zhu, Chang Lan` are people, `Memory Monger` may be anything.
    could_be_people = sum(1 for part in parts if _could_be_person(part))
    return could_be_people <= 0.5 * len(parts) or names_organisation(text)


def is_organisation_alone(text: str) -> bool:
    """Return whether every word of a text is one of names of organisations: `Google Research`, not `Google Maps`."""
    words = _WORD.findall(text.casefold())
    return bool(words) and all(
        word in _WORDS_OF_NAMES
        or word in _ALSO_PEOPLE
        or word in ("of", "and", "the")
        or word.startswith(_STEMS)
        for word in words
    )


def is_known_organisation(text: str) -> bool:
    """Return whether a text is nothing but organisations, and names at least one by a known word."""
    return are_organisations(text) and names_organisation(text)


def find_organisations(plain: PlainText, start: int, end: int) -> list[Field]:
    """Return the organisations of a range of a plain text, in order."""
    text = plain.text[start:end].strip(" *_.")
    if text.startswith("(") or "(" not in text:
        text = text.strip("() ")  # but not the bracket of `Oxford Institute (OI)`
    first, *parts = (_BETWEEN_SLASHES if " / " in text else _BETWEEN_GROUPS).split(text)
    names = [first]
    for joint, name in zip(parts[::2], parts[1::2], strict=True):
        if joint.strip() == "," and _is_place(name):
            names[-1] += joint + name  # University of Adelaide, Australia
        elif name.strip(" .").casefold() not in _OTHERS:
            names.append(name)
    return find_fields(names, plain, plain.text, start, end)


def _is_place(name: str) -> bool:
    """Return whether words are a country, a state of the USA, or a campus: they belong to the organisation before."""
    return WORDS["place"].issuperset(_WORD.findall(name.casefold())) and bool(name)


def organisations_in_brackets(plain: PlainText, text: str, start: int, end: int) -> list[Field]:
    """Return the organisations in brackets in a range of `text`: `Ada Stone (Oxford), Ben Field (Duke)`.

    `text` is the text of `plain` or of the same length.
    """
    organisations: list[Field] = []
    for match in _BEHIND_PERSON.finditer(text, start, end):
        if match["names"] != "N/A" and all(map(is_organisation, _JOINED.split(match["names"])[::2])):
            organisations += find_organisations(plain, *match.span("names"))
    return list({field.value: field for field in organisations}.values())


def is_organisation(part: str) -> bool:
    """Return whether a text has the form of one organisation's name."""
    if _CJK.search(part):
        return _CJK_ORGANISATION.search(part) is not None
    words = part.split()
    are_names = all(_ORGANISATION_WORD.fullmatch(word) for word in words)
    return are_names and len(words) <= 7 and not any(map(_begins_small, words))


def _begins_small(word: str) -> bool:
    """Return whether a word begins with a small letter that the Latin alphabet has not: `но`."""
    return not word[:1].isascii() and word[:1].islower()


def _could_be_person(part: str) -> bool:
    words = part.split()
    return len(words) >= 2 and all(_NAME_WORD.fullmatch(word) for word in words)
