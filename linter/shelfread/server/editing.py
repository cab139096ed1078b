"""The requests that change texts: code actions and formatting."""

from __future__ import annotations

from collections.abc import Mapping

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcContentModified, JsonRpcException, JsonRpcInvalidParams

from shelfread.core.diagnostics import Span, TextEdit, apply_edits
from shelfread.core.errors import UserError
from shelfread.core.source import Source
from shelfread.engine.format_files import format_files
from shelfread.format.same_page import is_same_page, read_page
from shelfread.markdown.parse import parse
from shelfread.project.files import Project
from shelfread.server.code_actions import (
    FIX_ALL,
    MOVE,
    Deed,
    changed_text,
    is_quick,
    list_actions,
    read_deed,
    why_nothing_changes,
)
from shelfread.server.open_documents import Positions
from shelfread.server.protocol import FileChange, SessionServer, minimal_edits, to_lsp, workspace_edit
from shelfread.server.session import View

_KINDS = [lsp.CodeActionKind.QuickFix, FIX_ALL, MOVE]


def register(server: SessionServer) -> None:
    """Answer the requests that change texts."""
    session = server.session

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(_KINDS, resolve_provider=True))
    async def code_actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        view = await session.analysed_view(params.text_document.uri)
        if view is None:
            return []
        actions = await session.compute(list_actions, view, params)
        if _resolves_edits(server):
            return actions
        if params.context.trigger_kind is lsp.CodeActionTriggerKind.Automatic:
            # Nobody asked for them, and to fix a whole list takes long.
            actions = [action for action in actions if is_quick(action)]
        done = [await resolved(action, view) for action in actions]
        return [action for action in done if action.edit is not None]

    @server.feature(lsp.CODE_ACTION_RESOLVE)
    async def resolve(action: lsp.CodeAction) -> lsp.CodeAction:
        deed = read_deed(action.data)
        view = None if deed is None else await session.analysed_view(deed.uri)
        if deed is None or view is None:
            raise JsonRpcInvalidParams("this is no action on an open document")
        if view.opened.version != deed.version:
            raise JsonRpcContentModified("the text changed after the action was offered")
        await resolved(action, view)
        if action.edit is None:
            raise _failed(why_nothing_changes(deed))
        return action

    async def resolved(action: lsp.CodeAction, view: View) -> lsp.CodeAction:
        deed = read_deed(action.data)
        if deed is not None:
            edits = await session.compute(_changes, view, deed, session.encoding)
            action.edit = workspace_edit(server, view.opened.uri, edits)
        return action

    @server.feature(lsp.TEXT_DOCUMENT_RANGE_FORMATTING)
    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    async def formatted(
        params: lsp.DocumentFormattingParams | lsp.DocumentRangeFormattingParams,
    ) -> list[lsp.TextEdit]:
        try:
            in_project = await session.find_project(params.text_document.uri)
            if in_project is None:
                return []
            project, opened, texts = in_project
            source = opened.source()
            edits = await session.compute(format_document, project, opened.path, texts)
        except UserError as error:
            raise _failed(str(error)) from None
        positions = Positions(source, session.encoding)
        if isinstance(params, lsp.DocumentRangeFormattingParams):
            edits = await session.compute(within_blocks, source, edits, positions.span(params.range))
        return to_lsp(edits, positions)


def _resolves_edits(server: SessionServer) -> bool:
    """Return whether the client asks for the edit of an action when it is chosen."""
    document = server.client_capabilities.text_document
    supported = document.code_action.resolve_support if document and document.code_action else None
    return supported is not None and "edit" in supported.properties


def _failed(reason: str) -> JsonRpcException:
    return JsonRpcException(reason, lsp.LSPErrorCodes.RequestFailed.value)


def _changes(view: View, deed: Deed, encoding: str) -> dict[str, FileChange]:
    source, text = view.document.source, changed_text(view, deed)
    edits = [] if text is None else minimal_edits(source.text, text)
    return {view.path: FileChange(source, to_lsp(edits, Positions(source, encoding)))} if edits else {}


def format_document(project: Project, path: str, texts: Mapping[str, bytes]) -> list[TextEdit]:
    """Return the edits by which `shelfread format` formats an open document; raises UserError if it cannot be read.

    `texts` are those of the open documents, by path; the other files are read from disk.
    """
    others = tuple(name for name in (*project.reported, *project.others) if name != path)
    for file in format_files([project._replace(reported=(path,), others=others)], None, texts):
        if isinstance(file, UserError):
            raise file
        return minimal_edits(file.source.text, file.result.text)
    return []


def within_blocks(source: Source, edits: list[TextEdit], span: Span) -> list[TextEdit]:
    """Return the edits of the top-level blocks that a span touches; none if they would not keep the page alone."""
    blocks = [block for block in parse(source).blocks if block.start <= span.end and span.start <= block.end]
    if not blocks:
        return []
    start, end = blocks[0].start, max(block.end for block in blocks)
    chosen = [edit for edit in edits if start <= edit.start and edit.end <= end]
    after = apply_edits(source.text, chosen)
    return chosen if is_same_page(read_page(source.text), read_page(after)) else []
