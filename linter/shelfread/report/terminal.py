"""Text on a terminal: characters that are safe to print, widths and colours."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple
from unicodedata import category, east_asian_width

_CODES = {"bold": 1, "dim": 2, "red": 31, "green": 32, "yellow": 33, "blue": 34, "cyan": 36}
# Joiners are part of emoji and of scripts; all else that is invisible could forge what a reader sees.
_JOINERS = "\u200c\u200d"


class TerminalStyle(NamedTuple):
    """What a terminal can show."""

    colour: bool = False
    unicode: bool = True
    width: int = 100

    def paint(self, text: str, *styles: str) -> str:
        """Return the text in these colours; unchanged if the terminal has none."""
        if not (self.colour and text and styles):
            return text
        return f"\033[{';'.join(str(_CODES[style]) for style in styles)}m{text}\033[0m"

    @property
    def ellipsis(self) -> str:
        """Return the sign for text that is left out."""
        return "…" if self.unicode else "..."


def printable_character(character: str) -> str:
    """Return a character as it is printed: a tab as spaces, control and bidi characters as `<U+202E>`."""
    if character.isprintable():
        return character
    if character == "\t":
        return "    "
    if category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") and character not in _JOINERS:
        return f"<U+{ord(character):04X}>"
    return character


def printable(text: str) -> str:
    """Return a text without characters that control the terminal or reorder what it shows."""
    return text if text.isprintable() else "".join(map(printable_character, text))


def width(text: str) -> int:
    """Return the number of columns that a printable text takes."""
    return len(text) if text.isascii() else sum(map(_width, text))


def _width(character: str) -> int:
    if east_asian_width(character) in "WF":
        return 2
    return 0 if category(character) in ("Mn", "Me", "Cf") else 1


def fit(cells: Iterable[str], room: int) -> tuple[list[str], int]:
    """Return the leading cells that fit into `room` columns, and the number of columns that they take."""
    taken: list[str] = []
    used = 0
    for cell in cells:
        columns = len(cell) if cell.isascii() else width(cell)
        if used + columns > room:
            break
        used += columns
        taken.append(cell)
    return taken, used


def wrapped(text: str, room: int) -> list[str]:
    """Return the words of a printable text in lines of at most `room` columns; a longer word has a line of its own."""
    lines: list[str] = []
    for word in text.split(" "):
        if lines and width(lines[-1]) + 1 + width(word) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
