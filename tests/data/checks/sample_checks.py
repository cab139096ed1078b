"""Checks for tests of what runs checks; tests/sample.py makes them shelfread.checks.sample."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from shelfread.core.diagnostics import Change, Edit, Effect, RawDiagnostic, Severity, Span
from shelfread.document.model import Document
from shelfread.index.context import RuleContext


def words(
    document: Document,
    context: RuleContext,
    *,
    bad: str,
    good: str | None = None,
    when: Literal["always", "never"] = "always",
    also: tuple[str, ...] = (),
    names: Mapping[str, str] | None = None,
    limit: int = 1000,
    mild: bool = False,
    doubtful: bool = False,
) -> Iterator[RawDiagnostic]:
    """Every place of a word, which becomes another."""
    if when == "never":
        return
    for word in (bad, *also):
        at = document.source.text.find(word)
        while at >= 0 and limit:
            limit -= 1
            span = Span(at, at + len(word))
            edits = () if good is None else (Edit(*span, good, Effect(Change.WORDS, word, good)),)
            yield RawDiagnostic(
                span,
                {"word": word, "place": Trap()},
                edits,
                not doubtful,
                Severity.INFO if mild else Severity.ERROR,
            )
            at = document.source.text.find(word, at + 1)


class Trap:
    """A value with an attribute that no page may reach."""

    secret = "hunter2"

    def __str__(self) -> str:
        return "a place"


def _hidden(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    yield from ()


def helper(text: str) -> str:
    return text
