"""Organisations under another name than the taxonomy's."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.core.diagnostics import Change, Edit, Effect, RawDiagnostic
from shelfread.document.model import Document
from shelfread.index.context import RuleContext


def affiliation(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Report organisations under another name than the taxonomy's `prefLabel`."""
    taxonomy, text = context.taxonomy, document.source.text
    if not taxonomy.affiliations:
        return
    for entry in document.entries:
        for field in entry.affiliations:
            known = taxonomy.affiliation(field.value)
            if known is None or field.value == known.label or text[slice(*field.span)] != field.value:
                continue
            effect = Effect(Change.WORDS, field.value, known.label)
            values = {"name": field.value, "label": known.label}
            yield RawDiagnostic(field.span, values, (Edit(*field.span, known.label, effect),))
