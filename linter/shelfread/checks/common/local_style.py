"""Forms that a section, a list or a long row of entries has throughout, although the others have another one."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Protocol, TypeAlias

from shelfread.core.diagnostics import Applicability, RawDiagnostic, Severity, Span
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
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
Rows: TypeAlias = Mapping[str, Sequence[tuple[str, int]]]
"""For each question the forms of its cases in order: each form with the number of cases in a row that have it."""


class LocalStyles:
    """How often each form answers a question in each section, and in each top-level block; counted when asked."""

    def __init__(
        self,
        document: Document,
        context: RuleContext,
        find: Callable[..., Iterable[Case]],
        *args: object,
    ) -> None:
        """`find` returns the cases of a document, or of one section of it, with these further arguments."""
        self._document, self._context, self._find, self._args = document, context, find, args
        self._starts = [block.start for block in document.tree.blocks]

    @cached_property
    def _cases(self) -> tuple[Case, ...]:
        return tuple(self._find(self._document, *self._args))

    @cached_property
    def _counts(self) -> Mapping[tuple[_Place, str], int]:
        return Counter(
            (place, form)
            for located, question, form in self._cases
            for place in self._places(located, question)
        )

    @cached_property
    def _row_of(self) -> Mapping[tuple[str, int], int]:
        """For each question and start of a case, the index of its row."""
        rows: dict[tuple[str, int], int] = {}
        latest: dict[str, tuple[str, int]] = {}
        for located, question, form in self._cases:
            before, index = latest.get(question, ("", -1))
            if before != form or index < 0:
                index += 1
                latest[question] = form, index
            rows[question, located.span.start] = index
        return rows

    @cached_property
    def _rows(self) -> Rows:
        return _find_rows(self._document, self._find, *self._args)

    def has(self, located: Located, question: str, form: str, usual: str) -> bool:
        """Return whether the section or the list around it has this form, and never the usual one."""
        self._context.need_sections(self._document)
        counts = self._counts
        if any(
            counts[place, form] >= _LEAST and not counts[place, usual]
            for place in self._places(located, question)
        ):
            return True
        row = self._length((question, located.span.start))
        if row < _LEAST_RUN:
            return False
        total = self._context.summary(_count, sum, self._document, question, usual, self._find, *self._args)
        return row * _MOST_USUAL >= total

    def _length(self, case: tuple[str, int]) -> int:
        """Return the number of cases in the row of a case, with those in the sections before and after."""
        index = self._row_of.get(case)
        if index is None:
            return 0
        question = case[0]
        rows = self._rows[question]
        form, length = rows[index]
        if 0 < index < len(rows) - 1:
            return length
        sections, own = self._context.sections(_find_rows, self._document, self._find, *self._args)
        if index == 0:
            length += _continued((section.get(question, ())[::-1] for section in sections[:own][::-1]), form)
        if index == len(rows) - 1:
            length += _continued((section.get(question, ()) for section in sections[own + 1 :]), form)
        return length

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


def _find_rows(document: Document, find: Callable[..., Iterable[Case]], *args: object) -> Rows:
    rows: dict[str, list[tuple[str, int]]] = {}
    for _, question, form in find(document, *args):
        row = rows.setdefault(question, [])
        if row and row[-1][0] == form:
            row[-1] = form, row[-1][1] + 1
        else:
            row.append((form, 1))
    return rows


def _count(
    document: Document, question: str, form: str, find: Callable[..., Iterable[Case]], *args: object
) -> int:
    return sum(1 for case in find(document, *args) if case[1:] == (question, form))


def _continued(sections: Iterable[Sequence[tuple[str, int]]], form: str) -> int:
    """Return how many cases at the beginning of sections, one after the other, have a form."""
    length = 0
    for rows in sections:
        if rows and rows[0][0] != form:
            break
        length += rows[0][1] if rows else 0
        if len(rows) > 1:
            break
    return length
