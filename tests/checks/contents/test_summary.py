"""A GitBook's SUMMARY.md."""

from __future__ import annotations

from shelfread.checks.contents.sync import summary
from support.project import Found, run


def book(texts: dict[str, str]) -> list[Found]:
    return run(summary, texts)
