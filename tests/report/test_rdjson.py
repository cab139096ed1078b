"""Findings in reviewdog's format."""

from __future__ import annotations

import json
import re
from typing import Any

from shelfread.engine.model import RunResult
from support.reports import (
    outcome,
    several,
    written,
)


def applied(source: str, one: dict[str, Any], column: Any) -> str:
    """A text with one replacement made; `column` finds the offset in a line."""
    lines = re.split(r"(?<=\n)|(?<=\r)(?!\n)", source)
    at = [
        sum(map(len, lines[: place["line"] - 1])) + column(lines[place["line"] - 1], place["column"])
        for place in (one["range"]["start"], one["range"]["end"])
    ]
    return source[: at[0]] + one["text"] + source[at[1] :]


def test_reviewdog_counts_bytes() -> None:
    source, one, after = several()
    data = json.loads(written("rdjson", RunResult((outcome(source, one),), ())))
    (suggestion,) = data["diagnostics"][0]["suggestions"]
    columns: Any = lambda line, column: len(line.encode()[: column - 1].decode())  # noqa: E731
    assert applied(source.text, suggestion, columns) == after
    assert data["diagnostics"][0]["location"]["range"] == {
        "start": {"line": 2, "column": 1},
        "end": {"line": 2, "column": 7},
    }
