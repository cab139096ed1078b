"""The texts that the client has open."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote_to_bytes, urlsplit

from lsprotocol import types as lsp

from shelfread.core.source import MAX_BYTES, Source, too_large
from shelfread.document.file_kind import SUFFIXES
from shelfread.project.files import relative_path
from shelfread.project.named_inputs import STDIN
from shelfread.server.positions import replace_range, split_lines


@dataclass(frozen=True, eq=False)
class OpenDocument:
    """An open text at one version; each change makes another one."""

    uri: str
    language: str
    path: str
    is_file: bool
    """Whether it is a file, perhaps one that is not saved yet."""
    version: int
    lines: Sequence[str] | None
    """The text as lines with their newlines; None if it is too large, until a smaller one is saved."""

    @property
    def is_markdown(self) -> bool:
        return self.language == "markdown" or self.path.lower().endswith(SUFFIXES)

    @cached_property
    def text(self) -> str | None:
        """The text; None if it is too large."""
        return None if self.lines is None else "".join(self.lines)

    def source(self) -> Source:
        """Return the text as a source; raises InputError as for a file with this text."""
        data = None if self.text is None else self.text.encode()
        if data is None or len(data) > MAX_BYTES:
            raise too_large(self.path)
        return Source.from_bytes(data, self.path)

    def changed(
        self, version: int, changes: Sequence[lsp.TextDocumentContentChangeEvent], encoding: str
    ) -> OpenDocument:
        """Return the document after changes, each in the text after those before it."""
        lines = self.lines
        for change in changes:
            if not isinstance(change, lsp.TextDocumentContentChangePartial):
                lines = _read_lines(change.text)
            elif lines is not None:
                lines = replace_range(lines, change.range, _valid(change.text), encoding)
        return dataclasses.replace(self, version=version, lines=lines)

    def saved(self, text: str) -> OpenDocument:
        """Return the document with the text that was saved; itself if that is the one that the changes gave."""
        lines = _read_lines(text)
        return self if lines == self.lines else dataclasses.replace(self, lines=lines)


def open_document(item: lsp.TextDocumentItem) -> OpenDocument:
    """Return a document that the client opened."""
    file = path_of(item.uri)
    path = STDIN if file is None else file
    return OpenDocument(
        item.uri, item.language_id, path, file is not None, item.version, _read_lines(item.text)
    )


def path_of(uri: str) -> str | None:
    """Return the path of a file's URI, relative to the working directory; None if it is no file."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    path = os.fsdecode(unquote_to_bytes(parts.path))
    if parts.scheme != "file" or not path.startswith("/") or "\0" in path:
        return None
    if os.name == "nt":
        from pygls.uris import to_fs_path

        path = to_fs_path(uri) or path
    return relative_path(os.path.realpath(path))


def uri_of(path: str) -> str:
    """Return the URI of a file."""
    return Path(os.path.abspath(path)).as_uri()


def _read_lines(text: str) -> list[str] | None:
    return None if len(text) > MAX_BYTES else split_lines(_valid(text))


def _valid(text: str) -> str:
    """Return a text without lone surrogates, which no file can contain; its length in code units is the same."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
