"""Reference links without a definition, and definitions without a link."""

from __future__ import annotations

import re
from collections.abc import Collection

from markdown_it.common.utils import normalizeReference

from shelfread.core.diagnostics import Applicability, Edit, RawDiagnostic, RawDiagnostics, Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document
from shelfread.document.passages import is_text, opening
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Definition

LONGEST_TEXT = 300
# A year, which with or without a venue is seldom the text of a link.
DATED = lazy(r"(?:19|20)\d\d|['’]\d\d")
_REFERENCE = lazy(r"\]\[([^\[\]\n]{0,200})\]")
_FOOTNOTE = lazy(r"(?<=[\w.,;:!?)*`])\[\^([\w-]{1,40})\](?![:(\[])")
_NOTE = lazy(r"[ \t>]*\[\^([\w-]{1,40})\]:")
_LETTER = lazy(r"[^\W\d_]")
# The label of a comment: `[//]: # (text)`, `[comment]: <> (text)`.
_COMMENT = lazy(r"(?i)\W*|comments?|todo|hidden|note")


def undefined_reference(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield `[text][label]` whose label has no definition, unless it is rather a pair of tags."""
    text = document.source.text
    yield from _notes(document)
    candidates = list(_REFERENCE.finditer(text))
    if not candidates:
        return
    defined = {definition.label for definition in document.tree.definitions}
    ends = {link.end for link in document.links if link.form == "reference"}
    resolved = sum(1 for match in candidates if match.end() in ends)
    unresolved = (match for match in candidates if match.end() not in ends)
    found = [
        reference for match in unresolved if (reference := _undefined(document, context, match, defined))
    ]
    if resolved >= len(found):  # most such pairs are links, so these were meant to be links too
        for span, label in found:
            yield RawDiagnostic(span, {"label": shortened(label)}, message="link")


def _notes(document: Document) -> RawDiagnostics:
    """Yield references to footnotes that have no note."""
    text = document.source.text
    found = list(_FOOTNOTE.finditer(text))
    if not found:
        return
    noted = {match[1].casefold() for line in document.source.lines if (match := _NOTE.match(line))}
    for match in found:
        if (
            match[1].casefold() not in noted
            and is_text(document, match.start())
            and is_text(document, match.end() - 1)
        ):
            yield RawDiagnostic(Span(*match.span()), {"label": match[0][1:-1]}, message="note")


def _undefined(
    document: Document, context: RuleContext, match: re.Match[str], defined: Collection[str]
) -> tuple[Span, str] | None:
    """Return the span and the label of a reference that is not defined; None if it is defined, or no reference."""
    text = document.source.text
    close = match.start()
    start = opening(text, close, "[]", LONGEST_TEXT)
    words = text[start + 1 : close]
    name = match[1].strip() or words
    if start < 0 or not _LETTER.search(words) or words[0] in "^@" or name[0] in "^@!":
        return None
    if normalizeReference(name) in defined or _are_tags(context, words, name):
        return None
    # `a[i][j]` is code, and several pairs in a row are tags.
    before = text[start - 1 : start] if start else " "
    if (before.isalnum() and before.isascii()) or before in "]\\_":
        return None
    if text[match.end() : match.end() + 1] in ("[", "("):
        return None
    is_picture = before == "!"
    if not (is_text(document, close, of_link=is_picture) and is_text(document, start, of_link=is_picture)):
        return None
    return Span(start - 1 if is_picture else start, match.end()), name


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
    for definition in definitions:
        label = _label(document, definition)
        if _is_comment(definition, label):
            continue
        effective = first.setdefault(definition.label, definition)
        if effective is definition and definition.label not in used:
            edits = (_removal(document, definition),)
            yield RawDiagnostic(
                _span(definition), {"label": label}, edits, Applicability.UNSAFE, message="unused"
            )
        elif effective is not definition and definition.label in used:  # else the label is reported as unused
            yield _repeated(document, definition, effective)


def _repeated(document: Document, definition: Definition, effective: Definition) -> RawDiagnostic:
    values = {
        "label": _label(document, definition),
        "line": document.source.line_at(effective.start) + 1,
    }
    message = "repeated" if effective.url == definition.url else "conflicting"
    edits = (_removal(document, definition),)
    return RawDiagnostic(_span(definition), values, edits, Applicability.UNSAFE, message=message)


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
