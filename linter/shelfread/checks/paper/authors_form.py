"""Authors that are joined, or cut short, in another way than the list's."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from shelfread.checks.common.styles import LocalStyles
from shelfread.core.diagnostics import Applicability, Edit, RawDiagnostic, RawDiagnostics, Severity
from shelfread.document.model import Document, Entry
from shelfread.index.context import RuleContext
from shelfread.index.conventions import Convention, When
from shelfread.index.paper_style import AUTHORS, AuthorForm, delimiters_within, find_author_forms

_JOINTS = {",", "and", ", and", "&", ", &"}
_LAST = ("before the last author", "between two authors")
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
    questions = frozenset(usual)
    cases = (
        (entry, credit.question, credit.form)
        for entry, credits in _credited(document, questions)
        for credit in credits
    )
    styles = LocalStyles(document, cases)
    for entry, credits in _credited(document, questions):
        found: list[RawDiagnostic] = []
        edits: list[Edit] = []
        for credit in credits:
            convention = usual[credit.question]
            form = convention.form
            if credit.form in (form, f"{form}."):
                continue  # the full stop may be that of the sentence
            if not styles.has(entry, credit.question, credit.form, form, when):
                joints = delimiters_within(entry.authors, credit.span)
                edits += (Edit.reword(span, text[slice(*span)], form) for span in joints)
                if when != "learned" or not _is_as_good(credit, form):
                    found.append(_difference(credit, convention, when == "always"))
        if found:  # one list of authors is fixed whole or not at all
            yield max(found, key=lambda raw: raw.severity)._replace(edits=tuple(edits))


def _credited(document: Document, questions: Collection[str]) -> Iterator[tuple[Entry, list[AuthorForm]]]:
    """Yield the entries with authors, and the forms in which they answer some questions."""
    for entry in document.entries:
        if entry.authors and entry.block.kind != "heading":
            found = find_author_forms(entry, document.source.text)
            yield entry, [credit for credit in found if credit.question in questions]


def _is_as_good(credit: AuthorForm, usual: str) -> bool:
    """Return whether a form is as good English as the usual one, or is shown as it, as two spaces are.

    `Lee, Ray, and Fox` and `Lee, Ray and Fox` are both good, and so are `Lee et al.` and `Lee, et al.`
    """
    found, right = credit.form.strip(), usual.strip()
    is_joint = credit.question in _LAST and {found, right} <= _JOINTS
    return (is_joint or found.lstrip(", ") == right.lstrip(", ")) if found != right else "  " in credit.form


def _difference(credit: AuthorForm, convention: Convention, always: bool) -> RawDiagnostic:
    found, right = credit.form.strip(), convention.form.strip()
    values = {"found": found, "usual": right, "count": convention.cases, "total": convention.total}
    message = _MESSAGES[credit.question] if found != right else "spaces"
    severity = Severity.WARNING if always or convention.is_strict else Severity.INFO
    return RawDiagnostic(credit.span, values, (), Applicability.UNSAFE, severity, message)
