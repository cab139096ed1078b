"""Finds the short name that a title begins with: EasyScale of `EasyScale: Elastic Training`."""

from __future__ import annotations

from shelfread.core.support.regex import lazy

MAX_NAME_WORDS = 3
"""The maximum number of words of a name before a colon."""
_COLON = lazy(r":\s|：|(?<=[\w)]):(?=[A-Z][a-z]+[ -])")
# EasyScale -- Elastic ...: only before a dash that no other reading of the line explains, one word that is a name.
_DASH = lazy(r"(?P<name>\w*[a-z0-9][A-Z]\w*|\w*[A-Z]{2,}\w*|\w+\d\w*)\s+(?:--|-|–|—)\s+(?=\w+ \w+ \w)")
_INNER_CAPITAL = lazy(r"\w[A-Z]|\d")
# Words before a colon that are the kind of a thing, not its name.
_KINDS = frozenset("paper survey poster demo book video slides blog link tutorial review note report".split())


def short_name_end(title: str) -> int | None:
    """Return the offset where the short name that a title begins with ends, or None if it states none."""
    if match := _DASH.match(title):
        return match.end("name")
    match = _COLON.search(title)
    if match is None or not title[match.end() :].strip():
        return None
    words = title[: match.start()]
    return match.start() if 0 < len(words.split()) <= MAX_NAME_WORDS else None


def is_kind(name: str) -> bool:
    """Return whether words before a colon are the kind of a thing: `Survey: ...`."""
    return name.casefold() in _KINDS


def names_something(name: str) -> bool:
    """Return whether words before a colon have the form of a name: one word, or with a capital inside."""
    return " " not in name or bool(_INNER_CAPITAL.search(name))
