"""Diagnostics and fixes: spans, edits, applicability.

Offsets count code points of the decoded text, without BOM and with its newlines, from 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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

    MARKUP = "markup"
    """Only punctuation and whitespace: no word and no link destination."""
    WORDS = "words"
    """The words `before` become `after`."""
    DESTINATION = "destination"
    """A link's destination `before` becomes `after`."""
    STRUCTURE = "structure"
    """Text becomes the block or the link that it was meant to be."""
    MOVED = "moved"
    """A block moves, unchanged."""
    REMOVED = "removed"
    """The text `before` is removed."""
    INSERTED = "inserted"
    """The text `after` is inserted, or takes the place of `before`, which it contains."""


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
        """Return the edit that removes `text[start:end]`."""
        return cls(start, end, "", Effect(Change.REMOVED, text[start:end]))

    @classmethod
    def reduce(cls, span: Span, before: str, after: str = "") -> Edit:
        """Return the edit that removes a text but for a part of it; the span may have blanks around the text."""
        return cls(*span, after, Effect(Change.REMOVED, before, after))

    @classmethod
    def extend(cls, span: Span, before: str, after: str) -> Edit:
        """Return the edit that inserts something around a text."""
        return cls(*span, after, Effect(Change.INSERTED, before, after))

    @classmethod
    def insert(cls, offset: int, text: str) -> Edit:
        """Return the edit that inserts a text."""
        return cls(offset, offset, text, Effect(Change.INSERTED, "", text))


class Fix(NamedTuple):
    """Edits that are applied together, or not at all."""

    edits: tuple[Edit, ...]
    applicability: Applicability


class RawDiagnostic(NamedTuple):
    """What a check yields: a span, and the values for the message of the rule's page.

    `severity`, `applicability` and `precedence` can lower those of the page for this diagnostic. Without `edits` there
    is no fix.
    """

    span: Span
    values: Mapping[str, object] = MappingProxyType({})
    edits: tuple[Edit, ...] = ()
    applicability: Applicability = Applicability.SAFE
    severity: Severity = Severity.ERROR
    message: str = ""
    """Which of the page's messages, for a page with several."""
    precedence: int | None = None
    """That of the page if None."""


RawDiagnostics: TypeAlias = Iterator[RawDiagnostic]


class Diagnostic(NamedTuple):
    """A finding: a rule, a span of a file, a message and perhaps a fix."""

    rule: str
    severity: Severity
    message: str
    path: str
    span: Span
    fix: Fix | None = None
    precedence: int = 0
    """Of several diagnostics at the same place the one with the highest precedence is reported."""
