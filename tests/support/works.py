"""Reads the `works` fences of rule pages: what sources of bibliographic data say."""

from __future__ import annotations

import shlex
from collections.abc import Iterable

from shelfread.index.answers import Work


def stated_works(lines: Iterable[str]) -> dict[str, list[Work]]:
    """Return the works by key of lines `KEY SOURCE TITLE [preprint] [key=value]...`; authors are parted by `;`."""
    found: dict[str, list[Work]] = {}
    for line in lines:
        key, source, title, *options = shlex.split(line)
        values = dict(option.split("=", 1) for option in options if "=" in option)
        work = Work(source, title, is_preprint="preprint" in options)
        found.setdefault(key, []).append(
            work._replace(
                authors=tuple(filter(None, values.get("authors", "").split(";"))),
                venue=values.get("venue", ""),
                year=int(values["year"]) if "year" in values else None,
                doi=values.get("doi", ""),
                code=values.get("code", ""),
            )
        )
    return found
