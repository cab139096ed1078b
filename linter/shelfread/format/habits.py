"""Learn what a text does throughout: a habit is what nine of ten cases have.

A section that differs from the rest of its text, and has a habit of its own, keeps it. The sections below it belong
to it, unless what stands above them has another habit.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable
from typing import Generic, TypeAlias, TypeVar

MIN_CASES = 10  # fewer cases are no habit of a section; of fewer, one may differ from three others
FEWEST = 3  # fewer cases show no habit that would differ from the canonical form

Section: TypeAlias = tuple[int, ...]  # a section, behind those that hold it; each is known by a number

Question = TypeVar("Question", bound=Hashable)
Form = TypeVar("Form", bound=Hashable)


class Habits(Generic[Question, Form]):
    """The forms that the cases of several questions have, in a text and in each of its sections."""

    def __init__(self) -> None:
        self._text: defaultdict[Question, Counter[Form]] = defaultdict(Counter)
        self._sections: defaultdict[tuple[Question, int], Counter[Form]] = defaultdict(Counter)

    def add(self, question: Question, section: Section, form: Form) -> None:
        """Count a case."""
        self._text[question][form] += 1
        for outer in section:
            self._sections[question, outer][form] += 1
        for last in section[-1:]:  # what a section has itself, above the sections below it
            self._sections[question, ~last][form] += 1

    def count(self, question: Question) -> int:
        """Return how many cases of a question the text has."""
        return self._text[question].total() if question in self._text else 0

    def has(self, question: Question, form: Form) -> bool:
        return question in self._text and self._text[question][form] > 0

    def is_rare(self, question: Question, form: Form) -> bool:
        """Return whether a text has another form of a question more often than this one, of a few cases or more."""
        forms = self._text.get(question)
        return forms is not None and forms.total() >= FEWEST and max(forms.values()) > forms[form]

    def usual(self, question: Question, section: Section, fewest: int = MIN_CASES) -> Form | None:
        """Return the habit of a section with enough cases, else of the next one that holds it, or of the text, or None."""
        for last in (~section[-1], section[-1]) if section else ():
            if (form := self._own_habit(question, last, fewest)) is not None:
                return form
        usual = find_habit(self._text[question]) if question in self._text else None
        if usual is None:
            return None  # nothing is brought in line, so that nothing has to be kept
        habits = (self._own_habit(question, outer) for outer in reversed(section[:-1]))
        return next((form for form in habits if form is not None), usual)

    def _own_habit(self, question: Question, section: int, fewest: int = MIN_CASES) -> Form | None:
        own = self._sections.get((question, section))
        return None if own is None or own.total() < fewest else find_habit(own)

    def usual_or(
        self, canonical: Form, question: Question, section: Section, fewest: int = FEWEST
    ) -> Form | None:
        """Return the habit, or the canonical form if cases are few, or the text has no other one more often; else None."""
        if self.count(question) < fewest:
            return canonical
        form = self.usual(question, section)
        if form is not None:
            return form
        forms = self._text[question]
        return canonical if forms[canonical] >= max(forms.values()) else None


def find_habit(forms: Counter[Form]) -> Form | None:
    """Return the form of nine of ten cases; of four to nine, of all but one. None if there is no such form."""
    if not forms:
        return None
    form, cases = forms.most_common(1)[0]
    total = forms.total()
    others = total - cases
    return form if others * MIN_CASES <= total or (others == 1 and total >= 4) else None
