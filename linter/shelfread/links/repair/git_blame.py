"""The days on which the lines of a list were written, from `git blame`."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from datetime import date, datetime, timezone

from shelfread.core import git
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.core.support.regex import lazy

_TIMEOUT = 20
_MAX_BYTES = 64 << 20
"""Of git's output."""
_COMMIT = lazy(rb"([0-9a-f]{40}(?:[0-9a-f]{24})?) \d+ (\d+)(?: \d+)?")


class _Line(NamedTuple):
    text: bytes
    day: date | None


def line_dates(path: str, lines: Collection[int]) -> dict[int, date]:
    """Return the day on which each line (counted from 1) was written; lines that are not committed are left out.

    HEAD is blamed instead of the file in the working tree, for which git would run filters that the repository
    configures. A line is matched by number and text, or by text alone if that is unique.
    """
    folder, name = os.path.split(os.path.abspath(path))
    try:
        with open(path, "rb") as stream:
            texts = [line.rstrip(b"\r") for line in stream.read().split(b"\n")]
    except OSError:
        return {}
    shallow = git.run(folder, "rev-parse", "--is-shallow-repository", seconds=_TIMEOUT)
    if shallow is None:
        return {}
    # Without --root commits without a parent count as unknown: in a shallow clone they are.
    root = () if shallow.strip() == b"true" else ("--root",)
    command = ("blame", "--porcelain", "--no-textconv", *root, "HEAD", "--", name)
    output = git.run(folder, *command, seconds=_TIMEOUT)
    if output is None or len(output) > _MAX_BYTES:
        return {}
    known = list(_read(output))
    unique: dict[bytes, date | None] = {}
    for line in known:
        unique[line.text] = None if line.text in unique else line.day
    found: dict[int, date] = {}
    for number in lines:
        if not 0 < number <= len(texts):
            continue
        text = texts[number - 1]
        same = number <= len(known) and known[number - 1].text == text
        day = known[number - 1].day if same else unique.get(text)
        if day is not None:
            found[number] = day
    return found


def _read(output: bytes) -> Iterator[_Line]:
    """The lines of a blame in order; a commit is described only before its first line."""
    days: dict[bytes, date | None] = {}
    commit = b""
    for line in output.split(b"\n"):
        if line.startswith(b"\t"):
            yield _Line(line[1:].rstrip(b"\r"), days.get(commit))
        elif match := _COMMIT.fullmatch(line):
            commit = match[1]
        elif line.startswith(b"author-time "):
            days[commit] = _day(line[12:])
        elif line == b"boundary":
            days[commit] = None


def _day(seconds: bytes) -> date | None:
    if not re.fullmatch(rb"\d{1,11}", seconds):
        return None
    try:
        return datetime.fromtimestamp(int(seconds), timezone.utc).date()
    except (ValueError, OverflowError, OSError):
        return None
