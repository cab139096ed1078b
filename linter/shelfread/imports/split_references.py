"""Parts a reference list into its references."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import accumulate, pairwise
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.document.recognizers.leading_people import find_leading_people

_BRACKETED = lazy(r"(?<![\w\]])\[(\d{1,4})\](?=\s*\S)")
_KEYED = lazy(r"^[ \t|]*\[[A-Za-z][\w+*’' .&-]{1,30}?\d{2,4}[a-z]?\][ \t]*(?=\S)", 8)
_NUMBERED = lazy(r"^[ \t|]*(\d{1,4})[.)](?!\d)[ \t]*(?=[^\W\d_]|[\"“])", 8)
_IN_PARENTHESES = lazy(r"^[ \t|]*\((\d{1,4})\)[ \t]*(?=\S)", 8)
_BULLETED = lazy(r"^[ \t]*[•◦▪‣●·*–-][ \t]+(?=\S)", 8)
_BLANK_LINES = lazy(r"\n[ \t]*\n\s*")
_HEADING = lazy(
    r"^[ \t#*\d.]*(?:references?|bibliography|literature(?: cited)?|works cited|参考文献|literatur(?:verzeichnis)?)[ \t*:]*$",
    10,
)
_LONE_NUMBER = lazy(r"^[ \t]*(?:\d{1,4}|[ivxl]{1,6}|page \d+(?: of \d+)?|- \d+ -)[ \t]*$", 2)
_STAMP = lazy(r"^\s*arXiv:\d{4}\.\d{4,5}v\d+\s+\[")
_AFTER_STOP = lazy(r"(?:[.\])]\s{1,3}|\n[ \t|]*)\Z")
_EDGE = " \t\n|"
_INDENT = lazy(r"^(?:\t| {2,})\S")
_FEWEST_WORDS = 5
"""A line that begins with a capital is a reference if it has more words: enough for authors and a title."""
_MOST_WORDS_BEFORE = 80
"""With more than a few lines before the first number, numbers are no marks of references."""
_LONGEST = 8
"""Blank lines part references that have at most so many lines on average."""
_ENDS = lazy(r"[.\])\d/]\s*$")
_DIGITS = lazy(r"\d+")
_PAGE_MARK = "\x0c"


class PrintedReference(NamedTuple):
    """A reference as printed, and its lines in the input, from 1."""

    text: str
    line: int
    end_line: int


def _without_page_marks(text: str) -> str:
    """Return a text with a mark in place of what a page repeats: its number, header and stamp, and the list's heading."""
    lines = text.split("\n")
    if len(lines) < 3:
        return _HEADING.sub("", text)
    repeated = Counter(_DIGITS.sub("#", line.strip()) for line in lines if 8 < len(line.strip()) < 120)
    for index, line in enumerate(lines):
        bare = line.strip()
        if not bare:
            continue
        running = len(bare) < 120 and repeated[_DIGITS.sub("#", bare)] > 1 and not _BRACKETED.match(bare)
        if _LONE_NUMBER.match(line) or _STAMP.match(line) or _HEADING.match(line) or running:
            lines[index] = _PAGE_MARK
    return "\n".join(lines)


def split_references(text: str) -> list[PrintedReference]:
    """Return the references of a text, without their numbers, each with its lines."""
    text = _without_page_marks(text)
    starts = _numbered(text) or _marked(text) or list(_paragraphs(text))
    text = text.replace(_PAGE_MARK, " ")
    references: list[PrintedReference] = []
    line, counted = 1, 0
    for (_, body), (end, _) in pairwise([*starts, (len(text), 0)]):
        raw = text[body:end].rstrip(_EDGE)
        written = raw.lstrip(_EDGE)
        if written:
            first = body + len(raw) - len(written)
            line += text.count("\n", counted, first)
            counted = first
            references.append(PrintedReference(written, line, line + written.count("\n")))
    return references


def _numbered(text: str) -> list[tuple[int, int]]:
    """Return where references with rising numbers begin: `[1]` anywhere, `1.` and `(1)` at the start of a line."""
    for pattern, least in ((_BRACKETED, 1), (_NUMBERED, 1), (_IN_PARENTHESES, 2)):
        chain: list[tuple[int, int]] = []
        number = 0
        for match in pattern.finditer(text):
            value = int(match[1])
            if not chain:
                lead = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
                if pattern is _BRACKETED and lead.strip(_EDGE + _PAGE_MARK):
                    continue
            elif value != number + 1 and not (
                value == 1 and _AFTER_STOP.search(text[max(match.start() - 8, 0) : match.start()])
            ):
                continue
            number = value
            chain.append(match.span())
        if len(chain) >= least and len(text[: chain[0][0]].split()) <= _MOST_WORDS_BEFORE:
            return chain
    return []


def _marked(text: str) -> list[tuple[int, int]]:
    for pattern in (_KEYED, _BULLETED):
        spans = [match.span() for match in pattern.finditer(text)]
        if len(spans) > 1 or (spans and not text[: spans[0][0]].strip()):
            return spans
    return []


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """Yield where references begin that no mark parts: at blank lines, at hanging indents, or line by line."""
    lines = text.split("\n")
    starts = accumulate((len(line) + 1 for line in lines), initial=0)
    written = [line for line in lines if line.strip() and line != _PAGE_MARK]
    indented = sum(_INDENT.match(line) is not None for line in written)
    hanging = 0 < indented < len(written)
    parted = len(_BLANK_LINES.findall(text.strip())) * _LONGEST > len(written)
    previous = ""
    fresh = True
    for start, line in zip(starts, lines, strict=False):
        if line == _PAGE_MARK:
            continue  # between two lines it parts nothing
        if not line.strip():
            fresh = True
            continue
        if previous and line.lstrip()[:1].islower() and not _ENDS.search(previous):
            fresh = False  # it goes on behind the end of a page
        if hanging:
            begins = fresh or not _INDENT.match(line)
        else:
            begins = fresh or (
                not parted
                and bool(_ENDS.search(previous))
                and (
                    bool(find_leading_people(line).people)
                    or (line[:1].isupper() and len(line.split()) > _FEWEST_WORDS)
                )
            )
        if begins:
            yield start, start + len(line) - len(line.lstrip())
        previous, fresh = line, False
