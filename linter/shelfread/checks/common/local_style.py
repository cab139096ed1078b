"""Forms that a section or a list of a document has throughout, although the others have another one."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Protocol, TypeAlias

from shelfread.core.diagnostics import Applicability, RawDiagnostic, Severity, Span
from shelfread.document.model import Document
from shelfread.index.conventions.majority import When

_LEAST = 3
"""As many cases with the same form, and none with the usual one, are the style of their section or list."""


_Place: TypeAlias = tuple[str, int | None, str]
"""A section or a top-level block, its index, and a question."""


class Located(Protocol):
    """An entry, or a part of one."""

    @property
    def section(self) -> int | None: ...

    @property
    def span(self) -> Span: ...


class LocalStyles:
    """How often each form answers a question in each section, and in each top-level block; counted when asked."""

    def __init__(self, document: Document, cases: Iterable[tuple[Located, str, str]]) -> None:
        """A case is where it is, a question and a form."""
        self._cases = cases
        self._starts = [block.start for block in document.tree.blocks]

    @cached_property
    def _counts(self) -> Mapping[tuple[_Place, str], int]:
        return Counter(
            (place, form)
            for located, question, form in self._cases
            for place in self._places(located, question)
        )

    def has(self, located: Located, question: str, form: str, usual: str) -> bool:
        """Return whether the section or the list around it has this form, and never the usual one."""
        counts = self._counts
        return any(
            counts[place, form] >= _LEAST and not counts[place, usual]
            for place in self._places(located, question)
        )

    def lower(
        self, raw: RawDiagnostic, located: Located, question: str, form: str, usual: str, when: When
    ) -> RawDiagnostic:
        """Return a diagnostic of a form; if its section or list has the form, not the usual one, for information."""
        if when != "learned" or not self.has(located, question, form, usual):
            return raw
        return raw._replace(severity=Severity.INFO, applicability=Applicability.UNSAFE)

    def _places(self, located: Located, question: str) -> tuple[_Place, _Place]:
        block = bisect_right(self._starts, located.span.start) - 1
        return ("section", located.section, question), ("block", block, question)
