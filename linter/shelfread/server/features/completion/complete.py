"""Which completions fit at an offset."""

from __future__ import annotations

from collections.abc import Callable

from lsprotocol import types as lsp

from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.server.features.completion.anchors import complete_destination, complete_label
from shelfread.server.features.completion.cursor import Cursor
from shelfread.server.features.completion.link_labels import complete_link_label
from shelfread.server.features.completion.sections import complete_contents, complete_heading
from shelfread.server.features.completion.venues import complete_venue
from shelfread.server.features.places import is_protected

TRIGGERS = ("[", "(", "#", "/")
"""The characters that open what can be completed."""
_LONGEST_LINE = 10_000


def complete(cursor: Cursor, document: Document, context: RuleContext) -> list[lsp.CompletionItem]:
    """Return what may be written at a cursor; `document` is the last reading of the text, which may be older."""
    if len(cursor.before) > _LONGEST_LINE or is_protected(document, cursor.offset):
        return []
    kinds: tuple[Callable[[], list[lsp.CompletionItem] | None], ...] = (
        lambda: complete_destination(cursor, document, context),
        lambda: complete_label(cursor, document),
        lambda: complete_heading(cursor, context),
        lambda: complete_contents(cursor, document, context),
        lambda: complete_link_label(cursor, document, context),
        lambda: complete_venue(cursor, document, context),
    )
    for kind in kinds:
        found = kind()
        if found is not None:
            return found
    return []
