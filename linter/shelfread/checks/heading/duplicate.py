"""Sibling sections with the same name."""

from __future__ import annotations

from shelfread.core.diagnostics import RawDiagnostic, RawDiagnostics
from shelfread.document.model import Document, Section
from shelfread.index.context import RuleContext

_MANY = 3
"""If more names than these are repeated, and a quarter of all headings, the list repeats them by design."""


def duplicate(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield sections with the name of an earlier one below the same heading."""
    first: dict[tuple[int | None, str], Section] = {}
    found: list[tuple[Section, Section]] = []
    named = 0
    for section in document.sections:
        name = " ".join(section.title.casefold().split())
        if section.kind not in ("heading", "html") or not name:
            continue
        named += 1
        other = first.setdefault((section.parent, name), section)
        if other is not section:
            found.append((section, other))
    if len(found) > _MANY and len(found) * 4 > named:
        return
    changed = context.base.changed_lines.get(document.source.path or "", ()) if context.base else ()
    for section, other in found:
        if (
            max(section.line, other.line) <= len(changed)
            and changed[other.line - 1] > changed[section.line - 1]
        ):
            section, other = other, section  # the new one is to blame, although it comes first
        yield RawDiagnostic(section.span, {"title": section.title, "line": other.line})
