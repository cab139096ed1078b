"""How authors are written."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.core.diagnostics import Applicability, Change, Edit, Effect, RawDiagnostic, Severity, Span
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.index.conventions.author_style import AUTHORS, delimiters_within, find_author_forms
from shelfread.index.conventions.majority import When


def authors_form(
    document: Document, context: RuleContext, *, when: When = "learned"
) -> Iterator[RawDiagnostic]:
    """Lists of authors that are joined, or cut short, in another way than the list's."""
    usual = context.departures(document, AUTHORS, when)
    if not usual:
        return
    text = document.source.text
    for entry in document.entries:
        if not entry.authors or entry.block.kind == "heading":
            continue
        for credit in find_author_forms(entry, text):
            convention = usual.get(credit.question)
            if convention is None or credit.form == convention.form:
                continue
            found, right = credit.form.strip(), convention.form.strip()
            values = {
                "found": f"'{found}'",
                "usual": "it with other blanks" if found == right else f"'{right}'",
                "where": credit.question.partition(" of ")[0],
                "count": convention.cases,
                "total": convention.total,
            }
            edits = tuple(
                _edit(span, convention.form, text) for span in delimiters_within(entry.authors, credit.span)
            )
            clear = when == "always" or convention.is_strict
            severity = Severity.WARNING if clear else Severity.INFO
            yield RawDiagnostic(credit.span, values, edits, Applicability.UNSAFE, severity)


def _edit(span: Span, right: str, text: str) -> Edit:
    before = text[slice(*span)]
    return Edit(*span, right, Effect(Change.WORDS, before, right))
