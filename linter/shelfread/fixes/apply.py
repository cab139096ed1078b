"""The edits of fixes, and the text after them."""

from __future__ import annotations

from collections.abc import Iterable

from shelfread.core.diagnostics import Diagnostic, Edit
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.core.spans import apply_edits
from shelfread.fixes.select import edits_of

_BARE_LF = lazy(r"(?<!\r)\n")


def collect_edits(source: Source, diagnostics: Iterable[Diagnostic]) -> list[Edit]:
    """Return the edits of one file's fixes as `arrange_edits` does."""
    return arrange_edits(source, (edit for diagnostic in diagnostics for edit in edits_of(diagnostic)))


def arrange_edits(source: Source, edits: Iterable[Edit]) -> list[Edit]:
    """Return edits in order, each once.

    Checks write plain newlines; in a file that has none they become the newlines of the file.
    """
    ordered = sorted(set(edits), key=lambda edit: edit[:2])
    if source.newline == "\n" or _BARE_LF.search(source.text):
        return ordered
    return [edit._replace(text=_BARE_LF.sub(source.newline, edit.text)) for edit in ordered]


def edit_source(source: Source, edits: Iterable[Edit]) -> Source:
    """Return the text after edits that do not overlap."""
    return Source(apply_edits(source.text, edits), source.path, source.bom)
