"""Authors and organisations: whether a text is a list of them, and which."""

from __future__ import annotations

import re

_SEPARATOR = re.compile(r"\s*(?:,\s*and\s+|;\s*|,\s*|\s+and\s+|\s+&\s+|、|，)\s*")
# A person: `Yimin Jiang`, `Quoc V. Le`, `H. van der Maaten`, `Mahajan`, `K.`; letters of any script.
_PERSON = re.compile(
    r"(?:(?:van|von|der|den|de|la|le|di|da|del|dos|el|al|bin|ben)\s+)*"
    r"[^\W\d_][\w’'.-]*(?:\s+(?:(?:van|von|der|den|de|la|le|di|da|del|dos|el|al|bin|ben)|[^\W\d_a-z][\w’'.-]*)){0,4}"
)
_IN_BRACKETS = re.compile(r"\s*[(（][^()（）]*[)）]")
_INITIALS = re.compile(r"(?:[A-Z]\.?[\s-]?){1,4}")
_ET_AL = re.compile(r"\bet\.?\s*al\b", re.IGNORECASE)
_LOWER = re.compile(r"(?<![’'-])\b[a-z]{3,}\b")
_PARTICLES = frozenset("van von der den del dos bin ben and".split())
_ORGANISATION = re.compile(
    r"\b(?:univ|universit\w*|institut\w*|college|school|academ\w*|lab|labs|laborator\w+|research|inc|corp|ltd|llc|gmbh|"
    r"center|centre|group|google|microsoft|meta|facebook|amazon|aws|apple|nvidia|intel|ibm|alibaba|tencent|baidu|huawei|"
    r"bytedance|deepmind|openai|tsinghua|peking|berkeley|stanford|princeton|oxford|cambridge|brown|cornell|duke|rice|"
    r"snowflake|databricks|samsung|uber|linkedin|twitter|adobe|salesforce|technolog\w*|foundation|ai|team|purdue|harvard|"
    r"yale|columbia|toronto|anyscale|vmware|oracle|yahoo|netflix|meituan|kuaishou|xiaomi|ant|bosch|sony|naver|kakao)\b",
    re.IGNORECASE,
)
_JOIN = re.compile(r"\s*(?:&|,|/|;|\+|、)\s*|\s+and\s+")
_ORGANISATION_WORD = re.compile(r"(?:of|the|and|at|in|for|de|la|der|von|et)|[(]?[^\W\d_a-z][\w.’'@()-]*|[a-z]*[A-Z][\w.-]*")


def are_authors(text: str, least: int = 1) -> bool:
    """Whether a text is a list of people and nothing else; `least` is how many full names it must hold."""
    text = text.strip(" .*_\n,;")
    if not text or len(text) > 3000 or "://" in text or ":" in text:
        return False
    if _ET_AL.search(text):
        rest = _ET_AL.split(text)[0].strip(" ,.(")
        return len(rest) < 120 and _lower_share(rest) < 0.3
    text = re.sub(r"\([^()]*\)", "", text)
    text = re.sub(r"[*†‡§\d]+(?=[,\s]|$)", "", text)
    parts = [part for part in _SEPARATOR.split(text) if part.strip(" .")]
    if len(parts) < least or not parts:
        return False
    people = sum(1 for part in parts if _is_person(part))
    if sum(1 for part in parts if " " in part.strip() or part.strip().endswith(".")) < least:
        return False
    return people >= 0.8 * len(parts) and (len(parts) > 1 or not _ORGANISATION.search(text))


def split_authors(text: str) -> list[str]:
    """The people of a list, as printed, without `et al.`; a family name that leads keeps its given name."""
    text = _IN_BRACKETS.sub(lambda match: " " * len(match.group()), text)
    text = re.split(r"[\s,]*\bet\.?\s*al\b", text.strip(" .*_\n,;"), maxsplit=1)[0]
    joined = re.split(r",?\s+and\s+", text)
    if len(joined) > 1 and all(part.count(",") == 1 and not _INITIALS.match(part) for part in joined):
        return [part.strip() for part in joined]
    parts = [part.strip() for part in _SEPARATOR.split(text) if part.strip(" .")]
    initials = [bool(_INITIALS.fullmatch(part)) for part in parts]
    people: list[str] = []
    for at, part in enumerate(parts):
        leads = at == 1 and " " not in part and " " not in parts[0] and len(parts) > 2 and " " in parts[2]
        if people and (initials[at] and not initials[at - 1] or leads):
            people[-1] = f"{people[-1]}, {part}"
        else:
            people.append(part)
    return people


def are_organisations(text: str) -> bool:
    """Whether a text is organisations joined by `&`, `,` or `/` and nothing else."""
    text = text.strip(" *_\n")
    if not text or len(text) > 240 or ":" in text or "://" in text or text.endswith(".") and not text.endswith(("Inc.", "Corp.", "Ltd.", "Co.")):
        return False
    parts = [part for part in _JOIN.split(text) if part]
    if not all(_is_organisation(part) for part in parts):
        return False
    # `Yibo Zhu, Chang Lan` are people, `Memory Monger` may be anything.
    plain = sum(1 for part in parts if _is_plain_name(part))
    return plain <= 0.5 * len(parts) or bool(_ORGANISATION.search(text))


def _is_person(part: str) -> bool:
    part = part.strip(" .")
    if not _PERSON.fullmatch(part):
        return False
    return _lower_share(part) <= 0.5 and not _ORGANISATION.search(part)


def _lower_share(text: str) -> float:
    words = re.findall(r"[^\W\d_]+", text)
    lower = [word for word in _LOWER.findall(text) if word not in _PARTICLES]
    return len(lower) / len(words) if words else 1.0


def _is_organisation(part: str) -> bool:
    words = part.split()
    return len(words) <= 7 and all(_ORGANISATION_WORD.fullmatch(word) for word in words)


def _is_plain_name(part: str) -> bool:
    words = part.split()
    return len(words) >= 2 and all(re.fullmatch(r"[A-Z][a-zà-ÿ’'-]+|[A-Z]\.", word) for word in words)
