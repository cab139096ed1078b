"""The texts that the client has open."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote_to_bytes, urlsplit

from lsprotocol import types as lsp

from shelfread.core.source import MAX_BYTES, Source, too_large
from shelfread.document.file_kind import SUFFIXES
from shelfread.project.files import relative_path
from shelfread.project.inputs import STDIN
from shelfread.server.positions import replace_range, split_lines


class OpenDocument:
    """An open text and its version; it changes with every change that the client makes."""

    def __init__(self, item: lsp.TextDocumentItem) -> None:
        self.uri, self.version, self.language = item.uri, item.version, item.language_id
        file = path_of(item.uri)
        self.is_file = file is not None
        """Whether it is a file, perhaps one that is not saved yet."""
        self.path = STDIN if file is None else file
        self._lines: list[str] | None = None
        self.replace(item.text)

    @property
    def is_markdown(self) -> bool:
        return self.language == "markdown" or self.path.lower().endswith(SUFFIXES)

    @property
    def text(self) -> str | None:
        """The text; None if it is too large, until a smaller one is saved."""
        return None if self._lines is None else "".join(self._lines)

    def change(
        self, version: int, changes: Sequence[lsp.TextDocumentContentChangeEvent], encoding: str
    ) -> bool:
        """Make changes, each in the text after those before it; return False for those of an older version."""
        if version <= self.version:
            return False
        for change in changes:
            if not isinstance(change, lsp.TextDocumentContentChangePartial):
                self.replace(change.text)
            elif self._lines is not None:
                replace_range(self._lines, change.range, _valid(change.text), encoding)
        self.version = version
        return True

    def replace(self, text: str) -> bool:
        """Take another text as a whole; return whether it differs from the one that the changes gave."""
        before = self._lines
        self._lines = None if len(text) > MAX_BYTES else split_lines(_valid(text))
        return self._lines != before


class Snapshot:
    """An open text at one version, which does not change any more."""

    def __init__(self, document: OpenDocument) -> None:
        self.uri, self.path, self.version = document.uri, document.path, document.version
        self.is_file = document.is_file
        self.text = document.text

    def is_current(self, document: OpenDocument) -> bool:
        """Return whether the document still has this text."""
        return self.version == document.version and self.text == document.text

    def source(self) -> Source:
        """Return the text as a source; raises InputError as for a file with this text."""
        data = None if self.text is None else self.text.encode()
        if data is None or len(data) > MAX_BYTES:
            raise too_large(self.path)
        return Source.from_bytes(data, self.path)


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


def _valid(text: str) -> str:
    """Return a text without lone surrogates, which no file can contain; its length in code units is the same."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
