"""Diagnostics and fixes: spans and edits by code points of the decoded text, without BOM, from 0; applicability."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum, IntEnum
from types import MappingProxyType
from typing import NamedTuple, TypeAlias


class Span(NamedTuple):
    """A half-open range of a file's text: `text[start:end]`."""

    start: int
    end: int


class _Level(IntEnum):
    @property
    def label(self) -> str:
        """Return the name in lower case."""
        return self.name.lower()


class Severity(_Level):
    """The severity of a diagnostic; greater is worse."""

    INFO = 0
    WARNING = 1
    ERROR = 2


class Applicability(_Level):
    """Whether a fix is applied by default, as in ruff; greater is safer."""

    UNSAFE = 0
    SAFE = 1


class Change(Enum):
    """What an edit is meant to change; the verification of fixes allows exactly that."""

    MARKUP = "markup"  # only punctuation and whitespace: no word and no link destination
    WORDS = "words"  # the words `before` become `after`
    DESTINATION = "destination"  # a link's destination `before` becomes `after`
    STRUCTURE = "structure"  # text becomes the block or the link that it was meant to be
    MOVED = "moved"  # a block moves, unchanged
    REMOVED = "removed"  # the text `before` is removed
    INSERTED = "inserted"  # the text `after` is inserted, or takes the place of `before`, which it contains


class Effect(NamedTuple):
    """An edit's declared effect."""

    change: Change
    before: str = ""
    after: str = ""


MARKUP, STRUCTURE, MOVED = Effect(Change.MARKUP), Effect(Change.STRUCTURE), Effect(Change.MOVED)


class Edit(NamedTuple):
    """Replace `text[start:end]` of a file by `text`."""

    start: int
    end: int
    text: str
    effect: Effect

    @classmethod
    def reword(cls, span: Span, before: str, after: str, text: str | None = None) -> Edit:
        """Return the edit that replaces words; `text` if the span is only the part of them that changes."""
        return cls(*span, after if text is None else text, Effect(Change.WORDS, before, after))

    @classmethod
    def relink(cls, span: Span, before: str, after: str, text: str | None = None) -> Edit:
        """Return the edit that replaces the destination of a link; `text` if the span is written in another way."""
        return cls(*span, after if text is None else text, Effect(Change.DESTINATION, before, after))

    @classmethod
    def remove(cls, text: str, start: int, end: int) -> Edit:
        return cls(start, end, "", Effect(Change.REMOVED, text[start:end]))

    @classmethod
    def reduce(cls, span: Span, before: str) -> Edit:
        """Return the edit that removes a text; the span may have blanks around it."""
        return cls(*span, "", Effect(Change.REMOVED, before))

    @classmethod
    def extend(cls, span: Span, before: str, after: str) -> Edit:
        """Return the edit that inserts something around a text."""
        return cls(*span, after, Effect(Change.INSERTED, before, after))

    @classmethod
    def insert(cls, offset: int, text: str) -> Edit:
        return cls(offset, offset, text, Effect(Change.INSERTED, "", text))


class Fix(NamedTuple):
    """Edits that are applied together, or not at all."""

    edits: tuple[Edit, ...]
    applicability: Applicability


class RawDiagnostic(NamedTuple):
    """What a check yields: a span, and the values for the message of the rule's page.

    `safe`, `severity` and `precedence` can lower what the page says for this diagnostic. Without `edits` there is no
    fix.
    """

    span: Span
    values: Mapping[str, object] = MappingProxyType({})
    edits: tuple[Edit, ...] = ()
    safe: bool = True
    severity: Severity = Severity.ERROR
    message: str = ""  # which of the page's messages, for a page with several
    precedence: int | None = None  # that of the page if None


RawDiagnostics: TypeAlias = Iterator[RawDiagnostic]


class Diagnostic(NamedTuple):
    """A finding: a rule, a span of a file, a message and perhaps a fix."""

    rule: str
    severity: Severity
    message: str
    path: str
    span: Span
    fix: Fix | None = None
    # of several diagnostics at the same place the one with the highest precedence is reported.
    precedence: int = 0


def find_overlapping(spans: Sequence[Span], start: int, end: int) -> Iterator[Span]:
    """Yield the spans, of sorted and disjoint ones, that overlap `text[start:end]`; if that is empty, the one that holds `start`."""
    index = bisect_right(spans, start, key=lambda span: span.end)
    while index < len(spans) and spans[index].start < end:
        yield spans[index]
        index += 1


def find_parents(spans: Sequence[Span]) -> list[int]:
    """Return for each span the index of the innermost one around it, -1 for none; spans are sorted, outer ones first."""
    parents: list[int] = []
    open_spans: list[int] = []
    for index, span in enumerate(spans):
        while open_spans and spans[open_spans[-1]].end <= span.start:
            open_spans.pop()
        parents.append(open_spans[-1] if open_spans else -1)
        open_spans.append(index)
    return parents


def around(text: str, start: int, end: int, before: int, after: int) -> str:
    """Return `text[start:end]` with at most so many characters before and after it in the same lines."""
    first = text.rfind("\n", max(0, start - before), start) + 1 or max(0, start - before)
    last = text.find("\n", end, end + after)
    return text[first : last if last >= 0 else end + after]


class TextEdit(NamedTuple):
    """`text[start:end]` becomes the edit's `text`."""

    start: int
    end: int
    text: str


def apply_edits(text: str, edits: Iterable[TextEdit | Edit], start: int = 0, end: int | None = None) -> str:
    """Return `text[start:end]` with the edits made, which may come in any order.

    Of edits that overlap only the first is made. Edits that reach beyond `text[start:end]` are left out.
    """
    end = len(text) if end is None else end
    parts: list[str] = []
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if edit.start >= start and edit.end <= end:
            parts += (text[start : edit.start], edit.text)
            start = edit.end
    return "".join([*parts, text[start:end]])


def merged(spans: Iterable[Span]) -> list[Span]:
    """Return spans sorted, with those that overlap joined."""
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and span.start < merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        else:
            merged.append(span)
    return merged
