"""The line that is being written, and completions at its cursor."""

from __future__ import annotations

from typing import NamedTuple

from lsprotocol import types as lsp

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.server.positions import Positions

_SPECIAL = lazy(r"([\\$}])")


class Cursor(NamedTuple):
    """An offset of a text, with the line around it.

    What is being written is no Markdown yet, so the line is looked at as it is.
    """

    positions: Positions
    offset: int
    before: str
    """The line up to the offset."""
    after: str
    """The line from the offset on."""
    line: int
    """From 0."""
    snippets: bool = False
    """Whether the client takes snippets."""

    def item(
        self,
        length: int,
        text: str,
        kind: lsp.CompletionItemKind,
        *,
        behind: int = 0,
        label: str = "",
        detail: str = "",
        order: int = 0,
        match: str = "",
        placeholder: str = "",
    ) -> lsp.CompletionItem:
        """Return the item that replaces `length` characters before the offset, and `behind` after it, by a text.

        `match` is what the client compares with these characters. `placeholder` is a word of the text that the client
        selects, so that it is typed over, if it takes snippets.
        """
        is_snippet = self.snippets and bool(placeholder)
        written = self.positions.range(Span(self.offset - length, self.offset + behind))
        return lsp.CompletionItem(
            label=label or text,
            kind=kind,
            detail=detail or None,
            sort_text=f"{order:06}",
            filter_text=match or text,
            insert_text_format=lsp.InsertTextFormat.Snippet if is_snippet else lsp.InsertTextFormat.PlainText,
            text_edit=lsp.TextEdit(written, _snippet(text, placeholder) if is_snippet else text),
        )


def cursor_at(source: Source, offset: int, positions: Positions, snippets: bool = False) -> Cursor:
    """Return the cursor at an offset of a text."""
    line = source.line_at(offset)
    column = offset - source.starts[line]
    text = source.lines[line]
    return Cursor(positions, offset, text[:column], text[column:], line, snippets)


def _snippet(text: str, placeholder: str) -> str:
    before, placeholder, after = (_SPECIAL.sub(r"\\\1", part) for part in text.rpartition(placeholder))
    return f"{before}${{1:{placeholder}}}{after}"
