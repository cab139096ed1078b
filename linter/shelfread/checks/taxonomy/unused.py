"""Concepts of the taxonomy that no section names."""

from __future__ import annotations

from shelfread.core.diagnostics import RawDiagnostic, RawDiagnostics, Span
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.index.conventions.conventions import Question
from shelfread.index.conventions.observations import SECTION

_MOST = 100
"""The most concepts that are named. A list of a part of a large taxonomy's subjects lacks thousands."""


def _is_first(context: RuleContext, path: str) -> bool:
    return path == min(context.project.facts)


def _section_titles(context: RuleContext) -> list[str]:
    return list(context.conventions.forms(Question(SECTION)))


def unused(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report concepts of the list's own taxonomy that no section of the project names, in the project's first file."""
    taxonomy = context.taxonomy
    if not taxonomy.concepts or not _is_first(context, document.source.path or ""):
        return
    found = [taxonomy.resolve(title) for title in _section_titles(context)]
    used = {label.concept for each in found for label in (*each.subjects, *each.qualifiers)}
    used |= {broader for id in used for broader in taxonomy.ancestors(id)}
    left = [id for id in taxonomy.concepts if id in taxonomy.own_concepts and id not in used]
    for id in left[:_MOST]:
        path, line, _ = taxonomy.location(id)
        values = {"label": taxonomy.concepts[id].label, "where": f"{path}:{line}"}
        yield RawDiagnostic(Span(0, 0), values, message="unused")
    if len(left) > _MOST:
        yield RawDiagnostic(Span(0, 0), {"count": f"{len(left) - _MOST:,}"}, message="more")
