"""The number of entries in a section."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from shelfread.core.diagnostics import RawDiagnostic
from shelfread.document.model import Document
from shelfread.index.context import RuleContext


def size(
    document: Document, context: RuleContext, *, least: int = 2, most: int = 100
) -> Iterator[RawDiagnostic]:
    """Yield sections with fewer entries than `least`, subsections included, or with more of their own than `most`."""
    own = Counter(entry.section for entry in document.entries)
    total = Counter(own)
    for index in range(len(document.sections) - 1, -1, -1):
        total[document.sections[index].parent] += total[index]
    for index, section in enumerate(document.sections):
        if section.kind not in ("heading", "html") or not total[index]:
            continue
        if total[index] < least:
            values = {"title": section.title, "count": total[index], "least": least}
            yield RawDiagnostic(section.span, values, message="few")
        elif 0 < most < own[index]:
            values = {"title": section.title, "count": own[index], "most": most}
            yield RawDiagnostic(section.span, values, message="many")
