"""Authors that are joined, or cut short, in another way than the list's."""

from __future__ import annotations

from shelfread.checks.common.local_style import local_styles
from shelfread.core.diagnostics import Applicability, Edit, RawDiagnostic, RawDiagnostics, Severity
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.index.conventions.author_style import AUTHORS, delimiters_within, find_author_forms
from shelfread.index.conventions.majority import When

_MESSAGES = {
    "between authors": "between",
    "between two authors": "between-two",
    "before the last author": "last",
    "for the others of several": "others",
    "for the others of one": "others",
}


def authors_form(document: Document, context: RuleContext, *, when: When = "learned") -> RawDiagnostics:
    """Report authors that are joined, or cut short, in another way than the list's."""
    usual = context.departures(document, AUTHORS, when)
    if not usual:
        return
    text = document.source.text
    cases = [
        (entry, credit)
        for entry in document.entries
        if entry.authors and entry.block.kind != "heading"
        for credit in find_author_forms(entry, text)
        if credit.question in usual
    ]
    styles = local_styles(document, ((entry, credit.question, credit.form) for entry, credit in cases))
    for entry, credit in cases:
        convention = usual[credit.question]
        if credit.form == convention.form:
            continue
        found, right = credit.form.strip(), convention.form.strip()
        values = {"found": found, "usual": right, "count": convention.cases, "total": convention.total}
        message = _MESSAGES[credit.question] if found != right else "spaces"
        joints = delimiters_within(entry.authors, credit.span)
        edits = tuple(Edit.reword(span, text[slice(*span)], convention.form) for span in joints)
        clear = when == "always" or convention.is_strict
        severity = Severity.WARNING if clear else Severity.INFO
        raw = RawDiagnostic(credit.span, values, edits, Applicability.UNSAFE, severity, message)
        yield styles.lower(raw, entry, credit.question, credit.form, when)
