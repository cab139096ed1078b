"""The form that the entries of a list are expected to have, in the whole list or in their part of it."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable
from functools import cached_property, lru_cache
from typing import TypeAlias

from shelfread.document.model import Document, Entry
from shelfread.index.context import RuleContext
from shelfread.index.conventions import LEAST_CASES, Convention, Question, When, learn
from shelfread.index.facts import Facts
from shelfread.index.line_style import SpeltLabel

_FEW = 3
# As many cases with the same form, and none with the usual one, are the style of their section or list.
_LEAST = 3
_LEAST_RUN = 8
# So many cases in a row with the same form are a style too, unless the usual form is this many times as
# frequent.
_MOST_USUAL = 20

_Place: TypeAlias = tuple[str, int | None, str]  # a section or a top-level block, its index, and a question
_Rows: TypeAlias = dict[tuple[str, int], list[str]]  # by a question and the start of a case


def expected_style(
    document: Document, context: RuleContext, question: Question, awesome: Collection[str], when: When
) -> Convention | None:
    """Return the form that most entries of the project have, or one of the forms that awesome lists use.

    An awesome form is expected where two of three entries have it and there are too few entries to learn from, or
    with `always`. None if nothing is expected, as in a
    file that mostly has another form than the project; a file with a clear form of its own is held to that. None too
    if no entry of the file departs from it.
    """
    files, path = context.project.facts, document.source.path or ""
    facts = files.get(path)
    style = _expected(context.conventions.forms(question), awesome, when)
    if facts is not None and when == "learned" and len(files) > 1:
        style = _style_of_file(style, facts, question, awesome)
    return style if style is not None and context.departs(path, question, style.form) else None


def _style_of_file(
    style: Convention | None, facts: Facts, question: Question, awesome: Collection[str]
) -> Convention | None:
    forms = Counter({form: facts.observations[question, form] for form in sorted(facts.forms(question))})
    if style is None:
        return _expected(forms, awesome, "learned") if forms.total() >= LEAST_CASES else None
    mostly_another = forms.total() >= _FEW and forms[style.form] * 2 < forms.total()
    return None if mostly_another else style


def _expected(forms: Counter[str], awesome: Collection[str], when: When) -> Convention | None:
    own = learn(forms) if when == "learned" else None
    if own is not None:
        return own
    usual = max(awesome, key=lambda form: forms[form])
    convention = Convention(usual, forms[usual], forms.total())
    if when == "always":
        return convention
    if when == "never" or not _FEW <= convention.total < LEAST_CASES:
        return None
    most = convention.cases * 3 >= convention.total * 2
    return convention if most else None


@lru_cache(maxsize=1)
def has_copied_descriptions(document: Document) -> bool:
    """Return whether nine of ten entries are called `owner/name`: their descriptions are GitHub's, each in its own style."""
    classic = [entry for entry in document.entries if entry.kind == "classic" and entry.links]
    named = sum(
        "/" in entry.title.value
        and entry.links[0].link.url.casefold().rstrip("/").endswith(f".com/{entry.title.value.casefold()}")
        for entry in classic
    )
    return len(classic) >= LEAST_CASES and named * 10 >= len(classic) * 9


Located: TypeAlias = Entry | SpeltLabel
Case: TypeAlias = tuple[Located, str, str]  # where a case is, a question and a form


class LocalStyles:
    """How often each form answers a question in each section, and in each top-level block."""

    def __init__(self, document: Document, cases: Iterable[Case]) -> None:
        """`cases` are those of the document in order; they are read when they are first needed."""
        self._cases = cases
        self._starts = [block.start for block in document.tree.blocks]

    @cached_property
    def _counted(self) -> tuple[Counter[tuple[_Place, str]], Counter[tuple[str, str]], _Rows]:
        """How often a form is in each place and in all, and the forms of the cases in a row that have the same form."""
        counts, totals, rows = Counter[tuple[_Place, str]](), Counter[tuple[str, str]](), _Rows()
        latest: dict[str, list[str]] = {}
        for located, question, form in self._cases:
            totals[question, form] += 1
            counts.update((place, form) for place in self._places(located, question))
            row = latest.get(question)
            if row is None or row[-1] != form:
                row = latest[question] = []
            row.append(form)
            rows[question, located.span.start] = row
        return counts, totals, rows

    def has(self, located: Located, question: str, form: str, usual: str, when: When) -> bool:
        """Return whether what is around a case has its form, and hardly the usual one; with `always` nothing has a style of its own."""
        if when != "learned":
            return False
        counts, totals, rows = self._counted
        if any(
            counts[place, form] >= _LEAST and not counts[place, usual]
            for place in self._places(located, question)
        ):
            return True
        row = len(rows.get((question, located.span.start), ()))
        return row >= _LEAST_RUN and row * _MOST_USUAL >= totals[question, usual]

    def _places(self, located: Located, question: str) -> tuple[_Place, _Place]:
        block = bisect_right(self._starts, located.span.start) - 1
        return ("section", located.section, question), ("block", block, question)
