"""Which completions fit at an offset; items of a table of contents, and subjects in headings."""

from __future__ import annotations

from lsprotocol import types as lsp

from shelfread.core.patterns import lazy
from shelfread.core.wording import one_line
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.index.item_style import Writer
from shelfread.index.table_of_contents import contents_of, is_section
from shelfread.server.features.complete_entries import complete_link_label, complete_venue
from shelfread.server.features.cursor import Cursor
from shelfread.server.features.under_cursor import is_protected
from shelfread.taxonomy.label_forms import fold

TRIGGERS = ("[", "(", "#")
"""The characters that open what can be completed."""
_LONGEST_LINE = 10_000
_ITEM = lazy(r"[\s>]*(?:[-*+]|\d{1,9}[.)])\s+(?P<text>\[?[^\[\]]{0,80})$")
_HEADING = lazy(r" {0,3}#{1,6}[ \t]+(?P<text>.{0,80})$")
_MOST_SUBJECTS = 200


def complete(cursor: Cursor, document: Document, context: RuleContext) -> list[lsp.CompletionItem]:
    """Return what may be written at a cursor; `document` is the last reading of the text, which may be older."""
    if len(cursor.before) > _LONGEST_LINE or is_protected(document, cursor.offset):
        return []
    for complete_kind in (
        complete_heading,
        complete_contents,
        complete_link_label,
        complete_venue,
    ):
        items = complete_kind(cursor, document, context)
        if items is not None:
            return items
    return []


def complete_contents(
    cursor: Cursor, document: Document, context: RuleContext
) -> list[lsp.CompletionItem] | None:
    """Return items of the table of contents, those that it omits first; None outside of one."""
    match = _ITEM.match(cursor.before)
    contents = contents_of(document, context) if match is not None else None
    if match is None or contents is None:
        return None
    if not any(part.block.first - 1 <= cursor.line <= part.block.last for part in contents.parts):
        return None  # neither in the contents, nor next to them
    written, writer = match["text"], Writer(document.source, contents)
    closed = int(written.startswith("[") and cursor.after.startswith("]"))
    listed = {item.heading for part in contents.parts for item in part.items}
    start = contents.parts[0].block.start
    items = []
    for index, heading in enumerate(contents.headings):
        if heading.title and heading.span.start > start:
            text = f"[{writer.label(heading)}]({writer.url(heading)})"
            items.append(
                cursor.item(
                    len(written),
                    text,
                    lsp.CompletionItemKind.Module,
                    behind=closed,
                    label=one_line(heading.title) or text,
                    detail=text,
                    order=index
                    + (len(contents.headings) if index in listed or not is_section(heading.title) else 0),
                    match=f"[{heading.title}" if written.startswith("[") else heading.title,
                )
            )
    return items


def complete_heading(
    cursor: Cursor, document: Document, context: RuleContext
) -> list[lsp.CompletionItem] | None:
    """Return the subjects that a heading may name; None in no heading, or without a taxonomy of subjects."""
    match = _HEADING.match(cursor.before)
    taxonomy = context.taxonomy
    if match is None or not taxonomy.concepts:
        return None
    written = fold(match["text"])
    items: dict[str, lsp.CompletionItem] = {}
    for label in taxonomy.labels:
        if label.kind not in ("prefLabel", "altLabel") or written not in fold(label.text):
            continue
        concept = taxonomy.match(label)
        items.setdefault(
            concept.preferred,
            cursor.item(
                len(match["text"]),
                concept.preferred,
                lsp.CompletionItemKind.Class,
                detail=one_line(concept.concept.definition or concept.concept.id),
                order=0 if fold(label.text).startswith(written) else 1,
                match=label.text,
            ),
        )
        if len(items) == _MOST_SUBJECTS:
            break
    return list(items.values())
