"""Anchors and pages of the project behind `](`, and labels of definitions behind `][`."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from urllib.parse import quote, unquote

from lsprotocol import types as lsp

from shelfread.core.patterns import lazy
from shelfread.core.wording import one_line
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.index.heading_names import fold
from shelfread.index.local_links import linked_page
from shelfread.server.features.cursor import Cursor

# A destination up to the cursor: of a link, with its text; of a definition; of an HTML anchor.
_DESTINATION = lazy(
    r"(?:\[(?P<text>[^\[\]]*)\]\(<?|^ {0,3}\[[^\[\]]+\]:\s*<?|<a\s[^<>]{0,200}?href=[\"'])(?P<url>[^\s<>()\"']*)$"
)
_REST = lazy(r"[^\s<>()\"'\[\]]*")
_LABEL = lazy(r"\]\[(?P<label>[^\[\]]*)$")
_SAFE = "/-_.~!$&'*+,;=:@"
_MOST_PAGES = 1000


def complete_destination(
    cursor: Cursor, document: Document, context: RuleContext
) -> list[lsp.CompletionItem] | None:
    """Return the anchors or pages that a destination may be; None if none is being written."""
    match = _DESTINATION.search(cursor.before)
    if match is None:
        return None
    rest = _REST.match(cursor.after)
    behind = rest.end() if rest is not None else 0
    file, hash_sign, fragment = match["url"].partition("#")
    path = document.source.path or ""
    if "://" in file:
        return []
    if not hash_sign:
        return list(_pages(cursor, len(file), behind, path, context))
    page = linked_page(file, path, context) if file else path
    named = fold(match["text"] or "")
    return list(_anchors(cursor, len(fragment), behind, page or "", named, context))


def _anchors(
    cursor: Cursor, length: int, behind: int, page: str, named: str, context: RuleContext
) -> Iterator[lsp.CompletionItem]:
    facts, anchors = context.project.facts.get(page), context.project.anchors(page)
    if facts is None or anchors is None:
        return
    for order, (landmark, anchor) in enumerate(zip(facts.landmarks, anchors, strict=True)):
        if not anchor or any(character.isspace() for character in anchor):
            continue
        title = one_line(landmark.text)
        # The heading that the link's text names comes first.
        rank = order if not named or fold(title) != named else -1
        item = cursor.item(
            length,
            anchor,
            lsp.CompletionItemKind.Reference,
            behind=behind,
            detail=f"{'#' * landmark.level} {title}".strip()
            if landmark.heading
            else "an id or a name in a tag",
            order=rank + 1,
        )
        item.preselect = rank < 0
        yield item


def _pages(
    cursor: Cursor, length: int, behind: int, path: str, context: RuleContext
) -> Iterator[lsp.CompletionItem]:
    folder = posixpath.dirname(path) or "."
    pages = sorted(page for page in context.project.facts if page != path)
    for order, page in enumerate(pages[:_MOST_PAGES]):
        relative = posixpath.relpath(page, folder)
        url = quote(relative, safe=_SAFE)
        yield cursor.item(
            length,
            url if unquote(url) == relative else relative,
            lsp.CompletionItemKind.File,
            behind=behind,
            label=relative,
            order=order,
        )


def complete_label(
    cursor: Cursor, document: Document, context: RuleContext
) -> list[lsp.CompletionItem] | None:
    """Return the labels of the document's definitions; None if no label is being written."""
    match = _LABEL.search(cursor.before)
    if match is None:
        return None
    closing = "" if cursor.after.startswith("]") else "]"
    labels: dict[str, lsp.CompletionItem] = {}
    for order, definition in enumerate(document.tree.definitions):
        written = document.source.text[slice(*definition.text)]
        labels.setdefault(
            definition.label,
            cursor.item(
                len(match["label"]),
                written + closing,
                lsp.CompletionItemKind.Reference,
                label=one_line(written),
                detail=one_line(definition.url),
                order=order,
                match=written,
            ),
        )
    return list(labels.values())
