"""Small projects in which one text has a mark at the cursor."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from shelfread.core.diagnostics import Edit, apply_edits
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.server.open_documents import Positions
from shelfread.server.under_cursor import FileSpan
from shelfread.taxonomy.taxonomy import Taxonomy
from support.project import BARE, LIST, read_project

MARK = "‸"


class Marked(NamedTuple):
    """A project, and the document and offset of the mark."""

    documents: dict[str, Document]
    context: RuleContext
    document: Document
    offset: int

    @property
    def positions(self) -> Positions:
        return Positions(self.document.source)

    def shown(self, places: Iterable[FileSpan]) -> list[str]:
        """Return places as `path:line text`."""
        found = []
        for place in places:
            source, span = self.documents[place.path].source, place.span
            found.append(f"{place.path}:{source.line_at(span.start) + 1} {source.text[slice(*span)]}")
        return found

    def edited(self, edits: Mapping[str, Iterable[Edit]]) -> dict[str, str]:
        """Return the texts that edits, by file, change, after them."""
        return {path: apply_edits(self.documents[path].source.text, own) for path, own in edits.items()}


def read_marked(texts: str | Mapping[str, str], taxonomy: Taxonomy = BARE) -> Marked:
    """Return the project of texts by path, or of one text; the mark is left out of its text."""
    named = {LIST: texts} if isinstance(texts, str) else dict(texts)
    path = next((path for path, text in named.items() if MARK in text), next(iter(named)))
    offset = max(named[path].find(MARK), 0)
    named[path] = named[path].replace(MARK, "", 1)
    documents, context = read_project(named, taxonomy)
    return Marked(documents, context, documents[path], offset)
