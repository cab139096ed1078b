"""The protocol as pygls speaks it: an answer to every request, findings as diagnostics, texts as edits."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcContentModified, JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method
from rapidfuzz.distance import Postfix, Prefix

from shelfread import __version__
from shelfread.core.diagnostics import Change, Diagnostic, Severity, Span, TextEdit
from shelfread.core.differences import changed_runs
from shelfread.core.errors import UserError
from shelfread.core.source import Source
from shelfread.report.rendering import printable
from shelfread.server.analysis import ProjectAnalysis
from shelfread.server.open_documents import OpenDocument, Positions, split_lines, uri_of
from shelfread.server.scheduler import Outcome
from shelfread.server.session import Session

_REFUSALS = (lsp.LSPErrorCodes.RequestFailed.value, lsp.LSPErrorCodes.ContentModified.value)


class ListProtocol(LanguageServerProtocol):
    """Keeps the texts in the session: those of pygls end lines as Python does, at U+2028 and others too.

    Requests that cannot be read get an error as their answer.
    """

    _server: ListServer
    exit_code = 1  # the exit status: 0 if the client asked for the shutdown before the exit

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
        uri = params.text_document.uri
        self._server.session.close(uri)
        self._server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

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


class ListServer(LanguageServer):
    """A server that keeps what the client has open in a session."""

    protocol: ListProtocol

    def __init__(self) -> None:
        super().__init__("shelfread", __version__, protocol_cls=ListProtocol)
        self.session = Session(self._publish, self._fail)
        # why the project of a document cannot be read, by the document's URI.
        self._errors: dict[str, UserError] = {}
        # these errors by the URI of the file that has them, and their message.
        self._files: dict[str, dict[str, UserError]] = {}
        self._shown: set[str] = set()  # the messages that were shown, and whose reason is still there

    def log(self, message: str) -> None:
        """Write a message to the client's log."""
        self.window_log_message(lsp.LogMessageParams(lsp.MessageType.Warning, message))

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


def minimal_edits(before: str, after: str) -> list[TextEdit]:
    """Return the edits from one text to another: lines that both have stay, of the others what both begin and end with."""
    old, new = split_lines(before), split_lines(after)
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line))
    edits = []
    for first, last, begin, end in changed_runs(old, new):
        if last - first == end - begin:  # line by line
            pairs = [
                (starts[first + index], old[first + index], new[begin + index])
                for index in range(last - first)
            ]
        else:
            pairs = [(starts[first], "".join(old[first:last]), "".join(new[begin:end]))]
        edits += [_trimmed(*pair) for pair in pairs if pair[1] != pair[2]]
    return edits


def to_lsp(edits: Sequence[TextEdit], positions: Positions) -> list[lsp.TextEdit]:
    return [lsp.TextEdit(positions.range(Span(edit.start, edit.end)), edit.text) for edit in edits]


def _trimmed(start: int, old: str, new: str) -> TextEdit:
    prefix = Prefix.similarity(old, new)
    if prefix > 0 and old[prefix - 1 : prefix + 1] == "\r\n":
        prefix -= 1  # no position is between these two
    rest = min(len(old), len(new)) - prefix
    suffix = min(rest, Postfix.similarity(old, new))
    if suffix > 0 and old[len(old) - suffix - 1 : len(old) - suffix + 1] == "\r\n":
        suffix -= 1
    return TextEdit(start + prefix, start + len(old) - suffix, new[prefix : len(new) - suffix])


class FileChange(NamedTuple):
    """The edits of a file, and the text that they are for."""

    source: Source
    edits: list[lsp.TextEdit]


def workspace_edit(
    server: ListServer, uri: str, changes: Mapping[str, FileChange]
) -> lsp.WorkspaceEdit | None:
    """Return the edit of files by path, or None; raises JsonRpcContentModified if an open text is not that of its edits."""
    if not changes:
        return None
    opened = {document.path: document for document in server.session.documents.values()}
    if uri in server.session.documents:
        opened[server.session.documents[uri].path] = server.session.documents[uri]
    for path, change in changes.items():
        text = opened[path].text if path in opened else change.source.text
        if text is None or text.removeprefix("\ufeff") != change.source.text:
            raise JsonRpcContentModified(f"{path} changed meanwhile")
    uris = {path: opened[path].uri if path in opened else uri_of(path) for path in changes}
    workspace = server.client_capabilities.workspace
    if not (workspace and workspace.workspace_edit and workspace.workspace_edit.document_changes):
        return lsp.WorkspaceEdit({uris[path]: change.edits for path, change in changes.items()})
    return lsp.WorkspaceEdit(
        document_changes=[
            lsp.TextDocumentEdit(
                lsp.OptionalVersionedTextDocumentIdentifier(
                    uris[path], opened[path].version if path in opened else None
                ),
                change.edits,
            )
            for path, change in changes.items()
        ]
    )


SOURCE = "shelfread"
_SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.INFO: lsp.DiagnosticSeverity.Information,
}


def diagnostics_of(analysis: ProjectAnalysis, path: str, positions: Positions) -> list[lsp.Diagnostic]:
    """Return the diagnostics of a document: what `check` reports, and what keeps it from being read."""
    error = analysis.errors.get(path)
    if error is not None:
        return [error_diagnostic(error, positions)]
    return [to_diagnostic(analysis, finding, positions) for finding in shown_findings(analysis, path)]


def shown_findings(analysis: ProjectAnalysis, path: str) -> Iterator[Diagnostic]:
    """Yield the findings that are shown: infos only if the client asks for them."""
    for finding in analysis.findings.get(path, ()):
        if finding.severity > Severity.INFO or analysis.request.options.show_info:
            yield finding


def to_diagnostic(analysis: ProjectAnalysis, finding: Diagnostic, positions: Positions) -> lsp.Diagnostic:
    """Return a finding as a diagnostic; the rule's code leads to its page."""
    rule = analysis.request.selection.rules.get(finding.rule)
    return lsp.Diagnostic(
        range=positions.range(finding.span),
        message=printable(finding.message),
        severity=_SEVERITIES[finding.severity],
        code=finding.rule,
        code_description=lsp.CodeDescription(rule.page.absolute().as_uri()) if rule is not None else None,
        source=SOURCE,
        tags=[lsp.DiagnosticTag.Unnecessary] if _is_unnecessary(finding) else None,
    )


def error_diagnostic(error: UserError, positions: Positions | None = None) -> lsp.Diagnostic:
    """Return why a file cannot be checked, at its line; without positions columns count code points."""
    line, column = max((error.line or 1) - 1, 0), max((error.column or 1) - 1, 0)
    start = lsp.Position(line, column)
    if positions is not None:
        source = positions.source
        line = min(line, len(source.lines) - 1)
        start = positions.position(source.offset(line + 1, column + 1))
    return lsp.Diagnostic(
        range=lsp.Range(start, start),
        message=printable(error.message),
        severity=lsp.DiagnosticSeverity.Error,
        source=SOURCE,
    )


def positions_of(opened: OpenDocument, encoding: str) -> Positions:
    """Return the positions of a client's text, which may begin with a BOM and be no text that can be read."""
    text = opened.text or ""
    return Positions(Source(text.removeprefix("\ufeff"), opened.path, text.startswith("\ufeff")), encoding)


def _is_unnecessary(finding: Diagnostic) -> bool:
    """Return whether the fix removes all that the finding is about: editors show it faded."""
    edits = finding.fix.edits if finding.fix else ()
    return any(
        edit.effect.change is Change.REMOVED
        and not edit.text
        and edit.start <= finding.span.start < finding.span.end <= edit.end
        for edit in edits
    )
