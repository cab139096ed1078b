"""Forms that a section, a list or a long row of entries has throughout, although the others have another one."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Protocol, TypeAlias

from shelfread.core.diagnostics import Applicability, RawDiagnostic, Severity, Span
from shelfread.document.model import Document
from shelfread.index.conventions.conventions import When

_LEAST = 3
"""As many cases with the same form, and none with the usual one, are the style of their section or list."""
_LEAST_RUN = 8
_MOST_USUAL = 20
"""So many cases in a row with the same form are a style too, unless the usual form is this many times as frequent."""

_Place: TypeAlias = tuple[str, int | None, str]
"""A section or a top-level block, its index, and a question."""


class Located(Protocol):
    """An entry, or a part of one."""

    @property
    def section(self) -> int | None: ...

    @property
    def span(self) -> Span: ...


Case: TypeAlias = tuple[Located, str, str]
"""Where a case is, a question and a form."""


class LocalStyles:
    """How often each form answers a question in each section, and in each top-level block."""

    def __init__(self, document: Document, cases: Iterable[Case]) -> None:
        """`cases` are those of the document in order; they are read when they are first needed."""
        self._given = cases
        self._starts = [block.start for block in document.tree.blocks]

    @cached_property
    def _cases(self) -> Sequence[Case]:
        return tuple(self._given)

    @cached_property
    def _counts(self) -> Mapping[tuple[_Place, str], int]:
        return Counter(
            (place, form)
            for located, question, form in self._cases
            for place in self._places(located, question)
        )

    @cached_property
    def _totals(self) -> Mapping[tuple[str, str], int]:
        return Counter((question, form) for _, question, form in self._cases)

    @cached_property
    def _rows(self) -> Mapping[tuple[str, int], Sequence[str]]:
        """For each question and start of a case, the forms of the cases in a row that have the same form."""
        rows: dict[tuple[str, int], Sequence[str]] = {}
        latest: dict[str, list[str]] = {}
        for located, question, form in self._cases:
            row = latest.get(question)
            if row is None or row[-1] != form:
                row = latest[question] = []
            row.append(form)
            rows[question, located.span.start] = row
        return rows

    def has(self, located: Located, question: str, form: str, usual: str) -> bool:
        """Return whether the section, list or row around a case has its form, and never, or seldom, the usual one."""
        counts = self._counts
        if any(
            counts[place, form] >= _LEAST and not counts[place, usual]
            for place in self._places(located, question)
        ):
            return True
        row = len(self._rows.get((question, located.span.start), ()))
        return row >= _LEAST_RUN and row * _MOST_USUAL >= self._totals[question, usual]

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
