"""Edits applied to a text."""

from __future__ import annotations

from collections.abc import Iterable

from shelfread.core.diagnostics import Diagnostic, Edit
from shelfread.core.source import Source
from shelfread.core.support.regex import lazy
from shelfread.fixes.select import edit_position, edits_of

_BARE_LF = lazy(r"(?<!\r)\n")


def together(source: Source, diagnostics: Iterable[Diagnostic]) -> list[Edit]:
    """All edits of one file's fixes in order, each once."""
    return arranged(source, (edit for diagnostic in diagnostics for edit in edits_of(diagnostic)))


def arranged(source: Source, edits: Iterable[Edit]) -> list[Edit]:
    """Edits in order, each once, with the newlines of the file.

    Edits may write a plain newline; in a file that has none it becomes the file's own.
    """
    ordered = sorted(set(edits), key=edit_position)
    if source.newline == "\n" or _BARE_LF.search(source.text):
        return ordered
    return [edit._replace(text=_BARE_LF.sub(source.newline, edit.text)) for edit in ordered]


def edited(source: Source, edits: Iterable[Edit]) -> Source:
    """The text after sorted edits that do not overlap."""
    pieces: list[str] = []
    at = 0
    for edit in edits:
        pieces += (source.text[at : edit.start], edit.text)
        at = edit.end
    return Source("".join([*pieces, source.text[at:]]), source.path, source.bom)
