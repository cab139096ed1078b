"""When the lines of a list were written, as git remembers."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from datetime import date, datetime, timezone
from typing import NamedTuple

from shelfread.core import git
from shelfread.core.support.regex import lazy_bytes

_SECONDS = 20
_MOST = 64 << 20
"""Bytes of git's answer that are read through."""
_HEAD = lazy_bytes(rb"([0-9a-f]{40}(?:[0-9a-f]{24})?) \d+ (\d+)(?: \d+)?")


class _Line(NamedTuple):
    number: int
    text: bytes
    day: date | None


def dates(path: str, lines: Collection[int]) -> dict[int, date]:
    """The day on which each of a file's lines (from 1) was written; lines that no commit has are left out.

    HEAD is blamed, and not the file as it lies there: for that git would run the filters that the repository
    names. A line is then the one of the same number, or the only one of the same text.
    """
    folder, name = os.path.split(os.path.abspath(path))
    try:
        with open(path, "rb") as stream:
            texts = [line.rstrip(b"\r") for line in stream.read().split(b"\n")]
    except OSError:
        return {}
    shallow = git.run(folder, "rev-parse", "--is-shallow-repository", seconds=_SECONDS)
    if shallow is None:
        return {}
    # Without --root what has no parent counts as unknown, as it is where a clone was cut off.
    root = () if shallow.strip() == b"true" else ("--root",)
    words = ("blame", "--porcelain", "--no-textconv", *root, "HEAD", "--", name)
    said = git.run(folder, *words, seconds=_SECONDS)
    if said is None or len(said) > _MOST:
        return {}
    known = list(_read(said))
    only: dict[bytes, date | None] = {}
    for line in known:
        only[line.text] = None if line.text in only else line.day
    found: dict[int, date] = {}
    for number in lines:
        if not 0 < number <= len(texts):
            continue
        text = texts[number - 1]
        same = number <= len(known) and known[number - 1].text == text
        day = known[number - 1].day if same else only.get(text)
        if day is not None:
            found[number] = day
    return found


def _read(said: bytes) -> Iterator[_Line]:
    """The lines of a blame in order: a commit is described where it comes first, and after that only named."""
    days: dict[bytes, date | None] = {}
    commit, number = b"", 0
    for line in said.split(b"\n"):
        if line.startswith(b"\t"):
            yield _Line(number, line[1:].rstrip(b"\r"), days.get(commit))
        elif head := _HEAD.fullmatch(line):
            commit, number = head[1], int(head[2])
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
