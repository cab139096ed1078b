"""Reference links without a definition, and definitions without a link."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from markdown_it.common.utils import normalizeReference

from shelfread.core.diagnostics import Applicability, Edit, RawDiagnostic, RawDiagnostics, Severity, Span
from shelfread.core.differences import is_slip
from shelfread.core.patterns import lazy
from shelfread.document.model import Document
from shelfread.document.passages import is_text, opening
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Definition
from shelfread.taxonomy.label_forms import squash

LONGEST_TEXT = 300
_MOST_COMPARED = 20
"""The most labels of one list that are compared with all definitions, which is slow."""
_LEAST_RATIO = 5
"""With so many defined references for each undefined one, two pairs of tags are references too."""
_MOST_UNDEFINED = 3
"""In a list without references, more pairs of brackets than these are tags."""
# A year, which with or without a venue is seldom the text of a link.
DATED = lazy(r"(?:19|20)\d\d|['’]\d\d")
_REFERENCE = lazy(r"\]\[([^\[\]\n]{0,200})\]")
_LETTER = lazy(r"[^\W\d_]")
# A typical label: `docs`, `awesome-list`, `1`.
_SLUG = lazy(r"[a-z][a-z0-9]*(?:[-_.:][a-z0-9]+)*|\d{1,3}")
# The label of a comment: `[//]: # (text)`, `[comment]: <> (text)`.
_COMMENT = lazy(r"(?i)\W*|comments?|todo|hidden|note")
_LEAST_BLOCK = 3


class _Reference(NamedTuple):
    """`[text][label]`, or `![text][label]`."""

    span: Span
    text: str
    label: str
    is_picture: bool


def undefined_reference(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield `[text][label]` whose label has no definition, unless it is rather a pair of tags."""
    text = document.source.text
    candidates = list(_REFERENCE.finditer(text))
    if not candidates:
        return
    defined = {definition.label: text[slice(*definition.text)] for definition in document.tree.definitions}
    ends = {link.end for link in document.links if link.form == "reference"}
    resolved = sum(1 for match in candidates if match.end() in ends)
    unresolved = (match for match in candidates if match.end() not in ends)
    found = [reference for match in unresolved if (reference := _undefined(document, match, defined))]
    for index, reference in enumerate(found):
        near = _nearest(reference.label, defined) if index < _MOST_COMPARED else None
        tags = _are_tags(context, reference.text, reference.label)
        severity = Severity.ERROR
        # Where most such pairs are links, this one was meant to be a link too.
        is_link = resolved >= len(found) * (_LEAST_RATIO if tags else 1)
        if not (is_link or near or reference.is_picture):
            if resolved or tags or len(found) > _MOST_UNDEFINED or not _SLUG.fullmatch(reference.label):
                continue
            severity = Severity.INFO
        values: dict[str, object] = {"label": shortened(reference.label), "similar": near}
        message = "similar" if near else "undefined"
        yield RawDiagnostic(reference.span, values, severity=severity, message=message)


def _undefined(document: Document, match: re.Match[str], defined: Collection[str]) -> _Reference | None:
    """Return a reference whose label is not defined; None if it is defined, or no reference."""
    text = document.source.text
    close = match.start()
    start = opening(text, close, "[]", LONGEST_TEXT)
    words = text[start + 1 : close]
    name = match[1].strip() or words
    if start < 0 or (words[:1] in ("", "^", "@", "!") and not words.startswith("![")) or name[0] in "^@!":
        return None
    if not _LETTER.search(words) or (name in ("x", "X") and match[1]) or normalizeReference(name) in defined:
        return None
    is_picture = text[start - 1 : start] == "!" and not text[max(0, start - 2) : start - 1].isalnum()
    before = text[start - 1 : start] if start else ""
    # `a[i][j]` is code, and several pairs in a row are tags.
    if (before.isalnum() and before.isascii()) or (before in ("]", "\\", "_") and start):
        return None
    if text[match.end() : match.end() + 1] in ("[", "("):
        return None
    if not (is_text(document, close, of_link=is_picture) and is_text(document, start, of_link=is_picture)):
        return None
    return _Reference(Span(start - 1 if is_picture else start, match.end()), words, name, is_picture)


def _nearest(name: str, defined: Mapping[str, str]) -> str | None:
    """Return a defined label that differs in one letter, or in spaces and punctuation only."""
    folded = normalizeReference(name)
    bare = squash(name)
    for label, written in defined.items():
        if (len(bare) > 3 and is_slip(label, folded)) or squash(label) == bare != "":
            return written
    return None


def _are_tags(context: RuleContext, words: str, name: str) -> bool:
    """Return whether two texts in brackets are tags: `[CVPR][2020]`, `[Paper][Code]`."""
    vocabulary, texts = context.vocabulary, (words, name)
    if any(DATED.search(text) or vocabulary.venue(text) is not None for text in texts):
        return True
    return words != name and all(vocabulary.role(text) is not None for text in texts)


def shortened(words: str) -> str:
    """Return words as a message shows them: at most 60 characters."""
    return words if len(words) <= 60 else words[:57].rstrip() + "..."


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
    facts, used = context.project.facts, (definition.label, definition.url)
    beside = context.files_in(posixpath.dirname(document.source.path or ""))
    return any(used in facts[other].used_definitions for other in beside if other in facts)


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
    return Edit.reduce(Span(start, end), text[definition.start : definition.end])
