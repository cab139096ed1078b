"""Authors: whether a text is a list of people and nothing else, and who they are."""

from __future__ import annotations

import re

from shelfread.core.support.regex import lazy
from shelfread.document.model import Field
from shelfread.document.plain_text import PlainText
from shelfread.document.recognizers.organisations import is_organisation, names_organisation

_SEPARATOR = lazy(r"\s*(?:,\s*(?:and|&)\s+|;\s*|,\s*|\s+and\s+|\s+&\s+|、|，)\s*")
# A person: `Yimin Jiang`, `Quoc V. Le`, `H. van der Maaten`, `Mahajan`, `K.`; letters of any script.
_PERSON = lazy(
    r"(?:(?:van|von|der|den|de|la|le|di|da|del|dos|el|al|bin|ben)\s+)*"
    r"[^\W\d_][\w’'.‑-]*(?:\s+(?:(?:van|von|der|den|de|la|le|di|da|del|dos|el|al|bin|ben)|[^\W\d_a-z][\w’'.‑-]*)){0,4}"
)
_IN_BRACKETS = lazy(r"\s{0,9}[(（][^()（）]*[)）]")
_INITIALS = lazy(r"(?:[A-Z]\.?[\s-]?){1,4}")
_ET_AL = lazy(r"\bet\.?\s*al\b", re.IGNORECASE)
_LOWER = lazy(r"(?<![’'-])\b[a-z]{3,}\b")
_PARTICLES = frozenset("van von der den del dos bin ben and".split())
_NOT_PEOPLE_HINTS = (
    "workshop conference proceedings journal symposium blog transactions arxiv preprint http".split()
)
_NOT_PEOPLE = lazy(rf"\b(?:{'|'.join(_NOT_PEOPLE_HINTS)}s?)\b", re.IGNORECASE)
_AND_OTHERS = lazy(r"[\s,]{0,9}\bet\.?\s{0,9}al\b|,\s{0,9}\.\.\.|,\s{0,9}and others\b")
_SEVERAL = lazy(r"\b[A-Z]\b|\bet al|\band\b|&|(?:,[^,]+){2}")
_COULD_BE = lazy(r"[,;&、，]|\band\b|\bet\b")
_LAST_INITIAL = lazy(r"\b[A-Z]$")
_LAST_AND = lazy(r",?\s{1,9}and\s{1,9}")
_TRAILING = lazy(r"[\s*†‡§\d\])(]+$|^[\s*\d\](]+|^\s{0,9}and\s+")
_MIXED = lazy(r"\s{0,9}[,;]\s{0,9}(?:and\s{1,9})?|\s{1,9}and\s{1,9}|\s{1,9}&\s{1,9}")
_LETTERS = lazy(r"[^\W\d_]+")
_LONGEST = 3000
_MARKS = lazy(r"[*†‡§\d]+(?=[,\s]|$)")
_PARENTHESES = lazy(r"\([^()]*\)")


def are_authors(text: str, least: int = 1) -> bool:
    """Whether a text is a list of people and nothing else; `least` is how many full names it must hold."""
    text = text.strip(" .*_\n,;")
    if not _COULD_BE.search(text, 0, 80) and text.count(" ") > 6:
        return False
    if not text or len(text) > _LONGEST or ":" in text or text[0] in '"“':
        return False
    lower = text.lower()
    if "et" in lower and _ET_AL.search(text):
        rest = _PARENTHESES.sub("", _ET_AL.split(text)[0]).strip(" ,.(")
        parts = [part.strip(" .") for part in _SEPARATOR.split(rest)] if len(rest) < 1000 else []
        return bool(parts) and all(_PERSON.fullmatch(part) for part in parts) and _lower_share(rest) < 0.3
    if any(word in lower for word in _NOT_PEOPLE_HINTS) and _NOT_PEOPLE.search(text):
        return False
    text = _MARKS.sub("", _PARENTHESES.sub("", text))
    parts = [part for part in _SEPARATOR.split(text) if part.strip(" .")]
    if len(parts) < least or not parts or not _PERSON.fullmatch(parts[0].strip(" .")):
        return False
    mixed = names_organisation(text)
    people = sum(1 for part in parts if _is_person(part, mixed))
    if sum(1 for part in parts if " " in part.strip() or part.strip().endswith(".")) < least:
        return False
    return people >= 0.8 * len(parts) and (len(parts) > 1 or not mixed)


def is_list_of_people(text: str) -> bool:
    """Whether a text has what a list of people has, and two phrases joined by a comma have not."""
    return bool(_SEVERAL.search(text)) and any(map(str.isupper, text)) and are_authors(text, least=0)


def split_people(text: str) -> list[str]:
    """The people of a list, as printed, without `et al.`; a family name that leads keeps its given name."""
    text = _IN_BRACKETS.sub(lambda match: " " * len(match.group()), text[:_LONGEST])
    bare = text.strip(" .*_\n,;")
    if _LAST_INITIAL.search(bare) and text.rstrip(" *_\n,;").endswith("."):
        bare += "."
    text, *others = _AND_OTHERS.split(bare, maxsplit=1)
    joined = _LAST_AND.split(text)
    if len(joined) > 1 and all(part.count(",") == 1 and not _INITIALS.match(part) for part in joined):
        return [part.strip() for part in joined]
    parts = [bare for part in _SEPARATOR.split(text) if any(map(str.isalpha, bare := _bare(part)))]
    if others and len(parts) == 2 and not any(" " in part for part in parts):
        return [f"{parts[0]}, {parts[1]}"]  # Kumar, Adarsh, et al.
    initials = [bool(_INITIALS.fullmatch(part)) for part in parts]
    people: list[str] = []
    for at, part in enumerate(parts):
        leads = at == 1 and " " not in part and " " not in parts[0] and len(parts) > 2 and " " in parts[2]
        if people and ((initials[at] and not initials[at - 1]) or leads):
            people[-1] = f"{people[-1]}, {part}"
        else:
            people.append(part)
    return people


def _bare(part: str) -> str:
    if part[:1].isalpha() and part[-1:].isalpha() and not part.startswith("and "):
        return part
    return _TRAILING.sub("", part).strip()


def find_people(printed: PlainText, text: str, start: int, end: int) -> list[Field]:
    """The people of a range of a line, each with the place where they stand."""
    people: list[Field] = []
    at = start
    for person in split_people(text[start:end].replace("\0", " ")):
        found = text.find(person, at, end)
        if found >= 0:
            people.append(Field(person, printed.span(found, found + len(person))))
            at = found + len(person)
    return people


def people_and_organisations(printed: PlainText, text: str) -> tuple[list[Field], list[Field]] | None:
    """The people and their organisations, where a line names some of both and nothing else."""
    if "(" in text or "," not in text or not names_organisation(text):
        return None
    parts = [part for part in _MIXED.split(text[:_LONGEST]) if part.strip(" .()")]
    places = [part for part in parts if names_organisation(part) and is_organisation(part.strip(" .()"))]
    people = [part for part in parts if part not in places and _is_person(part) and " " in part.strip()]
    if len(people) < 2 or not places or len(people) + len(places) < len(parts):
        return None
    found = {part: text.find(part) for part in parts}

    def field(part: str) -> Field:
        return Field(part, printed.span(found[part], found[part] + len(part)))

    return [field(part) for part in people], [field(part) for part in places]


def _is_person(part: str, mixed: bool = True) -> bool:
    """Whether a part of a list is a person; `mixed` says that the list may name organisations too."""
    part = part.strip(" .")
    if not _PERSON.fullmatch(part):
        return False
    return (part.istitle() or _lower_share(part) <= 0.5) and not (mixed and names_organisation(part))


def _lower_share(text: str) -> float:
    words = _LETTERS.findall(text)
    lower = [word for word in _LOWER.findall(text) if word not in _PARTICLES]
    return len(lower) / len(words) if words else 1.0
