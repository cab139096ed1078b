"""Apply edits to a text."""

from __future__ import annotations

from collections.abc import Iterable

from shelfread.core.diagnostics import Edit
from shelfread.core.support.named_tuple import NamedTuple


class TextEdit(NamedTuple):
    """`text[start:end]` becomes the edit's `text`."""

    start: int
    end: int
    text: str


def apply_edits(text: str, edits: Iterable[TextEdit | Edit], start: int = 0, end: int | None = None) -> str:
    """Return `text[start:end]` with the edits made, which may come in any order.

    Of edits that overlap only the first is made. Edits that reach beyond `text[start:end]` are left out.
    """
    end = len(text) if end is None else end
    parts: list[str] = []
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if edit.start >= start and edit.end <= end:
            parts += (text[start : edit.start], edit.text)
            start = edit.end
    return "".join([*parts, text[start:end]])
