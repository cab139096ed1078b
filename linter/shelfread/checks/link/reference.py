"""Links by reference, reversed links, and definitions: where brackets and parentheses do not meet."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from markdown_it.common.utils import normalizeReference

from shelfread.checks.common.prose import is_text, opening
from shelfread.core.diagnostics import Applicability, Change, Edit, Effect, RawDiagnostic, Severity, Span
from shelfread.core.support.edit_distance import is_slip
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.index.index import Survey
from shelfread.markdown.node import Definition
from shelfread.taxonomy.fold import squash

_LONGEST = 300
_GUESSES = 20
"""How many labels of one list are compared with all others at most: it takes its time."""
_CLEARLY = 5
"""So many references that lead somewhere for each that does not leave no doubt that it was one."""
_FEW = 3
"""More pairs of brackets than these are tags, in a list that has no references."""
_STRUCTURE = Effect(Change.STRUCTURE)
# `)[` and an address: with a scheme, an anchor, a path, or the name of a page.
_REVERSED = lazy(
    r"\)\[(<?(?:https?://|www\.|mailto:|\.{1,2}/|#[^\W\d]|[\w./-]+\.(?:md|html?|pdf)(?=[#\]]))[^\s\[\]<>]*>?)\]",
    re.IGNORECASE,
)
# What may be no link's text: a year and with it a venue, which lists put into parentheses.
_DATED = lazy(r"(?:19|20)\d\d|['’]\d\d")
_REFERENCE = lazy(r"\]\[([^\[\]\n]{0,200})\]")
_LETTER = lazy(r"[^\W\d_]")
# A label as people name it: `docs`, `awesome-list`, `1`.
_SLUG = lazy(r"[a-z][a-z0-9]*(?:[-_.:][a-z0-9]+)*|\d{1,3}")
# `[//]: # (a comment)`, `[comment]: <> (one)`.
_COMMENT = lazy(r"\W*|comments?|todo|hidden|note", re.IGNORECASE)


class _Reference(NamedTuple):
    """`[text][label]`, of a picture with the `!` before it."""

    span: Span
    text: str
    label: str
    picture: bool


def reversed(document: Document, survey: Survey) -> Iterator[RawDiagnostic]:
    """`(text)[url]`: what was to be a link, its brackets and parentheses the wrong way round."""
    text = document.source.text
    for match in _REVERSED.finditer(text):
        close = match.start()
        start = opening(text, close, "()", _LONGEST)
        words = text[start + 1 : close]
        if start < 0 or not words.strip() or "[" in words or "]" in words or text[start - 1 : start] == "\\":
            continue
        if not (is_text(document, close) and is_text(document, start)):
            continue
        url = match[1].strip("<>")
        edits: tuple[Edit, ...] = ()
        if url.count("(") == url.count(")") or match[1][0] == "<":
            edits = (
                Edit(start, start + 1, "[", _STRUCTURE),
                Edit(close, close + 2, "](", _STRUCTURE),
                Edit(match.end() - 1, match.end(), ")", _STRUCTURE),
            )
        glued = text[start - 1 : start].isalnum() and start > 0
        safe = Applicability.UNSAFE if glued or _DATED.search(words) else Applicability.SAFE
        yield RawDiagnostic(
            Span(start, match.end()), {"text": _short(words), "url": _short(url)}, edits, safe
        )


def undefined_reference(document: Document, survey: Survey) -> Iterator[RawDiagnostic]:
    """`[text][label]` whose label no definition has, where it was to be a link and is no pair of tags."""
    text = document.source.text
    candidates = list(_REFERENCE.finditer(text))
    if not candidates:
        return
    defined = {one.label: text[slice(*one.text)] for one in document.tree.definitions}
    ends = {link.end: link for link in document.links if link.form == "reference"}
    resolved = sum(1 for at in candidates if at.end() in ends)
    found = [one for at in candidates if at.end() not in ends if (one := _undefined(document, at, defined))]
    for number, one in enumerate(found):
        near = _nearest(one.label, defined) if number < _GUESSES else None
        tags = _are_tags(survey, one.text, one.label)
        severity = Severity.ERROR
        # Where most such pairs are links, one more was to be one; else a picture's mark tells, or its label.
        if not (resolved >= len(found) * (_CLEARLY if tags else 1) or near or one.picture):
            if resolved or tags or len(found) > _FEW or not _SLUG.fullmatch(one.label):
                continue
            severity = Severity.INFO
        hint = f", did you mean '{near}'?" if near else ""
        yield RawDiagnostic(one.span, {"label": _short(one.label), "hint": hint}, severity=severity)


def _undefined(document: Document, match: re.Match[str], defined: Collection[str]) -> _Reference | None:
    """A reference that leads nowhere; None for what was not to be one."""
    text = document.source.text
    close = match.start()
    start = opening(text, close, "[]", _LONGEST)
    words = text[start + 1 : close]
    name = match[1].strip() or words
    if start < 0 or (words[:1] in ("", "^", "@", "!") and not words.startswith("![")) or name[0] in "^@!":
        return None
    if not _LETTER.search(words) or (name in ("x", "X") and match[1]) or normalizeReference(name) in defined:
        return None
    picture = text[start - 1 : start] == "!" and not text[max(0, start - 2) : start - 1].isalnum()
    before = text[start - 1 : start] if start else ""
    # `a[i][j]` is no link, nor one of several tags in a row.
    if (before.isalnum() and before.isascii()) or (before in ("]", "\\", "_") and start):
        return None
    if text[match.end() : match.end() + 1] in ("[", "("):
        return None
    if not (is_text(document, close, of_link=picture) and is_text(document, start, of_link=picture)):
        return None
    first = start - 1 if picture else start
    return _Reference(Span(first, match.end()), words, name, picture)


def _nearest(name: str, defined: Mapping[str, str]) -> str | None:
    """A defined label that is the same but for a slip, blanks and punctuation."""
    folded = normalizeReference(name)
    bare = squash(name)
    return next(
        (
            written
            for label, written in defined.items()
            if (len(bare) > 3 and is_slip(label, folded)) or squash(label) == bare != ""
        ),
        None,
    )


def _are_tags(survey: Survey, words: str, name: str) -> bool:
    """Whether two texts in brackets say what and when something is: `[CVPR][2020]`, `[Paper][Code]`."""
    vocabulary = survey.vocabulary
    return (
        bool(_DATED.search(words) or _DATED.search(name))
        or vocabulary.venue(words) is not None
        or vocabulary.venue(name) is not None
        or (words != name and vocabulary.role(words) is not None and vocabulary.role(name) is not None)
    )


def unused_definition(document: Document, survey: Survey) -> Iterator[RawDiagnostic]:
    """Definitions that no link of the page names, and those of a label that is defined before."""
    definitions = document.tree.definitions
    if not definitions or not document.tree.blocks:
        return
    source = document.source
    used = {link.label for link in document.links if link.form == "reference"}
    first: dict[str, Definition] = {}
    for one in definitions:
        name = source.text[slice(*one.text)]
        if _is_comment(one, name):
            continue
        before = first.setdefault(one.label, one)
        if before is one and one.label in used:
            continue
        why = "no link names it"
        if before is not one:
            if before.label not in used:
                continue  # one finding says that the label is not used
            line = source.position(before.start)[0]
            why = f"line {line} defines it{' already' if before.url == one.url else ' otherwise, and counts'}"
        yield RawDiagnostic(Span(one.start, one.end), {"label": name, "why": why}, (_removal(document, one),))


def _is_comment(one: Definition, name: str) -> bool:
    """`[//]: # (...)` and its kin, and footnotes, which only GitHub tells apart."""
    return name.startswith("^") or one.url in ("", "#") or _COMMENT.fullmatch(name) is not None


def _removal(document: Document, one: Definition) -> Edit:
    """The edit that takes a definition away, with its line where it stands alone."""
    text = document.source.text
    start, end = one.start, one.end
    while start and text[start - 1] in " \t":
        start -= 1
    if start and text[start - 1] not in "\r\n":
        start = one.start
    elif text.startswith("\r\n", end):
        end += 2
    elif text.startswith(("\n", "\r"), end):
        end += 1
    return Edit(start, end, "", Effect(Change.REMOVED, text[one.start : one.end]))


def _short(words: str) -> str:
    return words if len(words) <= 60 else words[:57].rstrip() + "..."
