"""What a fix changes, as a unified diff."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.core.support.regex import lazy
from shelfread.report.terminal import TerminalStyle, cell

_LINE = lazy(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")
_COLOURS = {"+": ("green",), "-": ("red",), "@": ("cyan",)}


def unified(path: str, before: str, after: str, look: TerminalStyle) -> Iterator[str]:
    """The lines of a diff, with their ends, that `git apply` and `patch -p1` understand."""
    from difflib import unified_diff

    old, new = _LINE.findall(before), _LINE.findall(after)
    for line in unified_diff(old, new, f"a/{path}", f"b/{path}"):
        if look.colour:
            body = "".join(map(cell, line.rstrip("\r\n")))
            styles = ("bold",) if line.startswith(("---", "+++")) else _COLOURS.get(line[0], ())
            yield f"{look.paint(body, *styles) if styles else body}\n"
        else:
            yield line
        if line[-1] not in "\r\n":
            yield "" if look.colour else "\n"
            yield "\\ No newline at end of file\n"
