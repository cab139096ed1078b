"""The contents of an awesome list, as its guidelines want it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shelfread.checks.contents.item_style import Writer
from shelfread.checks.contents.model import Contents, contents_of, fold
from shelfread.core.diagnostics import Applicability, RawDiagnostic
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.index.context import RuleContext

TITLES = frozenset({"contents", "content", "tableofcontents", "tableofcontent", "toc"})
_NO_ITEMS = lazy(
    r"\W*(?:contribut(?:e|ing|ions?)(?: guide(?:lines)?)?|how to contribute|footnotes|licen[cs]e)\W*",
    re.IGNORECASE,
)
_DEEPEST = 2


def form(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """A contents that is not the first section, not one list, too deep, or lists what is no part of the list."""
    contents = contents_of(document, context)
    if contents is None:
        return
    headings = contents.headings
    at = next((at for at, heading in enumerate(headings) if fold(heading.title) in TITLES), None)
    if at is None:
        return
    before = next((one for one in headings[1:at] if one.level <= headings[at].level), None)
    if before is not None:
        yield RawDiagnostic(
            headings[at].span, {"finding": f"the contents stands behind the section '{before.title}'"}
        )
    yield from _items(document, contents, headings[at].span.end)


def _items(document: Document, contents: Contents, start: int) -> Iterator[RawDiagnostic]:
    parts = [part for part in contents.parts if part.block.start > start]
    if len(parts) > 1 and parts[1].block.kind == "list":
        yield RawDiagnostic(parts[1].items[0].link.text, {"finding": "the contents is more than one list"})
    writer = Writer(document.source, contents)
    for part in parts:
        depths: list[int] = []
        for item in part.items:
            depths.append(depths[item.parent] + 1 if item.parent >= 0 else 1)
            if _NO_ITEMS.fullmatch(item.text):
                finding = f"'{item.text}' is no part of the list that its contents has to name"
                edits = () if part.generator else writer.removed(item)
                yield RawDiagnostic(item.link.text, {"finding": finding}, edits, Applicability.UNSAFE)
        deep = next((at for at, depth in enumerate(depths) if depth > _DEEPEST), None)
        if deep is not None:
            finding = f"the contents is more than {_DEEPEST} levels deep"
            yield RawDiagnostic(part.items[deep].link.text, {"finding": finding})
