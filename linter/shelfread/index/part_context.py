"""What a check receives that reads a file section by section."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Concatenate, ParamSpec, TypeAlias, TypeVar

from shelfread.core.inquiry import question
from shelfread.document.model import Document
from shelfread.document.parts import Part
from shelfread.index.context import LEARNERS, RuleContext
from shelfread.index.conventions.conventions import Convention, Question, Topic, When, later, learn
from shelfread.index.facts import Facts

P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R")

Summaries: TypeAlias = dict[tuple[Any, ...], Any]
"""Of sections: by the functions and arguments that make them."""


class NeedsFileError(Exception):
    """A check cannot tell its findings in a section from that and what it asks."""


@dataclass(frozen=True, eq=False)
class PartContext(RuleContext):
    """The context of a check of one part of a file."""

    parts: Sequence[Part] = ()
    """All parts of the file."""
    index: int = 0
    """That of the part that the check reads."""
    known: Summaries = field(default_factory=dict)
    """The summaries of the file that were made before, for whatever part."""
    asked: set[tuple[Any, ...]] = field(default_factory=set)
    """The summaries that the check asked for."""

    _tables_of_check: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    def begin_check(self) -> None:
        """Forget what the last check asked, and the tables for which it asked."""
        self.asked.clear()
        self._tables_of_check.clear()

    def table(
        self,
        make: Callable[Concatenate[Document, P], T],
        document: Document,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        assert not kwargs, "tables are known by the order of their arguments"
        key = (make, args)
        if self not in args:
            return made_of(self.parts[self.index], make, args)
        if key not in self._tables_of_check:
            self._tables_of_check[key] = make(document, *args, **kwargs)
        table: T = self._tables_of_check[key]
        return table

    def need_file(self) -> None:
        raise NeedsFileError

    def need_sections(self, document: Document) -> None:
        if self.summary(_has_outer_entries, _are_split, document):
            raise NeedsFileError

    def own_facts(self, document: Document) -> Facts | None:
        raise NeedsFileError

    def departs(self, document: Document, question: Question, *forms: str) -> bool:
        return _departs(self, document.source.path or "", question, forms)

    def departures(
        self,
        document: Document,
        topic: Topic,
        when: When,
        learn: Callable[[Counter[str], When], Convention | None] = learn,
    ) -> dict[str, Convention]:
        asked = document.source.path or "", topic, when, LEARNERS.index(learn)
        return {
            subject: later(
                form, partial(_is_strict, self, *asked, subject), partial(_learned, self, *asked, subject)
            )
            for subject, form in _departing_forms(self, *asked).items()
        }

    def summary(
        self,
        make: Callable[Concatenate[Document, P], T],
        merge: Callable[[Sequence[T]], R],
        document: Document,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> R:
        assert not kwargs, "summaries are known by the order of their arguments"
        key = (make, merge, args)
        self.asked.add(key)
        if key not in self.known:
            self.known[key] = summarise(self.parts, *key)
        found: R = self.known[key]
        return found

    def sections(
        self,
        make: Callable[Concatenate[Document, P], T],
        document: Document,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> tuple[Sequence[T], int]:
        # As long as the number of parts is the same, so is the index of each that is not changed.
        self.summary(_one, sum, document)
        return self.summary(make, list, document, *args, **kwargs), self.index


def _one(document: Document) -> int:
    return 1


def _has_outer_entries(document: Document) -> bool:
    """Return whether an entry belongs to a section that begins in another part, or to none."""
    sections = document.sections
    return any(entry.section is None or sections[entry.section].is_outer for entry in document.entries)


def _are_split(parts: Sequence[bool]) -> bool:
    """Return whether a section goes on in another part, as behind a heading that is an entry."""
    return any(parts[1:])


def summarise(
    parts: Sequence[Part], make: Callable[..., T], merge: Callable[[Sequence[T]], R], args: tuple[Any, ...]
) -> R:
    """Return what the parts of a file amount to; what is made of each part is kept with it."""
    return merge([made_of(part, make, args) for part in parts])


def made_of(part: Part, make: Callable[..., T], args: tuple[Any, ...]) -> T:
    """Return what a function makes of a part, which is kept with it."""
    key = (make, args)
    if key not in part.memo:
        part.memo[key] = make(part.document, *args)
    found: T = part.memo[key]
    return found


@question
def _departing_forms(
    context: RuleContext, path: str, topic: Topic, when: When, learner: int
) -> dict[str, str]:
    found = context._departures(path, topic, when, learner)
    return {subject: convention.form for subject, convention in found.items()}


@question
def _learned(
    context: RuleContext, path: str, topic: Topic, when: When, learner: int, subject: str
) -> Convention:
    return context._departures(path, topic, when, learner)[subject]


@question
def _is_strict(context: RuleContext, path: str, topic: Topic, when: When, learner: int, subject: str) -> bool:
    return context._departures(path, topic, when, learner)[subject].is_strict


@question
def _departs(context: RuleContext, path: str, question: Question, forms: tuple[str, ...]) -> bool:
    facts = context.project.facts.get(path)
    return facts is None or not facts.forms(question).issubset(forms)
