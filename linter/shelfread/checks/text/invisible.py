"""Characters that do not show, and where they stand by right."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from shelfread.core.support.regex import lazy

_HIDDEN = lazy(
    "[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffd]"
)
_MARKS = "\u200e\u200f\u061c"
_EMBEDDINGS = "\u202a-\u202e\u2066-\u2069"
_PAIRS = lazy(f"[{_EMBEDDINGS}]")
_RIGHT_TO_LEFT = lazy("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
# Scripts whose letters are joined and parted, and those that write no blanks between words.
_JOINED = lazy(
    "[\u0590-\u109f\u1780-\u1aff\ua800-\uabff\ufb50-\ufefc\U00010a00-\U000119ff\U0001e900-\U0001e95f]"
)
_UNSPACED = lazy("[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u1950-\u19df\u1a20-\u1aaf]")
_EMOJI = lazy("[\xa9\xae\u203c-\u3299\ufe0f\U0001f000-\U0001faff\U000e0020-\U000e007f]")
_CJK = lazy("[\u3000-\u9fff\uac00-\ud7af\uff00-\uffef]")
# What stands alone is there to be nothing: a cell, a line.
_EDGES = frozenset(("", "\n", "\r", "|", ">", "<"))
_NAMES = {
    "\ufffd": "a character that was lost",
    "\xad": "a soft hyphen",
    "\ufeff": "a byte order mark",
    "\u200b": "a zero width space",
    "\u200c": "a zero width non-joiner",
    "\u200d": "a zero width joiner",
}


def may_hide(text: str) -> bool:
    """Whether a text has a hidden character at all."""
    return _HIDDEN.search(text) is not None


def find_hidden(text: str) -> Iterator[tuple[int, str]]:
    """Where a hidden character stands that should not, and what it is."""
    turned: bool | None = None
    paired, last = False, -1
    for match in _HIDDEN.finditer(text):
        at, one = match.start(), match[0]
        if one in _MARKS:
            turned = bool(_RIGHT_TO_LEFT.search(text)) if turned is None else turned
            if turned:
                continue
        elif _PAIRS.match(one):
            if at > last:  # the first of its line
                first, last = text.rfind("\n", 0, at) + 1, text.find("\n", at)
                last = last if last >= 0 else len(text)
                paired = _is_paired(text[first:last])
            if paired:
                continue
        elif (one in "\u200c\u200d" and _joins(text, at)) or (one == "\u200b" and _parts(text, at)):
            continue
        yield at, describe(one)


def describe(one: str) -> str:
    """A hidden character by name and number, and what it was if its encoding was mistaken."""
    number = f"U+{ord(one):04X}"
    if one in _NAMES:
        return f"{_NAMES[one]} ({number})"
    if "\x80" <= one <= "\x9f":
        meant = one.encode("latin-1").decode("cp1252", "ignore")
        return f"a control character ({number}){f', which was {meant!r}' if meant else ''}"
    if one < " " or one == "\x7f":
        return f"a control character ({number})"
    return f"an invisible character ({number}, {unicodedata.name(one, 'nameless').lower()})"


def _around(text: str, at: int) -> tuple[str, str]:
    return text[at - 1 : at] if at else "", text[at + 1 : at + 2]


def _joins(text: str, at: int) -> bool:
    """Whether a joiner stands in an emoji, or at a letter of a script that has need of it."""
    before, after = _around(text, at)
    return any(bool(one) and (_EMOJI.match(one) or _JOINED.match(one)) for one in (before, after))


def _parts(text: str, at: int) -> bool:
    """Whether a space without width does something: it parts words, ends emphasis, or keeps a name from being one."""
    before, after = _around(text, at)
    if any(one and (_UNSPACED.match(one) or one in "*_~`") for one in (before, after)):
        return True
    if before in ("@", "#") or after in ("@", ":"):
        return True
    left, right = text[max(0, at - 8) : at].rstrip(" \t\u200b"), text[at + 1 : at + 9].lstrip(" \t\u200b")
    return left[-1:] in _EDGES and right[:1] in _EDGES


def _is_paired(line: str) -> bool:
    """Whether a line has letters from right to left, and as many beginnings as ends."""
    if not _RIGHT_TO_LEFT.search(line):
        return False
    marks = _PAIRS.findall(line)
    return sum(one in "\u202c\u2069" for one in marks) * 2 == len(marks)
