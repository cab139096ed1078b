"""The list that readers open first, and its title."""

from __future__ import annotations

from shelfread.core.diagnostics import Span
from shelfread.document.model import Document
from shelfread.index.context import RuleContext


def is_front(document: Document, context: RuleContext) -> bool:
    """Return whether a file is the topmost readme with entries, or, without such a readme, has entries at all."""
    path = document.source.path
    return path is None or _is_front(context, path, bool(document.entries))


def _is_front(context: RuleContext, path: str, has_entries: bool) -> bool:
    facts = context.project.facts
    if len(facts) <= 1:
        return True
    names = (name for name in facts if name.rpartition("/")[2].lower().startswith("readme"))
    readmes = [name for name in names if facts[name].entries]
    if not readmes:
        return has_entries
    return path in readmes and path.count("/") == min(name.count("/") for name in readmes)


def title_span(document: Document) -> Span:
    """Return where a finding about the whole list is reported: at its first heading, else at its start."""
    for block in document.tree.blocks:
        if block.kind == "heading" and block.inlines:
            return Span(block.inlines[0].start, block.inlines[-1].end)
    return Span(0, 0)
