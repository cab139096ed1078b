"""What a rule says of a place and how it would mend it: spans, edits, fixes, diagnostics.

Offsets are code points of the decoded text (no BOM, newlines as they stand), half open.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, IntEnum
from types import MappingProxyType
from typing import NamedTuple


class Span(NamedTuple):
    """A stretch of one file's text: `text[start:end]`."""

    start: int
    end: int


class Severity(IntEnum):
    """How bad a finding is; greater is worse."""

    INFO = 0
    WARNING = 1
    ERROR = 2

    @property
    def label(self) -> str:
        return self.name.lower()


class Applicability(IntEnum):
    """Whether a fix may be applied alone (ruff's sense); greater is safer."""

    UNSAFE = 0
    SAFE = 1

    @property
    def label(self) -> str:
        return self.name.lower()


class Change(Enum):
    """What an edit means to alter; conservation masks exactly that."""

    MARKUP = "markup"
    """Only marks and blanks: no word, no destination."""
    WORDS = "words"
    """The words `before` become the words `after`."""
    DESTINATION = "destination"
    """A link's destination `before` becomes `after`."""
    STRUCTURE = "structure"
    """A block or a link comes to be what it was meant to be."""
    MOVED = "moved"
    """A block stands elsewhere, whole."""
    REMOVED = "removed"
    """The text `before` goes."""


class Effect(NamedTuple):
    """An edit's declared effect."""

    change: Change
    before: str = ""
    after: str = ""


class Edit(NamedTuple):
    """`text[start:end]` of the file becomes `text`; an empty `path` is the file of the finding."""

    start: int
    end: int
    text: str
    effect: Effect
    path: str = ""


class Fix(NamedTuple):
    """Edits that are applied together or not at all."""

    edits: tuple[Edit, ...]
    applicability: Applicability


class RawDiagnostic(NamedTuple):
    """What a check yields: where, and the values that the page's message names.

    A check may lower the severity and the applicability of its page for this one finding; `edits`
    are there exactly when this place can be mended.
    """

    span: Span
    values: Mapping[str, object] = MappingProxyType({})
    edits: tuple[Edit, ...] = ()
    applicability: Applicability = Applicability.SAFE
    severity: Severity = Severity.ERROR
    message: str = ""
    """Which of the page's messages, for a page with several."""


class Diagnostic(NamedTuple):
    """One finding: a rule, a place in a file, a message and perhaps a fix."""

    rule: str
    severity: Severity
    message: str
    path: str
    span: Span
    fix: Fix | None = None
