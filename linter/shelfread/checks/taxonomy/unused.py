"""Concepts of the taxonomy that no section names."""

from __future__ import annotations

from shelfread.core.diagnostics import RawDiagnostic, RawDiagnostics, Span
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.index.conventions.observations import SECTION
from shelfread.index.conventions.question import Question


def unused(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report concepts of the list's own taxonomy that no section of the project names, in the project's first file."""
    taxonomy = context.taxonomy
    if not taxonomy.concepts or (document.source.path or "") != min(context.project.facts):
        return
    found = [taxonomy.resolve(title) for title in context.conventions.forms(Question(SECTION))]
    used = {label.concept for each in found for label in (*each.subjects, *each.qualifiers)}
    used |= {broader for id in used for broader in taxonomy.ancestors(id)}
    for id in taxonomy.concepts:
        if id in taxonomy.own_concepts and id not in used:
            path, line, _ = taxonomy.location(id)
            yield RawDiagnostic(Span(0, 0), {"label": taxonomy.concepts[id].label, "where": f"{path}:{line}"})
