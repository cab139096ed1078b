"""Concepts of the taxonomy that no section names."""

from __future__ import annotations

from shelfread.core.diagnostics import RawDiagnostic, RawDiagnostics, Span
from shelfread.core.support.resources import SCHEMA
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
    for concept in taxonomy.concepts.values():
        if concept.id not in used:
            path, line, _ = taxonomy.location(concept.id)
            if path is not None and not path.startswith(SCHEMA.as_posix()):
                yield RawDiagnostic(Span(0, 0), {"label": concept.label, "where": f"{path}:{line}"})
