"""The protocol as pygls speaks it, with texts of our own and an answer to every request."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, JsonRpcInvalidRequest, JsonRpcServerNotInitialized
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from shelfread.server.session import Session


class SessionServer(LanguageServer):
    """A server that keeps what the client has open in a session."""

    session: Session

    def log(self, message: str) -> None:
        """Write a message to the client's log."""
        self.window_log_message(lsp.LogMessageParams(lsp.MessageType.Warning, message))

    def close_document(self, uri: str) -> None:
        """Forget a document and its diagnostics."""
        self.session.close(uri)
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))


class ListProtocol(LanguageServerProtocol):
    """Keeps the texts in the session: those of pygls end lines as Python does, at U+2028 and others too.

    Requests that cannot be read, and those before `initialize` and after `shutdown`, get an error as their answer.
    """

    _server: SessionServer
    exit_code = 1
    """The exit status: 0 if the client asked for the shutdown before the exit."""

    @lsp_method(lsp.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: lsp.DidOpenTextDocumentParams) -> None:
        self._server.session.open(params.text_document)

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: lsp.DidChangeTextDocumentParams) -> None:
        if not self._server.session.change(params):
            document = params.text_document
            self._server.log(f"{document.uri}: changes of version {document.version} were ignored")

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: lsp.DidCloseTextDocumentParams) -> None:
        self._server.close_document(params.text_document.uri)

    @lsp_method(lsp.EXIT)
    def lsp_exit(self, *args: Any) -> Generator[Any, Any, None]:
        self.exit_code = 0 if self._shutdown else 1
        self._server.session.scheduler.shut_down()
        yield from super().lsp_exit(*args)

    def structure_message(self, data: dict[str, Any]) -> Any:
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "id" in data and "method" in data:
                self._send_response(data["id"], error=error.to_response_error())
            raise

    def handle_message(self, message: Any) -> None:
        refusal: JsonRpcException | None = None
        method = getattr(message, "method", None)
        if self._shutdown:
            refusal = JsonRpcInvalidRequest("the server was shut down")
        elif self._workspace is None and method != lsp.INITIALIZE:
            refusal = JsonRpcServerNotInitialized("the first request is 'initialize'")
        if refusal is None or method is None or method == lsp.EXIT:
            super().handle_message(message)
        elif hasattr(message, "id"):
            self._send_response(message.id, error=refusal.to_response_error())
