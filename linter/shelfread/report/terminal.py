"""How text shows on a terminal: what is safe to print, how wide it is, in which colours."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple
from unicodedata import category, east_asian_width

_CODES = {"bold": 1, "dim": 2, "red": 31, "green": 32, "yellow": 33, "blue": 34, "cyan": 36}
# Joiners are part of emoji and of scripts; all else that is invisible could forge what a reader sees.
_JOINERS = "\u200c\u200d"


class TerminalStyle(NamedTuple):
    """A terminal, or what stands for one."""

    colour: bool = False
    unicode: bool = True
    width: int = 100

    def paint(self, text: str, *styles: str) -> str:
        """The text in these colours, where there are any."""
        if not (self.colour and text and styles):
            return text
        return f"\033[{';'.join(str(_CODES[style]) for style in styles)}m{text}\033[0m"

    @property
    def ellipsis(self) -> str:
        return "…" if self.unicode else "..."


def printable_character(character: str) -> str:
    """One character as it is printed: a tab as blanks, controls and bidi marks spelled out."""
    if character.isprintable():
        return character
    if character == "\t":
        return "    "
    if category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") and character not in _JOINERS:
        return f"<U+{ord(character):04X}>"
    return character


def printable(text: str) -> str:
    """A text that can forge nothing on the terminal."""
    return text if text.isprintable() else "".join(map(printable_character, text))


def width(text: str) -> int:
    """How many columns a printable text takes."""
    if text.isascii():
        return len(text)
    return sum(map(_width, text))


def _width(character: str) -> int:
    if east_asian_width(character) in "WF":
        return 2
    return 0 if category(character) in ("Mn", "Me", "Cf") else 1


def fit(cells: Iterable[str], room: int) -> tuple[list[str], int]:
    """As many cells as there is room for, and the columns they take."""
    taken: list[str] = []
    used = 0
    for one in cells:
        used += width(one)
        if used > room:
            return taken, used - width(one)
        taken.append(one)
    return taken, used


def counted(number: int, one: str, many: str = "") -> str:
    """`1 link`, `1,200 links`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
