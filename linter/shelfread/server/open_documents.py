"""The texts that the client has open, and positions of the protocol as offsets in them.

A position is a line and a count of code units, both from 0. Lines end with LF, CRLF or CR, as in `Source`. The code
units are those of the encoding that client and server agreed on. Offsets count code points, as everywhere.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote_to_bytes, urlsplit

from lsprotocol import types as lsp

from shelfread.core.diagnostics import Span
from shelfread.core.source import MAX_BYTES, Source, too_large
from shelfread.document.file_kind import SUFFIXES
from shelfread.project.files import STDIN, relative_path

# For each encoding the codec and the size of a code unit.
_UNIT_BYTES = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


def _count_units(text: str, encoding: str) -> int:
    if encoding == "utf-32" or text.isascii():
        return len(text)
    codec, size = _UNIT_BYTES[encoding]
    return len(text.encode(codec)) // size


def _count_code_points(line: str, units: int, encoding: str) -> int:
    """Return how many code points of a line take `units` code units at most; all if the line is shorter."""
    if encoding == "utf-32" or line.isascii():
        return min(units, len(line))
    codec, size = _UNIT_BYTES[encoding]
    # The part of a character at the end is ignored: a position within a character is that of the character.
    return len(line.encode(codec)[: units * size].decode(codec, "ignore"))


class Positions:
    """Converts between the offsets of a text and positions."""

    def __init__(self, source: Source, encoding: str = "utf-16") -> None:
        self.source, self.encoding = source, encoding
        # the BOM is a character of the first line for the client; `Source` leaves it out.
        self._before = _count_units("\ufeff", encoding) if source.bom else 0

    def position(self, offset: int) -> lsp.Position:
        """Return the position of an offset; of one beyond the end, that of the end."""
        source = self.source
        line = source.line_at(min(offset, len(source.text)))
        before = source.lines[line][: offset - source.starts[line]]
        return lsp.Position(line, _count_units(before, self.encoding) + (self._before if line == 0 else 0))

    def range(self, span: Span) -> lsp.Range:
        return lsp.Range(self.position(span.start), self.position(span.end))

    def offset(self, position: lsp.Position) -> int:
        """Return the offset of a position; one beyond the end of its line or of the text is that end."""
        lines, line = self.source.lines, position.line
        if line >= len(lines):
            return len(self.source.text)
        units = position.character - (self._before if line == 0 else 0)
        return self.source.starts[line] + _count_code_points(lines[line], max(units, 0), self.encoding)

    def span(self, range: lsp.Range) -> Span:
        """Return the span of a range; the end of a range that ends before it starts is its start."""
        start = self.offset(range.start)
        return Span(start, max(start, self.offset(range.end)))


def split_lines(text: str) -> list[str]:
    """Return the lines of a text with their newlines; the last one, perhaps empty, has none."""
    source = Source(text)
    return [text[start:end] for start, end in pairwise([*source.starts, len(text)])]


@dataclass(frozen=True, eq=False)
class OpenDocument:
    """An open text at one version; each change makes another one."""

    uri: str
    language: str
    path: str
    is_file: bool  # whether it is a file, perhaps one that is not saved yet
    version: int
    text: str | None  # none if it is too large, until another one takes its place

    @property
    def is_markdown(self) -> bool:
        return self.language == "markdown" or self.path.lower().endswith(SUFFIXES)

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
        text = self.text
        for change in changes:
            if not isinstance(change, lsp.TextDocumentContentChangePartial):
                text = _read_text(change.text)
            elif text is not None:
                start, end = Positions(Source(text), encoding).span(change.range)
                text = text[:start] + _valid(change.text) + text[end:]
        return dataclasses.replace(self, version=version, text=text)


def open_document(item: lsp.TextDocumentItem) -> OpenDocument:
    file = path_of(item.uri)
    path = STDIN if file is None else file
    return OpenDocument(
        item.uri, item.language_id, path, file is not None, item.version, _read_text(item.text)
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


def _read_text(text: str) -> str | None:
    return None if len(text) > MAX_BYTES else _valid(text)


def _valid(text: str) -> str:
    """Return a text without lone surrogates, which no file can contain; its length in code units is the same."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
