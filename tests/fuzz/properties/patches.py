"""Patches, applied as git applies them: only a line feed ends a line."""

from __future__ import annotations

import re

_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@\n")
_NO_NEWLINE = b"\\ No newline at end of file\n"


def patched(data: bytes, patch: bytes) -> bytes | None:
    """Return what a unified diff of one file makes of it; None if the patch does not fit."""
    if not patch:
        return data
    old, lines = _lines(data), _lines(patch)
    if not (lines[0].startswith(b"--- ") and lines[1].startswith(b"+++ ")):
        return None
    new: list[bytes] = []
    done, at = 0, 2
    while at < len(lines):
        hunk = _HUNK.fullmatch(lines[at])
        if hunk is None:
            return None
        size = int(hunk[2] or 1)
        start = int(hunk[1]) - (1 if size else 0)
        new += old[done:start]
        done, at = start, at + 1
        while at < len(lines) and not lines[at].startswith(b"@@"):
            sign, line = lines[at][:1], lines[at][1:]
            at += 1
            if at < len(lines) and lines[at] == _NO_NEWLINE:
                line, at = line[:-1], at + 1
            if sign in b" -":
                if old[done : done + 1] != [line]:
                    return None
                done += 1
            if sign in b" +":
                new.append(line)
    return b"".join([*new, *old[done:]])


def _lines(data: bytes) -> list[bytes]:
    """Return the lines with their line feeds."""
    return re.findall(rb"[^\n]*\n|[^\n]+", data)
