"""Unified diffs of what fixes change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from shelfread.core.differences import changed_runs
from shelfread.core.patterns import lazy
from shelfread.report.rendering import TerminalStyle, printable_character

_SHOWN_LINE = lazy(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")
_PATCH_LINE = lazy(r"[^\n]*\n|[^\n]+")
_UNQUOTED = lazy(r"[^\"\\\x00-\x1f\x7f-\x9f]*")
_ESCAPES = {7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r", 34: '"', 92: "\\"}
_COLOURS = {"+": ("green",), "-": ("red",), "@": ("cyan",)}
_CONTEXT = 3
_SMALL = 2500  # pairs of lines that are compared one by one, which takes quadratic time


def patch_lines(path: str, before: str, after: str) -> Iterator[str]:
    """Yield the lines of a diff, which only LF ends, as `git apply` and `patch -p1` read them: exactly what is there."""
    for line in _lines(
        _patch_name(f"a/{path}"),
        _patch_name(f"b/{path}"),
        _PATCH_LINE.findall(before),
        _PATCH_LINE.findall(after),
    ):
        yield line
        if not line.endswith("\n"):
            yield "\n\\ No newline at end of file\n"


def shown_lines(path: str, before: str, after: str, style: TerminalStyle) -> Iterator[str]:
    """Yield the lines of a diff for a terminal, with characters that it must not receive escaped."""
    old, new = _SHOWN_LINE.findall(before), _SHOWN_LINE.findall(after)
    for line in _lines(f"a/{path}", f"b/{path}", old, new):
        body = "".join(map(printable_character, line.rstrip("\r\n")))
        styles = ("bold",) if line.startswith(("---", "+++")) else _COLOURS.get(line[0], ())
        yield f"{style.paint(body, *styles) if styles else body}\n"
        if line[-1] not in "\r\n":
            yield "\\ No newline at end of file\n"


def _patch_name(name: str) -> str:
    """Return a name as git writes it in a patch: quoted if it has marks, with a tab behind one that has spaces."""
    if _UNQUOTED.fullmatch(name) and not any("\ud800" <= character <= "\udfff" for character in name):
        return f"{name}\t" if " " in name else name
    data = name.encode("utf-8", "surrogateescape")
    return '"' + "".join(map(_quoted, data)) + '"'


def _quoted(byte: int) -> str:
    if byte in _ESCAPES:
        return f"\\{_ESCAPES[byte]}"
    return chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}"


def _lines(old_name: str, new_name: str, old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    changes = [part for run in changed_runs(old, new) for part in _refined(*run, old, new)]
    if changes:
        yield f"--- {old_name}\n"
        yield f"+++ {new_name}\n"
    hunk: list[tuple[int, int, int, int]] = []
    for change, following in zip_longest(changes, changes[1:]):
        hunk.append(change)
        if following is None or following[0] - change[1] > 2 * _CONTEXT:
            yield from _hunk(hunk, old, new)
            hunk = []


def _refined(
    a: int, b: int, c: int, d: int, old: Sequence[str], new: Sequence[str]
) -> Iterator[tuple[int, int, int, int]]:
    """Yield the parts of a small change, without the lines in it that stay: such as blank ones, which are many."""
    if not 1 < (b - a) * (d - c) <= _SMALL:
        yield a, b, c, d
        return
    from difflib import SequenceMatcher

    for kind, i, j, k, m in SequenceMatcher(None, old[a:b], new[c:d], autojunk=False).get_opcodes():
        if kind != "equal":
            yield a + i, a + j, c + k, c + m


def _hunk(
    changes: Sequence[tuple[int, int, int, int]], old: Sequence[str], new: Sequence[str]
) -> Iterator[str]:
    """Yield changes near each other, with lines of context around and between them."""
    start, end = max(changes[0][0] - _CONTEXT, 0), min(changes[-1][1] + _CONTEXT, len(old))
    offset = changes[0][2] - changes[0][0]
    lines = []
    position = start
    for a, b, c, d in changes:
        lines += [f" {line}" for line in old[position:a]]
        lines += [f"-{line}" for line in old[a:b]]
        lines += [f"+{line}" for line in new[c:d]]
        position = b
    lines += [f" {line}" for line in old[position:end]]
    grown = sum((d - c) - (b - a) for a, b, c, d in changes)
    yield f"@@ -{_range(start, end)} +{_range(start + offset, end + offset + grown)} @@\n"
    yield from lines


def _range(start: int, end: int) -> str:
    """Return the first line, from 1, and the number of lines; of no lines the line before."""
    number = end - start
    return f"{start + 1}" if number == 1 else f"{start + 1 if number else start},{number}"
