"""Bytes of a list, read and decoded once, with the way between offsets and lines."""

from __future__ import annotations

import os
import stat
from bisect import bisect_right
from functools import cached_property

from shelfread.core.errors import InputError
from shelfread.core.support.regex import lazy, lazy_bytes

MAX_BYTES = 10 << 20
"""The largest file that is read as a list."""
# Only these end a line; str.splitlines() would also cut at \f, U+2028 and others.
_NEWLINE = lazy(r"\r\n|\n|\r")
_NEWLINE_BYTES = lazy_bytes(rb"\r\n|\n|\r")
_BOM = b"\xef\xbb\xbf"


class Source:
    """The text of one list: `text` has no BOM and its newlines as they stand.

    `path` is the name that reports use, None for text that came from nowhere.
    """

    def __init__(self, text: str, path: str | None = None, bom: bool = False) -> None:
        self.text = text
        self.path = path
        self.bom = bom

    @classmethod
    def from_bytes(cls, data: bytes, path: str | None = None) -> Source:
        """Decode UTF-8; raises InputError at the first byte that is not, or at a NUL."""
        bom = data.startswith(_BOM)
        body = data[3:] if bom else data
        try:
            text = body.decode("utf-8")
        except UnicodeDecodeError as error:
            at = error.start + (3 if bom else 0)
            raise InputError(
                f"not UTF-8 at byte {at} (0x{body[error.start]:02x}): save the file as UTF-8",
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
        """Encode a new text for this file, with the BOM that it came with."""
        return (_BOM if self.bom else b"") + text.encode("utf-8")

    @cached_property
    def lines(self) -> list[str]:
        """The lines without their ends; one more, perhaps empty, after the last end."""
        return self.text.split("\n") if "\r" not in self.text else _NEWLINE.split(self.text)

    @cached_property
    def starts(self) -> list[int]:
        """The offset at which each line begins."""
        starts = [0]
        if "\r" in self.text:
            starts += [match.end() for match in _NEWLINE.finditer(self.text)]
        else:
            at = 0
            for line in self.lines[:-1]:
                at += len(line) + 1
                starts.append(at)
        return starts

    @cached_property
    def newline(self) -> str:
        """The newline that new lines take: the first one's style."""
        match = _NEWLINE.search(self.text)
        return match.group() if match else "\n"

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1, in code points."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """The offset of a line and column, both from 1; beyond a line's end it is that end."""
        return self.starts[line - 1] + min(column - 1, len(self.lines[line - 1]))

    def line_at(self, offset: int) -> int:
        """The line of an offset, from 0."""
        return bisect_right(self.starts, offset) - 1

    def with_blanks(self, first: int, last: int) -> tuple[int, int]:
        """A stretch that is to go, with the blanks before it; one alone on its lines with their end."""
        text = self.text
        start, end = first, last
        while start > 0 and text[start - 1] in " \t":
            start -= 1
        begins = start == 0 or text[start - 1] in "\r\n"
        while end < len(text) and text[end] in " \t":
            end += 1
        ends = end == len(text) or text[end] in "\r\n"
        if not ends:
            return first, end
        if not begins or end == len(text):
            return start, end
        return start, end + (2 if text.startswith("\r\n", end) else 1)


def read_bytes(path: str) -> bytes:
    """A regular file's bytes; raises InputError with what to do."""
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            raise InputError("no regular file: pipe it in and name it '-'", path)
        if status.st_size > MAX_BYTES:
            raise too_large(path)
        with open(path, "rb") as stream:
            return stream.read()
    except OSError as error:
        raise InputError(f"cannot be read: {(error.strerror or str(error)).lower()}", path) from None


def too_large(path: str) -> InputError:
    """The error for a file beyond the limit."""
    return InputError(
        f"larger than {MAX_BYTES >> 20} MiB, too large: split the list or exclude the file", path
    )
