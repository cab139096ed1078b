"""Findings in a text of one file."""

from __future__ import annotations

from shelfread.core.diagnostics import Applicability, Change, Diagnostic, Edit, Effect, Fix, Severity, Span
from shelfread.core.source import Source
from shelfread.engine.model import FileResult, RunResult

WORDS = Effect(Change.WORDS, "teh", "the")


def found(source: str, what: str, *edits: Edit, rule: str = "word/the", **changes: object) -> Diagnostic:
    start = source.index(what)
    fields: dict[str, object] = {
        "rule": rule,
        "severity": Severity.WARNING,
        "message": f"{what} is misspelt",
        "path": "list.md",
        "span": Span(start, start + len(what)),
        "fix": Fix(edits, Applicability.SAFE) if edits else None,
    }
    return Diagnostic(**{**fields, **changes})  # type: ignore[arg-type]


def edit(source: str, what: str, new: str, change: Change = Change.WORDS) -> Edit:
    start = source.index(what)
    return Edit(start, start + len(what), new, Effect(change, what, new))


def run(source: str, *diagnostics: Diagnostic, **changes: object) -> RunResult:
    outcome = FileResult("list.md", Source(source, "list.md"), diagnostics, 3, 5, ("core", "papers"))
    return RunResult((outcome._replace(**changes),), ())  # type: ignore[arg-type]
