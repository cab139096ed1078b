"""The text of a file, decoded once, with its lines and offsets."""

from __future__ import annotations

import os
import stat
from bisect import bisect_right
from functools import cached_property
from itertools import accumulate

from shelfread.core.errors import InputError, reason_of
from shelfread.core.patterns import lazy

MAX_BYTES = 16 << 20  # the size of the largest file that is read as a list
# Only these end a line; str.splitlines() would also split at \f, U+2028 and others.
_NEWLINE = lazy(r"\r\n|\n|\r")
_NEWLINE_BYTES = lazy(rb"\r\n|\n|\r")
_BOM = b"\xef\xbb\xbf"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_BEGINNING = 1024


class Source:
    """A file's text, without BOM and with its newlines.

    `path` is the name in reports; None for text that is not from a file.
    """

    def __init__(self, text: str, path: str | None = None, bom: bool = False) -> None:
        self.text = text
        self.path = path
        self.bom = bom

    @classmethod
    def from_bytes(cls, data: bytes, path: str | None = None) -> Source:
        """Decode UTF-8. Raises InputError at the first invalid byte or NUL."""
        bom = data.startswith(_BOM)
        body = data[3:] if bom else data
        try:
            text = body.decode("utf-8")
        except UnicodeDecodeError as error:
            # A picture, an archive; a text in UTF-16 can be saved as UTF-8.
            if b"\0" in body[:_BEGINNING] and not body.startswith(_UTF_16):
                message = "this is no text file: name a Markdown file"
                raise InputError(message, path) from None
            byte = error.start + (3 if bom else 0)
            raise InputError(
                f"not UTF-8 at byte {byte} (0x{body[error.start]:02x}): save the file as UTF-8",
                path,
                len(_NEWLINE_BYTES.findall(body, 0, error.start)) + 1,
            ) from None
        if "\0" in text:
            before = text[: text.index("\0")]
            raise InputError(
                "a NUL character: this is no text file, or it was saved as UTF-16; save it as UTF-8",
                path,
                len(_NEWLINE.findall(before)) + 1,
            )
        return cls(text, path, bom)

    def to_bytes(self, text: str) -> bytes:
        """Encode a new text for this file, with a BOM if the file has one."""
        return (_BOM if self.bom else b"") + text.encode("utf-8")

    @cached_property
    def lines(self) -> list[str]:
        """The lines without their newlines; the last one, perhaps empty, is what follows the last newline."""
        return self.text.split("\n") if "\r" not in self.text else _NEWLINE.split(self.text)

    @cached_property
    def starts(self) -> list[int]:
        """The offset of each line, from 0."""
        if "\r" in self.text:
            return [0, *(match.end() for match in _NEWLINE.finditer(self.text))]
        return [0, *accumulate([len(line) + 1 for line in self.lines[:-1]])]

    @cached_property
    def newline(self) -> str:
        """The newline for new lines: the first one of the text."""
        match = _NEWLINE.search(self.text)
        return match.group() if match else "\n"

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column of an offset, both from 1, in code points."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a line and column, both from 1; a column beyond the line is its end."""
        return self.starts[line - 1] + min(column - 1, len(self.lines[line - 1]))

    def start_of(self, line: int) -> int:
        """Return the offset of a line, from 0; that of the text's end behind the last line."""
        return self.starts[line] if line < len(self.starts) else len(self.text)

    def line_at(self, offset: int) -> int:
        """Return the line index of an offset, from 0."""
        return bisect_right(self.starts, offset) - 1

    def with_blanks(self, first: int, last: int) -> tuple[int, int]:
        """Return the range to remove with the text `first:last`: the spaces on one side of it, or its lines if it is alone."""
        text = self.text
        start, end = first, last
        while start > 0 and text[start - 1] in " \t":
            start -= 1
        begins = start == 0 or text[start - 1] in "\r\n"
        while end < len(text) and text[end] in " \t":
            end += 1
        ends = end == len(text) or text[end] in "\r\n"
        if not ends:
            return (first, end) if begins or start < first else (first, last)
        if not begins or end == len(text):
            return start, end
        return start, end + (2 if text.startswith("\r\n", end) else 1)


def read_bytes(path: str) -> bytes:
    """Return the bytes of a regular file. Raises InputError if it cannot be read."""
    try:
        status = os.stat(path)
        if stat.S_ISDIR(status.st_mode):
            raise InputError("a folder: name a file in it", path)
        if not stat.S_ISREG(status.st_mode):
            raise InputError("not a regular file: pipe it to '-'", path)
        if status.st_size > MAX_BYTES:
            raise too_large(path)
        with open(path, "rb") as stream:
            return stream.read()
    except OSError as error:
        raise InputError(f"cannot be read: {reason_of(error)}", path) from None


def read_start(path: str, most: int) -> str | None:
    """Return at most so many characters of a regular file, as a pipe would never answer; None if it cannot be read."""
    try:
        if not os.path.isfile(path):
            return None
        with open(path, encoding="utf-8", errors="replace") as stream:
            return stream.read(most)
    except (OSError, ValueError):
        return None


def too_large(path: str) -> InputError:
    """Return the error for a file larger than MAX_BYTES."""
    return InputError(f"larger than {MAX_BYTES >> 20} MiB: split the list or exclude the file", path)
