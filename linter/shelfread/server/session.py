"""What the client has open: its documents, their projects and analyses."""

from __future__ import annotations

from collections.abc import Callable

from lsprotocol import types as lsp

from shelfread.core.support.named_tuple import NamedTuple
from shelfread.project.files import Project
from shelfread.server.documents import OpenDocument, Snapshot
from shelfread.server.projects import BrokenSettings, ServerOptions, find_all_settings
from shelfread.server.scheduler import DocumentAnalysis, Outcome, Scheduler


class DocumentProject(NamedTuple):
    """An open document, its project, and the texts that are open, by path."""

    project: Project
    snapshot: Snapshot
    texts: dict[str, bytes]


class Session:
    """The open documents, and what was found out about them last; all methods run on the event loop."""

    def __init__(self, publish: Callable[[Outcome], None], fail: Callable[[Exception], None]) -> None:
        """`publish` takes the outcome of each analysis, `fail` an error that is none of the user's."""
        self.documents: dict[str, OpenDocument] = {}
        self.encoding = "utf-16"
        self._scheduler = Scheduler(self.documents, publish, fail)
        self.compute = self._scheduler.compute
        """Returns what a function returns in a thread, while the event loop goes on."""
        self.readings = self._scheduler.readings

    def start(self, options: ServerOptions) -> None:
        """Begin to analyse what is opened."""
        self._scheduler.options = options
        self._scheduler.start()

    def start_polling(self) -> None:
        """Begin to look for changed files, for a client that does not watch them."""
        self._scheduler.start_polling()

    def shut_down(self) -> None:
        """Stop everything; nothing is published any more."""
        self._scheduler.shut_down()

    def open(self, item: lsp.TextDocumentItem) -> None:
        """Take a document that the client opened."""
        self.documents[item.uri] = OpenDocument(item)
        self._scheduler.settings.pop(item.uri, None)
        self._scheduler.touch([item.uri])

    def change(self, params: lsp.DidChangeTextDocumentParams) -> bool:
        """Make the changes of an open document; return False if its text is newer than they are."""
        document = self.documents.get(params.text_document.uri)
        version = params.text_document.version
        if document is None or not document.change(version, params.content_changes, self.encoding):
            return False
        self._scheduler.touch([document.uri])
        return True

    def save(self, uri: str, text: str | None) -> None:
        """Take the text that was saved."""
        document = self.documents.get(uri)
        if document is not None and text is not None and document.replace(text):
            self._scheduler.touch([uri])

    def close(self, uri: str) -> None:
        """Forget a document; those of its project are analysed again, with the file on disk instead of its text."""
        self.documents.pop(uri, None)
        self._scheduler.forget(uri)

    def reconfigure(self, options: ServerOptions) -> None:
        """Take other options: all projects are found again."""
        if options != self._scheduler.options:
            self._scheduler.options = options
            self._scheduler.settings.clear()
            self._scheduler.touch(self.documents)

    def refresh(self) -> None:
        """Analyse all documents again: files changed."""
        self._scheduler.touch(self.documents)

    async def analysed(self, uri: str) -> DocumentAnalysis | None:
        """Return an analysis of a document's current text; None for a document that is not open, or not checked."""
        while (document := self.documents.get(uri)) is not None and document.is_markdown:
            known = self._scheduler.analyses.get(uri)
            if known is not None and known.snapshot.is_current(document):
                return known if known.snapshot.path in known.analysis.documents else None
            if known is None and not self._scheduler.is_pending(uri):
                return None  # its project cannot be read
            await self._scheduler.wait_for(uri)
        return None

    def last_analysis(self, uri: str) -> DocumentAnalysis | None:
        """Return the last analysis of a document, perhaps of an older text; None if there is none yet."""
        return self._scheduler.analyses.get(uri)

    async def find_project(self, uri: str) -> DocumentProject | None:
        """Return a document with its project; None for one that is not open, or not checked.

        Raises UserError if the project cannot be read.
        """
        document = self.documents.get(uri)
        if document is None or not document.is_markdown:
            return None
        known = {uri: self._scheduler.settings[uri]} if uri in self._scheduler.settings else {}
        asked = {uri: (document.path, document.is_file)}
        settings = (await self.compute(find_all_settings, asked, known, self._scheduler.options))[uri]
        if isinstance(settings, BrokenSettings):
            raise settings.error
        if settings.is_skipped:
            return None
        texts = {
            other.path: other.text.encode()
            for other in self.documents.values()
            if other.is_markdown and (other.is_file or other is document) and other.text is not None
        }
        return DocumentProject(settings.project, Snapshot(document), texts)
