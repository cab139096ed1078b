"""Reference links without a definition."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from markdown_it.common.utils import normalizeReference

from shelfread.core.diagnostics import RawDiagnostic, RawDiagnostics, Severity, Span
from shelfread.core.support.edit_distance import is_slip
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.document.passages import is_text, opening
from shelfread.index.context import RuleContext
from shelfread.taxonomy.words import squash

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
