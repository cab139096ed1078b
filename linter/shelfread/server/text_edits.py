"""Texts as edits of the protocol: the smallest from one text to another, and those of several files for what is open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcContentModified

from shelfread.core.diagnostics import Span
from shelfread.core.differences import GONE, align
from shelfread.core.source import Source
from shelfread.core.spans import TextEdit
from shelfread.server.open_documents import uri_of
from shelfread.server.positions import Positions, split_lines
from shelfread.server.protocol import SessionServer


def minimal_edits(before: str, after: str) -> list[TextEdit]:
    """Return the edits from one text to another: lines that both have stay, of the others what both begin and end with."""
    old, new = split_lines(before), split_lines(after)
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line))
    edits = []
    for first, last, begin, end in _changed_lines(old, new):
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
    """Return edits of the protocol."""
    return [lsp.TextEdit(positions.range(Span(edit.start, edit.end)), edit.text) for edit in edits]


def _changed_lines(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """Yield the runs of lines `old[first:last]` that become `new[begin:end]`."""
    aligned = [*align(old, new), len(old)]
    first = begin = 0
    for index, line in enumerate(aligned):
        if line == GONE:
            continue
        if line > first or index > begin:
            yield first, line, begin, index
        first, begin = line + 1, index + 1


def _trimmed(start: int, old: str, new: str) -> TextEdit:
    prefix = _common_length(old, new)
    if prefix > 0 and old[prefix - 1 : prefix + 1] == "\r\n":
        prefix -= 1  # no position is between these two
    rest = min(len(old), len(new)) - prefix
    suffix = min(rest, _common_length(old[::-1], new[::-1]))
    if suffix > 0 and old[len(old) - suffix - 1 : len(old) - suffix + 1] == "\r\n":
        suffix -= 1
    return TextEdit(start + prefix, start + len(old) - suffix, new[prefix : len(new) - suffix])


def _common_length(one: str, other: str) -> int:
    """Return how many characters two texts both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(one), len(other)))


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
