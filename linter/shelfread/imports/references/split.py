"""Parts a reference list into its references."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from shelfread.core.support.regex import lazy
from shelfread.imports.references.authors import find_authors
from shelfread.imports.references.parse import Reference

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
_LONGEST = 8
"""Blank lines part references that have at most so many lines on average."""
_ENDS = lazy(r"[.\])\d/]\s*$")
_DIGITS = lazy(r"\d+")


def without_page_marks(text: str) -> str:
    """Return a text with blank lines in place of what a page repeats: its number, header and stamp, and the list's heading."""
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


_PAGE_MARK = "\x0c"


def split_references(text: str) -> list[Reference]:
    """Return the references of a text, without their numbers, each with its lines."""
    text = without_page_marks(text)
    starts = _numbered(text) or _marked(text)
    if not starts:
        # A page's mark between two lines parts nothing.
        starts = list(_paragraphs(text))
    text = text.replace(_PAGE_MARK, " ")
    bounds = [*(start for start, _ in starts), len(text)]
    found = []
    line, counted = 1, 0
    for (start, body), end in zip(starts, bounds[1:], strict=True):
        line += text.count("\n", counted, start)
        counted = start
        raw = text[body:end].rstrip(_EDGE)
        if not raw.strip(_EDGE):
            continue
        skipped = text.count("\n", start, body + len(raw) - len(raw.lstrip(_EDGE)))
        first = line + skipped
        found.append(Reference(raw.strip(_EDGE), first, first + raw.strip(_EDGE).count("\n")))
    return found


def _numbered(text: str) -> list[tuple[int, int]]:
    """Return where references with rising numbers begin: `[1]` anywhere, `1.` and `(1)` at the start of a line."""
    for pattern, least in ((_BRACKETED, 1), (_NUMBERED, 1), (_IN_PARENTHESES, 2)):
        chain: list[tuple[int, int]] = []
        number = 0
        for match in pattern.finditer(text):
            value = int(match[1])
            if not chain:
                if (
                    text[: match.start()].strip(_EDGE + _PAGE_MARK)
                    and pattern is _BRACKETED
                    and not _opens_line(text, match.start())
                ):
                    continue
            elif value != number + 1 and not (
                value == 1 and _AFTER_STOP.search(text[max(match.start() - 8, 0) : match.start()])
            ):
                continue
            number = value
            chain.append(match.span())
        if len(chain) >= least and not _words_before(text[: chain[0][0]]):
            return chain
    return []


def _words_before(lead: str) -> bool:
    """Return whether more than a few lines stand before the first reference."""
    return len(lead.split()) > 80


def _opens_line(text: str, offset: int) -> bool:
    return not text[text.rfind("\n", 0, offset) + 1 : offset].strip(_EDGE)


def _marked(text: str) -> list[tuple[int, int]]:
    for pattern in (_KEYED, _BULLETED):
        found = [match.span() for match in pattern.finditer(text)]
        if len(found) > 1 or (found and not text[: found[0][0]].strip()):
            return found
    return []


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """Yield where references begin that no mark parts: at blank lines, at hanging indents, or line by line."""
    lines: list[tuple[int, str]] = []
    offset = 0
    for line in text.split("\n"):
        lines.append((offset, line))
        offset += len(line) + 1
    written = [line for _, line in lines if line.strip() and line != _PAGE_MARK]
    indented = sum(1 for line in written if _INDENT.match(line))
    hanging = 0 < indented < len(written)
    parted = len(_BLANK_LINES.findall(text.strip())) * _LONGEST > len(written)
    previous = ""
    fresh = True
    for start, line in lines:
        if line == _PAGE_MARK:
            continue
        if not line.strip():
            fresh = True
            continue
        if fresh and _goes_on(previous, line):
            fresh = False
        begins = fresh or (
            not _INDENT.match(line)
            if hanging
            else not parted and bool(_ENDS.search(previous)) and _begins_reference(line)
        )
        if begins:
            body = start + len(line) - len(line.lstrip())
            yield start, body
        previous, fresh = line, False


def _goes_on(previous: str, line: str) -> bool:
    """Return whether a reference goes on behind a page's end: its last line has no stop, or the next one a small letter."""
    return bool(previous) and line.lstrip()[:1].islower() and not _ENDS.search(previous)


def _begins_reference(line: str) -> bool:
    """Return whether a line begins as references do: with authors, or with a capital and enough words for all."""
    found = find_authors(line)
    return bool(found.people) or (line[:1].isupper() and len(line.split()) > 5)
