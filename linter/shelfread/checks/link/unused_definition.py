"""Definitions without a link, and definitions without an effect."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from shelfread.core.diagnostics import (
    Applicability,
    Change,
    Edit,
    Effect,
    RawDiagnostic,
    RawDiagnostics,
    Severity,
    Span,
)
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Definition

# The label of a comment: `[//]: # (text)`, `[comment]: <> (text)`.
_COMMENT = lazy(r"(?i)\W*|comments?|todo|hidden|note")
_LEAST_BLOCK = 3


def unused_definition(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield definitions that no link uses, a whole block of them once, and further definitions of a label."""
    definitions = document.tree.definitions
    if not definitions or not document.tree.blocks:
        return
    used = {link.label for link in document.links if link.form == "reference"}
    first: dict[str, Definition] = {}
    for block in _blocks(document):
        unused = []
        for definition in block:
            effective = first.setdefault(definition.label, definition)
            if effective is definition:
                unused += [definition] if definition.label not in used else []
            elif definition.label in used:  # else the label is reported as unused
                yield _repeated(document, definition, effective)
        if len(unused) == len(block) >= _LEAST_BLOCK:
            yield _unused_block(document, block)
            continue
        for definition in unused:
            severity = Severity.INFO if _is_shared(definition, document, context) else Severity.WARNING
            span, values = _span(definition), {"label": _label(document, definition)}
            edits = (_removal(document, definition),)
            yield RawDiagnostic(span, values, edits, Applicability.UNSAFE, severity, "unused")


def _blocks(document: Document) -> Iterator[list[Definition]]:
    """Yield definitions in lines next to each other, without comments."""
    block: list[Definition] = []
    text = document.source.text
    for definition in document.tree.definitions:
        if _is_comment(definition, _label(document, definition)):
            continue
        if block and text[block[-1].end : definition.start].strip():
            yield block
            block = []
        block.append(definition)
    if block:
        yield block


def _repeated(document: Document, definition: Definition, effective: Definition) -> RawDiagnostic:
    values = {
        "label": _label(document, definition),
        "line": document.source.line_at(effective.start) + 1,
    }
    message = "repeated" if effective.url == definition.url else "conflicting"
    edits = (_removal(document, definition),)
    return RawDiagnostic(_span(definition), values, edits, Applicability.UNSAFE, message=message)


def _unused_block(document: Document, block: Sequence[Definition]) -> RawDiagnostic:
    line_at = document.source.line_at
    values = {"count": len(block), "first": line_at(block[0].start) + 1, "last": line_at(block[-1].start) + 1}
    edits = tuple(_removal(document, definition) for definition in block)
    return RawDiagnostic(_span(block[0]), values, edits, Applicability.UNSAFE, message="block")


def _is_shared(definition: Definition, document: Document, context: RuleContext) -> bool:
    """Return whether another file of the folder has the same definition and uses it."""
    folder = posixpath.dirname(document.source.path or "")
    return _is_used_in(context, folder, definition.label, definition.url)


def _is_used_in(context: RuleContext, folder: str, label: str, url: str) -> bool:
    """Return whether a file of a folder has a definition and uses it."""
    beside, facts = context.project.location.by_folder.get(folder, ()), context.project.facts
    return any((label, url) in facts[other].used_definitions for other in beside if other in facts)


def _is_comment(definition: Definition, label: str) -> bool:
    """Return whether a definition is a comment (`[//]: # (...)`), or a footnote, which is GitHub's syntax."""
    return label.startswith("^") or definition.url in ("", "#") or _COMMENT.fullmatch(label) is not None


def _label(document: Document, definition: Definition) -> str:
    return document.source.text[slice(*definition.text)]


def _span(definition: Definition) -> Span:
    return Span(definition.start, definition.end)


def _removal(document: Document, definition: Definition) -> Edit:
    """Return the edit that removes a definition, with its line if nothing else is in it."""
    text = document.source.text
    start, end = definition.start, definition.end
    while start and text[start - 1] in " \t":
        start -= 1
    if start and text[start - 1] not in "\r\n":
        start = definition.start
    elif text.startswith("\r\n", end):
        end += 2
    elif text.startswith(("\n", "\r"), end):
        end += 1
    return Edit(start, end, "", Effect(Change.REMOVED, text[definition.start : definition.end]))
