"""The requests that tell about a list, lead through it, and rename in it, answered with the features."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import TypeVar

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from shelfread.core.diagnostics import Span
from shelfread.core.errors import UserError
from shelfread.server.features.complete_settings import complete_settings
from shelfread.server.features.completions import TRIGGERS, complete
from shelfread.server.features.cursor import cursor_at
from shelfread.server.features.document_links import document_links
from shelfread.server.features.folding import folding_ranges
from shelfread.server.features.hover import hover
from shelfread.server.features.references import find_definitions, find_references
from shelfread.server.features.renaming import prepare_rename, rename
from shelfread.server.features.symbols import find_symbols, outline
from shelfread.server.features.under_cursor import Place
from shelfread.server.lsp_diagnostics import positions_of, shown_findings
from shelfread.server.open_documents import uri_of
from shelfread.server.positions import Positions
from shelfread.server.protocol import SessionServer
from shelfread.server.session import View
from shelfread.server.text_edits import FileChange, workspace_edit

T = TypeVar("T")


def register(server: SessionServer) -> None:
    """Answer the requests of this module."""
    session = server.session

    async def answer(uri: str, function: Callable[[View], T], at: lsp.Position | None = None) -> T | None:
        """Return what a function returns for the view of a document, computed in a thread; None without a view.

        What is about the whole document is not asked again before the next change, so it is that of the current text.
        """
        view = await (session.current_view(uri) if at is None else session.view_at(uri, at.line))
        return None if view is None else await session.compute(function, view)

    def uri_at(path: str) -> str:
        return next((each.uri for each in session.documents.values() if each.path == path), uri_of(path))

    def locations(places: Iterable[Place], view: View) -> list[lsp.Location]:
        return _Locator(view, uri_at).locate(places)

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def document_symbols(
        params: lsp.DocumentSymbolParams,
    ) -> Sequence[lsp.DocumentSymbol] | Sequence[lsp.SymbolInformation] | None:
        uri = params.text_document.uri
        symbols = await answer(uri, lambda view: outline(view.document, view.positions))
        document = server.client_capabilities.text_document
        nests = document and document.document_symbol
        if symbols is None or (nests and nests.hierarchical_document_symbol_support):
            return symbols
        return [*_flat(symbols, uri)]

    @server.feature(lsp.WORKSPACE_SYMBOL)
    async def workspace_symbols(params: lsp.WorkspaceSymbolParams) -> list[lsp.SymbolInformation]:
        found = [view for view in [await session.last_view(uri) for uri in list(session.documents)] if view]
        one_of_each = {id(view.analysis): view for view in found}.values()
        return await session.compute(_find_symbols, list(one_of_each), params.query, uri_at)

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def hovered(params: lsp.HoverParams) -> lsp.Hover | None:
        found = await answer(
            params.text_document.uri, lambda view: _hover(view, params.position), params.position
        )
        markup = server.client_capabilities.text_document
        formats = markup.hover.content_format if markup and markup.hover else None
        if found is not None and formats and lsp.MarkupKind.Markdown not in formats:
            assert isinstance(found.contents, lsp.MarkupContent)
            found.contents.kind = lsp.MarkupKind.PlainText
        return found

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    async def definition(params: lsp.DefinitionParams) -> list[lsp.Location] | None:
        def find(view: View) -> list[lsp.Location]:
            offset = view.positions.offset(params.position)
            return locations(find_definitions(view.document, view.context, offset), view)

        return await answer(params.text_document.uri, find, params.position)

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    async def references(params: lsp.ReferenceParams) -> list[lsp.Location] | None:
        def find(view: View) -> list[lsp.Location]:
            offset, declared = view.positions.offset(params.position), params.context.include_declaration
            return locations(
                find_references(view.document, view.context, offset, with_declaration=declared), view
            )

        return await answer(params.text_document.uri, find, params.position)

    @server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    async def folding(params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange] | None:
        return await answer(
            params.text_document.uri,
            lambda view: folding_ranges(view.document, view.context),
        )

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_LINK)
    async def links(params: lsp.DocumentLinkParams) -> list[lsp.DocumentLink] | None:
        return await answer(params.text_document.uri, _links)

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=list(TRIGGERS)))
    async def completion(params: lsp.CompletionParams) -> lsp.CompletionList | None:
        current = session.documents.get(params.text_document.uri)
        if current is None or current.text is None:
            return None
        positions = positions_of(current, session.encoding)
        item = server.client_capabilities.text_document
        options = item.completion.completion_item if item and item.completion else None
        snippets = bool(options and options.snippet_support)
        cursor = cursor_at(positions.source, positions.offset(params.position), positions, snippets)
        if not current.is_markdown:
            items = await session.compute(complete_settings, cursor, positions.source)
            return lsp.CompletionList(is_incomplete=False, items=items)
        # What is being written is looked for in the current line; the list is as it was read last.
        view = await session.last_view(current.uri)
        if view is None:
            return None
        items = await session.compute(complete, cursor, view.document, view.context)
        return lsp.CompletionList(is_incomplete=True, items=items)

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    async def prepare(params: lsp.PrepareRenameParams) -> lsp.PrepareRenamePlaceholder | None:
        def find(view: View) -> lsp.PrepareRenamePlaceholder | None:
            offset = view.positions.offset(params.position)
            found = prepare_rename(view.document, view.read, view.context, offset)
            if found is None:
                return None
            return lsp.PrepareRenamePlaceholder(view.positions.range(found.span), found.name)

        return await answer(params.text_document.uri, find, params.position)

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


class _Locator:
    """Makes locations of places; the files of a project are read once."""

    def __init__(self, view: View, uri_at: Callable[[str], str]) -> None:
        self._uri_at = uri_at
        self._positions = cache(view.positions_of)

    def locate(self, places: Iterable[Place]) -> list[lsp.Location]:
        """Return the locations of places, without those in files that cannot be read any more."""
        return [location for place in places if (location := self.find(place)) is not None]

    def find(self, place: Place) -> lsp.Location | None:
        positions = self._positions(place.path)
        return (
            None if positions is None else lsp.Location(self._uri_at(place.path), positions.range(place.span))
        )


def _find_symbols(
    views: Sequence[View], query: str, uri_at: Callable[[str], str]
) -> list[lsp.SymbolInformation]:
    found = []
    for view in views:
        locator = _Locator(view, uri_at)
        for symbol in find_symbols(view.context.project.facts.values(), query):
            if (location := locator.find(symbol.place)) is not None:
                container = symbol.container or None
                found.append(
                    lsp.SymbolInformation(location, symbol.name, symbol.kind, container_name=container)
                )
    return found


def _flat(
    symbols: Iterable[lsp.DocumentSymbol], uri: str, above: str = ""
) -> Iterator[lsp.SymbolInformation]:
    """Yield nested symbols in a row, for a client that takes no others."""
    for symbol in symbols:
        location = lsp.Location(uri, symbol.range)
        yield lsp.SymbolInformation(location, symbol.name, symbol.kind, container_name=above or None)
        yield from _flat(symbol.children or (), uri, symbol.name)


def _hover(view: View, position: lsp.Position) -> lsp.Hover | None:
    positions = view.positions
    # The findings of an older text are in other places.
    found = list(shown_findings(view.analysis, view.path)) if view.is_analysed else []
    rules = view.analysis.request.selection.rules
    description = hover(view.document, view.context, found, rules, positions.offset(position))
    if description is None:
        return None
    contents = lsp.MarkupContent(lsp.MarkupKind.Markdown, description.text)
    return lsp.Hover(contents, positions.range(description.span))


def _links(view: View) -> list[lsp.DocumentLink]:
    positions = view.positions
    found = document_links(view.document, view.source, view.context)
    return [lsp.DocumentLink(positions.range(link.span), link.uri) for link in found]


def _rename(view: View, position: lsp.Position, name: str) -> dict[str, FileChange]:
    """Return the edits of each file that rename what is at a position."""
    changes: dict[str, FileChange] = {}
    for edit in rename(view.document, view.read, view.context, view.positions.offset(position), name):
        if edit.path not in changes:
            source = view.source(edit.path)
            assert source is not None, "it was read for the edits"
            changes[edit.path] = FileChange(source, [])
        change = changes[edit.path]
        span = Positions(change.source, view.encoding).range(Span(edit.start, edit.end))
        change.edits.append(lsp.TextEdit(span, edit.text))
    return changes
