"""Sections in a table of contents, and the taxonomy's subjects in a heading."""

from __future__ import annotations

from lsprotocol import types as lsp

from shelfread.checks.contents.item_style import Writer
from shelfread.checks.contents.model import Contents, contents_of
from shelfread.checks.contents.omitted import is_section
from shelfread.core.support.one_line import one_line
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.server.features.completion.cursor import Cursor, completion
from shelfread.taxonomy.words import fold

_ITEM = lazy(r"[\s>]*(?:[-*+]|\d{1,9}[.)])\s+(?P<text>\[?[^\[\]]{0,80})$")
_HEADING = lazy(r" {0,3}#{1,6}[ \t]+(?P<text>.{0,80})$")
_MOST = 200


def complete_contents(
    cursor: Cursor, document: Document, context: RuleContext
) -> list[lsp.CompletionItem] | None:
    """Return items of the table of contents, those that it omits first; None outside of one."""
    match = _ITEM.match(cursor.before)
    contents = contents_of(document, context) if match is not None else None
    if match is None or contents is None or not _is_inside(contents, cursor.line):
        return None
    written, writer = match["text"], Writer(document.source, contents)
    closed = int(written.startswith("[") and cursor.after.startswith("]"))
    listed = {item.heading for part in contents.parts for item in part.items}
    start = contents.parts[0].block.start
    items = []
    for index, heading in enumerate(contents.headings):
        if heading.title and heading.span.start > start:
            text = f"[{writer.label(heading)}]({writer.url(heading)})"
            items.append(
                completion(
                    cursor,
                    cursor.span(len(written), closed),
                    text,
                    kind=lsp.CompletionItemKind.Module,
                    label=one_line(heading.title) or text,
                    detail=text,
                    order=index
                    + (len(contents.headings) if index in listed or not is_section(heading.title) else 0),
                    match=f"[{heading.title}" if written.startswith("[") else heading.title,
                )
            )
    return items


def _is_inside(contents: Contents, line: int) -> bool:
    """Return whether a line is in the contents, or next to them."""
    return any(part.block.first - 1 <= line <= part.block.last for part in contents.parts)


def complete_heading(cursor: Cursor, context: RuleContext) -> list[lsp.CompletionItem] | None:
    """Return the subjects that a heading may name; None in no heading, or without a taxonomy of subjects."""
    match = _HEADING.match(cursor.before)
    taxonomy = context.taxonomy
    if match is None or not taxonomy.concepts:
        return None
    written = fold(match["text"])
    found: dict[str, lsp.CompletionItem] = {}
    for label in taxonomy.labels:
        if label.kind not in ("prefLabel", "altLabel") or written not in fold(label.text):
            continue
        concept = taxonomy.match(label)
        found.setdefault(
            concept.preferred,
            completion(
                cursor,
                cursor.span(len(match["text"])),
                concept.preferred,
                kind=lsp.CompletionItemKind.Class,
                detail=one_line(concept.concept.definition or concept.concept.id),
                order=0 if fold(label.text).startswith(written) else 1,
                match=label.text,
            ),
        )
        if len(found) == _MOST:
            break
    return list(found.values())
