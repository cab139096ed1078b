"""Forms that a section, a list or a long row of entries has throughout, although the others have another one."""

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


class LocalStyles:
    """How often each form answers a question in each section, and in each top-level block; counted when asked."""

    def __init__(self, document: Document, cases: Iterable[tuple[Located, str, str]]) -> None:
        """A case is where it is, a question and a form."""
        self._given = cases
        self._starts = [block.start for block in document.tree.blocks]

    @cached_property
    def _cases(self) -> tuple[tuple[Located, str, str], ...]:
        return tuple(self._given)

    @cached_property
    def _counts(self) -> Mapping[tuple[_Place, str], int]:
        return Counter(
            (place, form)
            for located, question, form in self._cases
            for place in self._places(located, question)
        )

    @cached_property
    def _totals(self) -> Counter[tuple[str, str]]:
        return Counter((question, form) for _, question, form in self._cases)

    @cached_property
    def _runs(self) -> Mapping[tuple[str, int], list[int]]:
        """For each question and start of a case, the starts of all cases in its row of cases with the same form."""
        runs: dict[tuple[str, int], list[int]] = {}
        latest: dict[str, tuple[str, list[int]]] = {}
        for located, question, form in self._cases:
            before, starts = latest.get(question, ("", []))
            if before != form:
                starts = []
                latest[question] = form, starts
            starts.append(located.span.start)
            runs[question, located.span.start] = starts
        return runs

    def has(self, located: Located, question: str, form: str, usual: str) -> bool:
        """Return whether the section or the list around it has this form, and never the usual one."""
        counts = self._counts
        if any(
            counts[place, form] >= _LEAST and not counts[place, usual]
            for place in self._places(located, question)
        ):
            return True
        row = len(self._runs.get((question, located.span.start), ()))
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
