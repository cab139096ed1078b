"""The language server: the requests of the client and their answers, which tell about a list, lead through it, and change it."""

from __future__ import annotations

import gc
import logging
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, TypeAlias

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcContentModified, JsonRpcException, JsonRpcInvalidParams

from shelfread.core.diagnostics import Span, TextEdit, apply_edits
from shelfread.core.errors import UserError
from shelfread.core.process import end_at_signals
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
from shelfread.server.completions import TRIGGERS, complete, cursor_at
from shelfread.server.cross_references import find_definitions, find_references
from shelfread.server.hover import hover
from shelfread.server.list_outline import find_symbols, outline
from shelfread.server.open_documents import Positions, path_of
from shelfread.server.open_projects import ServerOptions
from shelfread.server.protocol import (
    FileChange,
    ListServer,
    minimal_edits,
    positions_of,
    shown_findings,
    to_lsp,
    workspace_edit,
)
from shelfread.server.rename_section import prepare_rename, rename
from shelfread.server.session import View
from shelfread.server.under_cursor import FileSpan

_Function: TypeAlias = Callable[[View, Any, lsp.ClientCapabilities], object]


def _register_questions(server: ListServer) -> None:
    """Answer the requests that tell about a list, lead through it, and rename in it."""
    session = server.session

    def answer(method: str, function: _Function) -> None:
        """Answer a request about a place with what a function returns for the view of it, computed in a thread."""

        @server.feature(method)
        async def answer_one(params: Any) -> object:
            view = await session.current_view(params.text_document.uri)
            if view is None:
                return None
            return await session.compute(function, view, params, server.client_capabilities)

    for method, function in _ABOUT_PLACES.items():
        answer(method, function)

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def document_symbols(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol] | None:
        # It is not asked for again before the next change, so it is that of the current text.
        view = await session.current_view(params.text_document.uri)
        return None if view is None else await session.compute(outline, view.document, view.positions)

    @server.feature(lsp.WORKSPACE_SYMBOL)
    async def workspace_symbols(params: lsp.WorkspaceSymbolParams) -> list[lsp.SymbolInformation]:
        views = [view for view in [await session.last_view(uri) for uri in list(session.documents)] if view]
        one_of_each = {id(view.analysis): view for view in views}.values()
        return await session.compute(_find_symbols, list(one_of_each), params.query)

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=list(TRIGGERS)))
    async def completion(params: lsp.CompletionParams) -> lsp.CompletionList | None:
        current = session.documents.get(params.text_document.uri)
        if current is None or current.text is None:
            return None
        positions = positions_of(current, session.encoding)
        cursor = cursor_at(positions.source, positions.offset(params.position), positions)
        # What is being written is looked for in the current line; the list is as it was read last.
        view = await session.last_view(current.uri)
        if view is None:
            return None
        items = await session.compute(complete, cursor, view.document, view.context)
        return lsp.CompletionList(is_incomplete=True, items=items)

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    async def renamed(params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        # Other files change with it, so all open ones must be known as they are now.
        view = await session.analysed_view(params.text_document.uri)
        if view is None:
            return None
        try:
            changes = await session.compute(_rename, view, params.position, params.new_name)
        except UserError as error:
            raise JsonRpcException(str(error), lsp.LSPErrorCodes.RequestFailed.value) from None
        return workspace_edit(server, view.opened.uri, changes)


# ------------------------------------------------------------------------------ about a place of a list
def _hover(view: View, params: lsp.HoverParams, client: lsp.ClientCapabilities) -> lsp.Hover | None:
    # The findings of an older text are in other places.
    findings = list(shown_findings(view.analysis, view.path)) if view.is_analysed else []
    rules = view.analysis.request.selection.rules
    positions = view.positions
    description = hover(view.document, view.context, findings, rules, positions.offset(params.position))
    if description is None:
        return None
    takes = client.text_document and client.text_document.hover and client.text_document.hover.content_format
    is_plain = takes and lsp.MarkupKind.Markdown not in takes
    kind = lsp.MarkupKind.PlainText if is_plain else lsp.MarkupKind.Markdown
    return lsp.Hover(lsp.MarkupContent(kind, description.text), positions.range(description.span))


def _definition(view: View, params: lsp.DefinitionParams, _: lsp.ClientCapabilities) -> list[lsp.Location]:
    offset = view.positions.offset(params.position)
    return _locations(view, find_definitions(view.document, view.context, offset))


def _references(view: View, params: lsp.ReferenceParams, _: lsp.ClientCapabilities) -> list[lsp.Location]:
    offset, declared = view.positions.offset(params.position), params.context.include_declaration
    return _locations(view, find_references(view.document, view.context, offset, with_declaration=declared))


def _prepare_rename(
    view: View, params: lsp.PrepareRenameParams, _: lsp.ClientCapabilities
) -> lsp.PrepareRenamePlaceholder | None:
    renameable = prepare_rename(
        view.document, view.read, view.context, view.positions.offset(params.position)
    )
    if renameable is None:
        return None
    return lsp.PrepareRenamePlaceholder(view.positions.range(renameable.span), renameable.name)


def _rename(view: View, position: lsp.Position, name: str) -> dict[str, FileChange]:
    changes: dict[str, FileChange] = {}
    renamed = rename(view.document, view.read, view.context, view.positions.offset(position), name)
    for path, edits in renamed.items():
        source = view.source(path)
        assert source is not None, "it was read for the edits"
        positions = Positions(source, view.encoding)
        changes[path] = FileChange(source, to_lsp([TextEdit(*edit[:3]) for edit in edits], positions))
    return changes


# ------------------------------------------------------------------------------ places in several files
def _find_symbols(views: Sequence[View], query: str) -> list[lsp.SymbolInformation]:
    symbols = []
    for view in views:
        locate = _locator(view)
        for symbol in find_symbols(view.context.project.facts.values(), query):
            if (location := locate(symbol.place)) is not None:
                above = symbol.container or None
                symbols.append(
                    lsp.SymbolInformation(location, symbol.name, symbol.kind, container_name=above)
                )
    return symbols


def _locations(view: View, places: Iterable[FileSpan]) -> list[lsp.Location]:
    """Return the locations of places, without those in files that cannot be read any more."""
    return [location for location in map(_locator(view), places) if location is not None]


def _locator(view: View) -> Callable[[FileSpan], lsp.Location | None]:
    """Return what gives the location of a place; the files of a project are read once."""
    positions_in = cache(view.positions_of)

    def locate(place: FileSpan) -> lsp.Location | None:
        positions = positions_in(place.path)
        if positions is None:
            return None
        return lsp.Location(view.uri(place.path), positions.range(place.span))

    return locate


_ABOUT_PLACES: dict[str, _Function] = {
    lsp.TEXT_DOCUMENT_HOVER: _hover,
    lsp.TEXT_DOCUMENT_DEFINITION: _definition,
    lsp.TEXT_DOCUMENT_REFERENCES: _references,
    lsp.TEXT_DOCUMENT_PREPARE_RENAME: _prepare_rename,
}

_KINDS = [lsp.CodeActionKind.QuickFix, FIX_ALL, MOVE]


def _register_edits(server: ListServer) -> None:
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


def _resolves_edits(server: ListServer) -> bool:
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
    """Return the edits that format an open document, beside other open `texts`; raises UserError if it cannot be read."""
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
        if isinstance(settings, Mapping) and isinstance(settings.get("shelfread"), Mapping):
            server.session.scheduler.reconfigure(_read_options(settings["shelfread"]))

    _register_edits(server)
    _register_questions(server)
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
