"""Read what a contributing guide states about Markdown: bullets, tabs, blank lines, spaces at ends of lines.

Statements only keep edits away that would contradict them, except that spaces which the guide forbids go.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from shelfread.core.patterns import lazy
from shelfread.format.style import Guide

NAME = lazy(r"(?i)contributing\.(?:md|markdown|mdown|mkd)")
"""The name of a contributing guide."""

_Stated = TypeVar("_Stated", str, bool, int)
_COUNTS = {"no": 0, "zero": 0, "a": 1, "an": 1, "one": 1, "single": 1, "two": 2, "double": 2, "three": 3}
_BLANK_LINES = lazy(
    r"(?i)(?<![\w`])`?(\d|no|zero|an?|one|single|two|double|three)`?[ -](?:blank|empty)[ -](?:new ?)?lines?\b"
)
_LONGEST = 120
"""A statement is no longer on either side of its number."""
_LONGEST_GUIDE = 200_000
_SENTENCE = lazy(r"[^.\n]*")
_HEADING = r"(?:section|heading|header|title|categor)"
_BETWEEN = lazy(rf"\bbetween\b(?P<above>.*?)(?:\band\b|&)(?P<below>.*)|\bbetween\b.*?{_HEADING}")
_IS_HEADING = lazy(r"head(?:ing|er)|title")
_IS_SECTION = lazy(_HEADING)
_ABOVE = lazy(rf"\b(?:before|above|around|preceding)\b.*{_HEADING}")
_BELOW = lazy(
    rf"\b(?:after|below|under|around|following)\b.*{_HEADING}|\b(?:after|below|behind|under) (?:it|them)\b"
)
_SEPARATED = lazy(
    rf"{_HEADING}.*\b(?:separated|preceded) (?:by|with) *$|\bseparate\b.*{_HEADING}.*\b(?:by|with) *$"
)
_FOLLOWED = lazy(rf"{_HEADING}.*\bfollowed (?:by|with) *$")
_SAMPLE = lazy(r"(?m)(?:^ {0,8}|`)([-*+]) \[[^\]\n]+\]\(")
_CODE = lazy(r"(?ms)^ {0,3}(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n.*?^ {0,3}\1|`[^`\n]+`|^ {4,}[-*+] .*?$")
_BULLET = lazy(r"`([-*+])`[^.\n]{0,40}\b(?:bullet|list)|\b(?:bullet|list)s?\b[^.\n]{0,40}`([-*+])`")
_TABS = lazy(r"(?i)\bindent\w*\b[^.\n]{0,50}\b(?:tabs?|spaces)\b|\b(?:tabs?|spaces)\b[^.\n]{0,30}\bindent")
_NO_TABS = lazy(r"(?i)\b(?:not?|never|instead of|rather than|over)(?: \w+)? tabs?\b")
_TAB = lazy(r"(?i)\btabs?\b")
_NO_SPACES = lazy(
    r"(?i)\b(?:remove|strip|trim|delete|avoid|no|without)\b[^.\n]{0,20}\btrailing (?:white ?spaces?|spaces?|blanks?)\b"
)


def read_guide(text: str) -> Guide:
    """Return what a contributing guide states; what it states in two ways is not stated."""
    text = text[:_LONGEST_GUIDE]
    gaps = list(_stated_gaps(text))
    return Guide(
        bullet=_only(_stated_bullets(text)),
        tabs=_only(_stated_tabs(text)),
        before_heading=_only(count for where, count in gaps if where == "before"),
        behind_heading=_only(count for where, count in gaps if where == "behind"),
        trailing_spaces=False if _NO_SPACES.search(text) else None,
    )


def _only(found: Iterable[_Stated]) -> _Stated | None:
    forms = set(found)
    return forms.pop() if len(forms) == 1 else None


def _stated_gaps(text: str) -> Iterator[tuple[str, int]]:
    matches = list(_BLANK_LINES.finditer(text))
    for before, match, after in zip([None, *matches], matches, [*matches[1:], None], strict=False):
        word = match[1].lower()
        count = int(word) if word.isdigit() else _COUNTS[word]
        begin = max(before.end() if before is not None else 0, match.start() - _LONGEST)
        above = text[begin : match.start()].lower()
        above = above[max(above.rfind("."), above.rfind("\n")) + 1 :]
        end = min(after.start() if after is not None else len(text), match.end() + _LONGEST)
        sentence = _SENTENCE.match(text, match.end(), end)
        below = sentence[0].lower() if sentence is not None else ""
        between = _BETWEEN.search(below)
        if between is not None:
            if _IS_HEADING.search(between["above"] or ""):
                yield "behind", count
            elif between["below"] is None or _IS_SECTION.search(between["below"]):
                yield "before", count
            continue
        if _ABOVE.search(below) or _SEPARATED.search(above):
            yield "before", count
        if _BELOW.search(below) or _FOLLOWED.search(above):
            yield "behind", count


def _stated_bullets(text: str) -> Iterator[str]:
    """Yield the bullets of sample entries in code, and those that are named."""
    for code in _CODE.finditer(text):
        yield from (sample[1] for sample in _SAMPLE.finditer(code[0]))
    for match in _BULLET.finditer(text):
        yield match[1] or match[2]


def _stated_tabs(text: str) -> Iterator[bool]:
    for match in _TABS.finditer(text):
        yield _TAB.search(match[0]) is not None and _NO_TABS.search(match[0]) is None
