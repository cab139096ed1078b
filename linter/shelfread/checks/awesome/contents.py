"""The table of contents of an awesome list, in the form that the guidelines ask for."""

from __future__ import annotations

from shelfread.core.diagnostics import Applicability, RawDiagnostic, RawDiagnostics
from shelfread.core.patterns import lazy
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.index.table_of_contents import Contents, contents_of, fold

_TITLES = frozenset({"contents", "content", "tableofcontents", "tableofcontent", "toc"})
_NOT_LISTED = lazy(
    r"(?i)\W*(?:contribut(?:e|ing|ions?)(?: guide(?:lines)?)?|how to contribute|footnotes|licen[cs]e)\W*"
)
_MAX_LEVELS = 2


def contents(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report a table of contents that is not the first section, not one list, too deep, or lists other sections."""
    found = contents_of(document, context)
    if found is None:
        return
    headings = found.headings
    index = next((index for index, heading in enumerate(headings) if fold(heading.title) in _TITLES), None)
    if index is None:
        return
    heading = headings[index]
    before = next((other for other in headings[1:index] if other.level <= heading.level), None)
    if before is not None:
        yield RawDiagnostic(heading.span, {"section": before.title}, message="position")
    yield from _items(document, found, heading.span.end)


def _items(document: Document, found: Contents, start: int) -> RawDiagnostics:
    parts = [part for part in found.parts if part.block.start > start]
    if len(parts) > 1 and parts[1].block.kind == "list":
        yield RawDiagnostic(parts[1].items[0].link.text, message="several")
    from shelfread.index.item_style import Writer

    writer = Writer(document.source, found)
    for part in parts:
        depths: list[int] = []
        for item in part.items:
            depths.append(depths[item.parent] + 1 if item.parent >= 0 else 1)
            if _NOT_LISTED.fullmatch(item.text):
                edits = () if part.generator else writer.removed(item)
                values = {"item": item.text}
                yield RawDiagnostic(item.link.text, values, edits, Applicability.UNSAFE, message="item")
        deep = [item for item, depth in zip(part.items, depths, strict=True) if depth > _MAX_LEVELS]
        if deep:
            yield RawDiagnostic(deep[0].link.text, {"levels": _MAX_LEVELS}, message="depth")
