"""Unified diffs of what fixes change."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.core.support.regex import lazy
from shelfread.report.terminal import TerminalStyle, printable_character

_LINE = lazy(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")
_COLOURS = {"+": ("green",), "-": ("red",), "@": ("cyan",)}


def unified_diff_lines(path: str, before: str, after: str, style: TerminalStyle) -> Iterator[str]:
    """Yield the lines of a diff, with their ends, as `git apply` and `patch -p1` read them."""
    from difflib import unified_diff

    old, new = _LINE.findall(before), _LINE.findall(after)
    for line in unified_diff(old, new, f"a/{path}", f"b/{path}"):
        if style.colour:
            body = "".join(map(printable_character, line.rstrip("\r\n")))
            styles = ("bold",) if line.startswith(("---", "+++")) else _COLOURS.get(line[0], ())
            yield f"{style.paint(body, *styles) if styles else body}\n"
        else:
            yield line
        if line[-1] not in "\r\n":
            yield "" if style.colour else "\n"
            yield "\\ No newline at end of file\n"
