"""Characters that are not shown, and where they are legitimate."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping

from shelfread.core.support.regex import lazy

_HIDDEN = lazy(
    "[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffd]"
)
_MARKS = "\u200e\u200f\u061c"
_EMBEDDINGS = "\u202a-\u202e\u2066-\u2069"
_PAIRS = lazy(f"[{_EMBEDDINGS}]")
_RIGHT_TO_LEFT = lazy("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
# Scripts whose letters are joined or kept apart, and scripts without spaces between words.
_JOINED = lazy(
    "[\u0590-\u109f\u1780-\u1aff\ua800-\uabff\ufb50-\ufefc\U00010a00-\U000119ff\U0001e900-\U0001e95f]"
)
_UNSPACED = lazy("[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u1950-\u19df\u1a20-\u1aaf]")
_EMOJI = lazy("[\xa9\xae\u203c-\u3299\ufe0f\U0001f000-\U0001faff\U000e0020-\U000e007f]")
# Between two of these, a hidden character is a placeholder: an empty cell or line.
_EDGES = frozenset(("", "\n", "\r", "|", ">", "<"))


def may_hide(text: str) -> bool:
    """Return whether a text has any hidden character."""
    return _HIDDEN.search(text) is not None


def has_right_to_left(text: str) -> bool:
    """Return whether a text has letters of a script that is written from right to left."""
    return _RIGHT_TO_LEFT.search(text) is not None


def find_hidden(text: str, is_right_to_left: Callable[[], bool]) -> Iterator[int]:
    """Yield the offsets of hidden characters that are not legitimate.

    `is_right_to_left` returns whether the list has letters of a script that is written so.
    """
    right_to_left: bool | None = None
    paired, last = False, -1
    for match in _HIDDEN.finditer(text):
        offset, character = match.start(), match[0]
        if character in _MARKS:
            if right_to_left is None:
                right_to_left = is_right_to_left()
            if right_to_left:
                continue
        elif _PAIRS.match(character):
            if offset > last:  # the first of its line
                first, last = text.rfind("\n", 0, offset) + 1, text.find("\n", offset)
                last = last if last >= 0 else len(text)
                paired = _is_paired(text[first:last])
            if paired:
                continue
        elif (character in "\u200c\u200d" and _joins(text, offset)) or (
            character == "\u200b" and _separates(text, offset)
        ):
            continue
        yield offset


def describe(character: str) -> tuple[Mapping[str, str], str]:
    """Return the values and the name of the message about a hidden character."""
    code = f"U+{ord(character):04X}"
    if character == "\ufffd":
        return {"code": code}, "lost"
    meant = character.encode("latin-1").decode("cp1252", "ignore") if "\x80" <= character <= "\x9f" else ""
    if meant:
        return {"garbled": code, "meant": meant}, "garbled"
    name = "byte order mark" if character == "\ufeff" else unicodedata.name(character, "control character")
    return {"name": name.lower(), "code": code}, "hidden"


def _around(text: str, offset: int) -> tuple[str, str]:
    return text[offset - 1 : offset] if offset else "", text[offset + 1 : offset + 2]


def _joins(text: str, offset: int) -> bool:
    """Return whether a joiner is part of an emoji, or next to a letter of a script that needs it."""
    return any(near and (_EMOJI.match(near) or _JOINED.match(near)) for near in _around(text, offset))


def _separates(text: str, offset: int) -> bool:
    """Return whether a zero width space separates words, ends emphasis, keeps `@name` from being a mention, or is
    all that a cell or line has."""
    before, after = _around(text, offset)
    if any(near and (_UNSPACED.match(near) or near in "*_~`") for near in (before, after)):
        return True
    if before in ("@", "#") or after in ("@", ":"):
        return True
    left = text[max(0, offset - 8) : offset].rstrip(" \t\u200b")
    right = text[offset + 1 : offset + 9].lstrip(" \t\u200b")
    return left[-1:] in _EDGES and right[:1] in _EDGES


def _is_paired(line: str) -> bool:
    """Return whether a line has right-to-left letters, and each direction is ended."""
    marks = _PAIRS.findall(line)
    ends = sum(mark in "\u202c\u2069" for mark in marks)
    return ends * 2 == len(marks) and _RIGHT_TO_LEFT.search(line) is not None
