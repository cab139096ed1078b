"""The language server: what the client asks for, and what the session answers."""

from __future__ import annotations

import gc
import logging
import os
from collections.abc import Mapping
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from shelfread import __version__
from shelfread.core.errors import UserError
from shelfread.core.process import end_at_signals
from shelfread.server.open_documents import path_of, uri_of
from shelfread.server.open_projects import ServerOptions
from shelfread.server.protocol import (
    ListProtocol,
    SessionServer,
    diagnostics_of,
    error_diagnostic,
    positions_of,
)
from shelfread.server.requests import register_edits, register_questions
from shelfread.server.scheduler import Outcome
from shelfread.server.session import Session

_SECTION = "shelfread"
_REFUSALS = (lsp.LSPErrorCodes.RequestFailed.value, lsp.LSPErrorCodes.ContentModified.value)


class ListServer(SessionServer):
    protocol: ListProtocol

    def __init__(self) -> None:
        super().__init__("shelfread", __version__, protocol_cls=ListProtocol)
        self.session = Session(self._publish, self._fail)
        # why the project of a document cannot be read, by the document's URI.
        self._errors: dict[str, UserError] = {}
        # these errors by the URI of the file that has them, and their message.
        self._files: dict[str, dict[str, UserError]] = {}
        self._shown: set[str] = set()  # the messages that were shown, and whose reason is still there

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Tell the client's log of a message that could not be read or handled; a refusal is told in its answer."""
        if not (isinstance(error, JsonRpcException) and error.code in _REFUSALS):
            self.log(f"{type(error).__name__}: {error}")

    def _fail(self, error: Exception) -> None:
        """Tell of a bug: with its place in the log, as the user cannot correct it."""
        import traceback

        self.log("".join(traceback.format_exception(error)))

    def _publish(self, outcome: Outcome) -> None:
        error = outcome.error
        for opened in outcome.documents:
            positions = positions_of(opened, self.session.encoding)
            self._errors.pop(opened.uri, None)
            if error is not None:
                self._errors[opened.uri] = error
            diagnostics = []
            if outcome.analysis is not None:
                diagnostics = diagnostics_of(outcome.analysis, opened.path, positions)
            elif error is not None and error.path == opened.path:
                diagnostics = [error_diagnostic(error, positions)]
            self.text_document_publish_diagnostics(
                lsp.PublishDiagnosticsParams(opened.uri, diagnostics, opened.version)
            )
        self._publish_errors()

    def _publish_errors(self) -> None:
        """Publish what is wrong with configurations, rules and taxonomies, and show it once."""
        self._errors = {uri: error for uri, error in self._errors.items() if uri in self.session.documents}
        messages = {str(error): error for error in self._errors.values()}
        files: dict[str, dict[str, UserError]] = {}
        for message, error in messages.items():
            if error.path is not None:
                files.setdefault(uri_of(error.path), {})[message] = error
        for uri in {*self._files, *files}:
            errors = files.get(uri, {})
            if errors.keys() != self._files.get(uri, {}).keys():
                diagnostics = [error_diagnostic(error) for error in errors.values()]
                self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, diagnostics))
        for message in sorted(messages.keys() - self._shown):
            shown = lsp.ShowMessageParams(lsp.MessageType.Error, f"shelfread: {message}")
            self.window_show_message(shown)
        self._files, self._shown = files, set(messages)


def _make_server() -> ListServer:
    server = ListServer()

    @server.feature(lsp.INITIALIZE)
    def initialize(params: lsp.InitializeParams) -> None:
        session = server.session
        session.encoding = str(
            getattr(server.workspace.position_encoding, "value", server.workspace.position_encoding)
        )
        # Paths are relative to the working directory, as if the command line was used in the first folder.
        folders = [folder.uri for folder in params.workspace_folders or ()]
        for uri in (*folders, *([params.root_uri] if params.root_uri else [])):
            path = path_of(uri)
            if path is not None and os.path.isdir(path):
                os.chdir(path)
                break
        session.scheduler.start(_read_options(params.initialization_options))

    @server.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def configuration_changed(params: lsp.DidChangeConfigurationParams) -> None:
        settings = params.settings
        if isinstance(settings, Mapping) and isinstance(settings.get(_SECTION), Mapping):
            server.session.scheduler.reconfigure(_read_options(settings[_SECTION]))

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE, lsp.SaveOptions(include_text=True))
    def saved(params: lsp.DidSaveTextDocumentParams) -> None:
        server.session.save(params.text_document.uri, params.text)

    register_edits(server)
    register_questions(server)
    return server


def _read_options(data: Any) -> ServerOptions:
    """Return the options that a client gives; values of another type are left out."""
    given = data if isinstance(data, Mapping) else {}
    config = given.get("config")
    return ServerOptions(
        config=config if isinstance(config, str) and config else None,
        isolated=given.get("isolated") is True,
        show_info=given.get("showInfo") is True,
    )


def serve() -> int:
    """Serve the client on standard input and output until it is done; return the exit status."""
    logging.getLogger("pygls").setLevel(logging.CRITICAL)  # the client's log has what matters
    end_at_signals()
    server = _make_server()
    gc.disable()  # the session collects garbage
    gc.freeze()
    server.start_io()
    server.session.scheduler.shut_down()
    return server.protocol.exit_code
