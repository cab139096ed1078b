"""Edits of several files, for the texts that the client has."""

from __future__ import annotations

from collections.abc import Mapping

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcContentModified

from shelfread.core.source import Source
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.server.documents import uri_of
from shelfread.server.protocol import SessionServer


class FileChange(NamedTuple):
    """The edits of a file, and the text that they are for."""

    source: Source
    edits: list[lsp.TextEdit]

    def is_of(self, text: str | None) -> bool:
        """Return whether the edits are for a text that is open."""
        return text is not None and text.removeprefix("\ufeff") == self.source.text


def workspace_edit(
    server: SessionServer, uri: str, changes: Mapping[str, FileChange]
) -> lsp.WorkspaceEdit | None:
    """Return the edit of several files by path, asked for at a document; None if there is nothing to change.

    Raises JsonRpcContentModified if an open text is not the one that its edits are for.
    """
    if not changes:
        return None
    opened = {document.path: document for document in server.session.documents.values()}
    if uri in server.session.documents:
        opened[server.session.documents[uri].path] = server.session.documents[uri]
    for path, change in changes.items():
        if path in opened and not change.is_of(opened[path].text):
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
