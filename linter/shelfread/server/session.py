"""What the client has open: its documents, and what is known of them and of their projects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from lsprotocol import types as lsp

from shelfread.core.errors import UserError
from shelfread.core.source import Source, read_bytes
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.project.files import Project
from shelfread.server.analysis import ProjectAnalysis
from shelfread.server.open_documents import OpenDocument, Positions, open_document, uri_of
from shelfread.server.open_projects import BrokenSettings, find_all_settings
from shelfread.server.scheduler import DocumentAnalysis, Outcome, Scheduler


class View(NamedTuple):
    """An open document as it was read last, and what is known of its project."""

    opened: OpenDocument  # the text which was read
    document: Document
    context: RuleContext
    analysis: ProjectAnalysis  # the last one of the project, whose findings may be those of an older text
    encoding: str
    uris: Mapping[str, str]  # those of all open documents, by path

    @property
    def path(self) -> str:
        return self.opened.path

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

    def uri(self, path: str) -> str:
        """Return the URI of a file: as the client calls it, if it is open."""
        return self.uris.get(path) or uri_of(path)

    def positions_of(self, path: str) -> Positions | None:
        """Return the positions in a file of the project; None if it cannot be read."""
        source = self.source(path)
        return None if source is None else Positions(source, self.encoding)


class DocumentProject(NamedTuple):
    """An open document, its project, and the texts that are open, by path."""

    project: Project
    opened: OpenDocument
    texts: dict[str, bytes]


class Session:
    """The open documents, and what was found out about them last; all methods run on the event loop."""

    def __init__(self, publish: Callable[[Outcome], None], fail: Callable[[Exception], None]) -> None:
        """`publish` takes the outcome of each analysis, `fail` an error that is none of the user's."""
        self.documents: dict[str, OpenDocument] = {}
        self.encoding = "utf-16"
        self.scheduler = Scheduler(self.documents, publish, fail)
        # returns what a function returns in a thread, while the event loop goes on.
        self.compute = self.scheduler.compute

    # ----------------------------------------------------------------------- what the client does
    def open(self, item: lsp.TextDocumentItem) -> None:
        self.documents[item.uri] = open_document(item)
        self.scheduler.settings.pop(item.uri, None)
        self.scheduler.touch([item.uri])

    def change(self, params: lsp.DidChangeTextDocumentParams) -> bool:
        """Make the changes of an open document; return False if its text is newer than they are."""
        uri, version = params.text_document.uri, params.text_document.version
        document = self.documents.get(uri)
        if document is None or version <= document.version:
            return False
        self.documents[uri] = document.changed(version, params.content_changes, self.encoding)
        self.scheduler.touch([uri])
        return True

    def close(self, uri: str) -> None:
        """Forget a document; those of its project are analysed again, with the file on disk instead of its text."""
        self.documents.pop(uri, None)
        self.scheduler.forget(uri)

    # ----------------------------------------------------------------------- what requests are about
    async def current_view(self, uri: str) -> View | None:
        """Return the view of a document's current text, read if need be; None for one that is not checked."""
        view = await self.last_view(uri)
        document = self.documents.get(uri)
        if view is None or document is None or document is view.opened:
            return view
        try:
            opened, (changed, facts) = await self.scheduler.readings.read(document, view.context.vocabulary)
        except UserError:  # of the last analysis then
            return view
        return view._replace(opened=opened, document=changed, context=view.context.with_files(facts))

    async def last_view(self, uri: str) -> View | None:
        """Return the view of the last analysis of a document, whatever its text is now."""
        known = self.scheduler.analyses.get(uri)
        if known is None or uri not in self.documents:
            return await self.analysed_view(uri)  # it was opened just now
        return self._view(known)

    async def analysed_view(self, uri: str) -> View | None:
        """Return the view of a document's current text, when the analysis of its project is done."""
        while (document := self.documents.get(uri)) is not None and document.is_markdown:
            known = self.scheduler.analyses.get(uri)
            if known is not None and known.opened is document:
                return self._view(known)
            if known is None and not self.scheduler.is_pending(uri):
                return None  # its project cannot be read
            await self.scheduler.wait_for(uri)
        return None

    def _view(self, known: DocumentAnalysis) -> View | None:
        analysis, opened = known
        document = analysis.documents.get(opened.path)
        if document is None:
            return None
        uris = {other.path: uri for uri, other in reversed(self.documents.items())}
        return View(opened, document, analysis.context, analysis, self.encoding, uris)

    async def find_project(self, uri: str) -> DocumentProject | None:
        """Return a document with its project; None if it is not open, or not checked. Raises UserError if it cannot be read."""
        opened = self.documents.get(uri)
        if opened is None or not opened.is_markdown:
            return None
        known = {uri: self.scheduler.settings[uri]} if uri in self.scheduler.settings else {}
        settings = (await self.compute(find_all_settings, [opened], known, self.scheduler.options))[uri]
        if isinstance(settings, BrokenSettings):
            raise settings.error
        if settings.is_skipped:
            return None
        texts = {
            other.path: other.text.encode()
            for other in self.documents.values()
            if other.is_markdown and (other.is_file or other is opened) and other.text is not None
        }
        return DocumentProject(settings.project, opened, texts)
