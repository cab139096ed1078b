"""Organisations: whether a text names them and nothing else, and which."""

from __future__ import annotations

from shelfread.core.support.regex import lazy
from shelfread.document.model import Field
from shelfread.document.plain_text import PlainText

_WORD = lazy(r"[^\W\d_]+")
# Words that only organisations have, and those that everybody knows.
_NAMES = frozenset(
    """univ college school lab labs research inc corp ltd llc gmbh center centre group google microsoft facebook
    amazon aws apple nvidia intel ibm alibaba tencent baidu huawei bytedance deepmind openai tsinghua peking
    berkeley stanford princeton cornell snowflake databricks samsung uber linkedin twitter adobe salesforce
    foundation team purdue harvard yale anyscale vmware oracle yahoo netflix meituan kuaishou xiaomi bosch sony
    naver kakao mit cmu uiuc nus ntu hkust ustc unsw umich eth epfl kaist ucb ucla ucsd pku thu sjtu zju nyu
    airbnb pinterest spotify ebay deepseek mistral zhipu minimax moonshot qualcomm amd inria criteo""".split()
)
_STEMS = ("universit", "institut", "academ", "laborator", "technolog")
# Organisations whose names people have too: alone, or in no list of people, they are organisations.
_ALSO_PEOPLE = frozenset("ai meta oxford cambridge brown duke rice columbia toronto ant".split())
_JOIN = lazy(r"\s*(?:&|,|/|;|\+|、)\s*|\s+and\s+")
_JOINED = lazy(r"\s{0,9}[&,/;、+]\s{0,9}")
_NAME_WORD = lazy(r"[A-Z][a-zà-ÿ’'-]+|[A-Z]\.")
_ORGANISATION_WORD = lazy(
    r"(?:of|the|and|at|in|for|de|la|der|von|et)|[(]?[^\W\d_a-z][\w.’'@()-]*|[a-z]*[A-Z][\w.-]*"
)


def names_organisation(text: str) -> bool:
    """Whether a text has a word that only organisations have, or is an organisation that everybody knows."""
    words = _WORD.findall(text.casefold())
    if not _NAMES.isdisjoint(words) or any(word.startswith(_STEMS) for word in words):
        return True
    return bool(words) and _ALSO_PEOPLE.issuperset(words)


def are_organisations(text: str) -> bool:
    """Whether a text is organisations joined by `&`, `,` or `/` and nothing else."""
    text = text.strip(" *_\n")
    if (
        not text
        or len(text) > 240
        or ":" in text
        or "://" in text
        or (text.endswith(".") and not text.endswith(("Inc.", "Corp.", "Ltd.", "Co.")))
    ):
        return False
    parts = [part for part in _JOIN.split(text) if part]
    if not all(is_organisation(part) for part in parts):
        return False
    # `Yibo Zhu, Chang Lan` are people, `Memory Monger` may be anything.
    plain = sum(1 for part in parts if _is_plain_name(part))
    return plain <= 0.5 * len(parts) or names_organisation(text)


def is_known_organisation(text: str) -> bool:
    """Whether a text has the words of an organisation, or is one that everybody knows."""
    return are_organisations(text) and names_organisation(text)


def find_organisations(printed: PlainText, start: int, end: int) -> list[Field]:
    """The organisations of a range of a line, each with the place where it stands."""
    places: list[Field] = []
    at = start
    for part in _JOINED.split(printed.text[start:end].strip(" *_.()")):
        found = printed.text.find(part, at, end)
        if part and found >= 0:
            places.append(Field(part, printed.span(found, found + len(part))))
            at = found + len(part)
    return places


def is_organisation(part: str) -> bool:
    words = part.split()
    return len(words) <= 7 and all(_ORGANISATION_WORD.fullmatch(word) for word in words)


def _is_plain_name(part: str) -> bool:
    words = part.split()
    return len(words) >= 2 and all(_NAME_WORD.fullmatch(word) for word in words)
