"""The texts that requests are about, as they are now, with what was last known of their projects."""

from __future__ import annotations

import asyncio

from shelfread.core.errors import UserError
from shelfread.core.source import Source, read_bytes
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.server.analysis import ProjectAnalysis
from shelfread.server.documents import OpenDocument
from shelfread.server.positions import Positions
from shelfread.server.scheduler import DocumentAnalysis
from shelfread.server.session import Session

_PATIENCE = 0.15
"""Seconds that a request about a place waits for the text to be read again, before the last reading answers it."""
_QUICK = 100_000
"""Characters that can be read in that time; the analysis of a longer text would only take longer."""


class View(NamedTuple):
    """A document as it was read last, and what is known of its project."""

    uri: str
    path: str
    version: int
    """That of the text which was read."""
    document: Document
    context: RuleContext
    analysis: ProjectAnalysis
    """The last one of the project, whose findings may be those of an older text."""
    encoding: str

    @property
    def positions(self) -> Positions:
        return Positions(self.document.source, self.encoding)

    @property
    def is_analysed(self) -> bool:
        """Whether the findings of the analysis are those of this text."""
        return self.analysis.documents.get(self.path) is self.document

    def read(self, path: str) -> Document | None:
        """Return a file of the project: an open text, or the file on disk; None if it cannot be read."""
        return self.document if path == self.path else self.analysis.document(path)

    def source(self, path: str) -> Source | None:
        """Return the text of a file of the project, as `read` does."""
        if path == self.path:
            return self.document.source
        if path in self.analysis.documents:
            return self.analysis.documents[path].source
        try:
            return Source.from_bytes(read_bytes(path), path) if path in self.analysis.request.others else None
        except UserError:
            return None

    def positions_of(self, path: str) -> Positions | None:
        """Return the positions in a file of the project; None if it cannot be read."""
        source = self.source(path)
        return None if source is None else Positions(source, self.encoding)


class Views:
    """Reads texts again for requests that come before their analysis is done."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def find(self, uri: str, line: int) -> View | None:
        """Return the view of an open document for a request about a place; None for one that is not checked.

        Its text is the current one if that is read soon, else that of the last analysis. If that has another line (an
        index from 0) at the place, the current text is waited for.
        """
        document = self._session.documents.get(uri)
        is_quick = document is not None and len(document.text or "") <= _QUICK
        view = await (self.read(uri, _PATIENCE) if is_quick else self.last(uri))
        if view is None or document is None or _line(view.document.source, line) == _line_of(document, line):
            return view
        return await self.read(uri)

    async def read(self, uri: str, patience: float | None = None) -> View | None:
        """Return the view of a document's current text; after so many seconds that of the last analysis."""
        known, document = self._session.last_analysis(uri), self._session.documents.get(uri)
        if known is None or document is None or known.snapshot.is_current(document):
            return await self.last(uri)
        view = self._view(known)
        if view is None:
            return None
        reading = self._session.readings.read(document, view.context.vocabulary)
        try:
            snapshot, (changed, facts) = await asyncio.wait_for(reading, patience)
        except (UserError, asyncio.TimeoutError):
            return view
        return view._replace(
            version=snapshot.version, document=changed, context=view.context.with_files(facts)
        )

    async def last(self, uri: str) -> View | None:
        """Return the view of the last analysis of a document, whatever its text is now."""
        known = self._session.last_analysis(uri)
        if known is None or uri not in self._session.documents:
            return await self.analysed(uri)  # it was opened just now
        return self._view(known)

    async def analysed(self, uri: str) -> View | None:
        """Return the view of a document's current text, when the analysis of its project is done."""
        known = await self._session.analysed(uri)
        return None if known is None else self._view(known)

    def _view(self, known: DocumentAnalysis) -> View | None:
        analysis, snapshot = known
        document = analysis.documents.get(snapshot.path)
        if document is None:
            return None
        encoding = self._session.encoding
        context = analysis.context
        return View(snapshot.uri, snapshot.path, snapshot.version, document, context, analysis, encoding)


def _line(source: Source, line: int) -> str | None:
    return source.lines[line] if line < len(source.lines) else None


def _line_of(document: OpenDocument, line: int) -> str | None:
    return _line(Source((document.text or "").removeprefix("\ufeff")), line)
