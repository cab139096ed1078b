"""The rows of one list as a file: compressed JSON, a row on each line, the list's first."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import BinaryIO, TypeVar

from shelfread.audit.rows import TABLES, ListRow, Row

_LEVEL = 3
"""Of compression: the higher ones take more time than reading the list."""
_KINDS = {kind: table for table, kind in TABLES.items()}
Kind = TypeVar("Kind", bound=Row)


def encode(row: ListRow, others: Iterable[Row] = ()) -> bytes:
    """Return the part of a list; the same rows always make the same bytes."""
    buffer = BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=buffer, compresslevel=_LEVEL, mtime=0) as stream:
        for each in (row, *others):
            line = json.dumps([_KINDS[type(each)], *each], ensure_ascii=False, separators=(",", ":"))
            stream.write(line.encode("utf-8", "replace") + b"\n")  # a name of a file need not be UTF-8
    return buffer.getvalue()


def decode(stream: BinaryIO) -> Iterator[tuple[str, Row]]:
    """Yield the rows of a part, each with the name of its table.

    Raises OSError, EOFError or ValueError if it is damaged.
    """
    with gzip.GzipFile(fileobj=stream) as lines:
        for line in lines:
            table, *values = json.loads(line)
            yield table, TABLES[table](*values)
