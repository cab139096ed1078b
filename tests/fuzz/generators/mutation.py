"""Lists, and what typing errors, careless merges and malice make of them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from fuzz.generators import fragments as piece

_LONGEST = 60
"""Lines of a list that are taken."""


def part_of(random: Random, texts: Sequence[str]) -> str:
    """Return some neighbouring lines of one of the texts."""
    lines = random.choice(texts).splitlines(keepends=True)
    start = random.randrange(max(1, len(lines) - _LONGEST + 1))
    return "".join(lines[start : start + random.randint(1, _LONGEST)])


def mutate(random: Random, text: str, others: Sequence[str], most: int = 6) -> str:
    """Return a text with some mutations, of lines and of characters."""
    for _ in range(random.randint(1, most)):
        text = _lines(random, text, others) if random.random() < 0.5 else _characters(random, text)
    return text


def _lines(random: Random, text: str, others: Sequence[str]) -> str:
    lines = text.split("\n")
    at, other = random.randrange(len(lines)), random.randrange(len(lines))
    line = lines[at]
    match random.randrange(13):
        case 0:
            lines.insert(other, line)
        case 1:
            del lines[at]
        case 2:
            lines[at], lines[other] = lines[other], line
        case 3:
            lines[at] = random.choice(piece.STARTS) + line.lstrip(" \t-*+>")
        case 4:
            lines[at] = random.choice((" ", "  ", "    ", "\t")) + line
        case 5:
            lines[at : at + 2] = [line + (lines[at + 1] if at + 1 < len(lines) else "")]
        case 6:
            cut = random.randint(0, len(line))
            lines[at : at + 1] = [line[:cut], random.choice(("", "  ", "> ")) + line[cut:]]
        case 7:
            donor = random.choice(others).split("\n")
            start = random.randrange(len(donor))
            lines[at:at] = donor[start : start + random.randint(1, 8)]
        case 8:
            first, last = sorted((at, other))
            mark = random.choice(("> ", "  ", "    ", "- ", "1. ", "\t"))
            lines[first : last + 1] = [mark + each for each in lines[first : last + 1]]
        case 9:
            lines.insert(at, random.choice((*piece.COMMENTS, *piece.HTML, "", "---", "***", "<br>")))
        case 10:
            lines[at] = line + random.choice((" ", "  ", "\\", "\t", " \\"))
        case 11:
            lines = lines[: at + 1]
        case _:
            lines[at] = line.rstrip() + random.choice((" ", "")) + lines[other].strip()
    return "\n".join(lines)


def _characters(random: Random, text: str) -> str:
    at = random.randint(0, len(text))
    other = min(len(text), at + random.randint(0, 12))
    match random.randrange(10):
        case 0:
            return text[:at] + text[at + 1 :]
        case 1:
            return text[:other] + text[at:other] + text[other:]
        case 2:
            return text[:at] + text[other:]
        case 3:
            return text[:at] + random.choice(piece.CONTROLS) + text[at:]
        case 4:
            return text[:at] + text[at:other] * random.choice((2, 3, 20)) + text[other:]
        case 5:
            return text[:at] + random.choice(piece.EMOJI + list(piece.BADGES)) + text[at:]
        case 6:
            return text[:at] + text[at:other].swapcase() + text[other:]
        case 7:
            return _next(random, text, at)
        case _:
            return text[:at] + random.choice(piece.MARKS) + text[at:]


def _next(random: Random, text: str, at: int) -> str:
    """Remove or replace the next mark, where a typing error hurts most."""
    marks = "()[]*`_|<>.:#"
    found = next((place for place in range(at, min(len(text), at + 200)) if text[place] in marks), None)
    if found is None:
        return text
    return text[:found] + random.choice(("", text[found] * 2, *marks)) + text[found + 1 :]
