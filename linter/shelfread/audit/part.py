"""The rows of one list as a file: compressed JSON, a row on each line, the list's first."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from io import BytesIO
from typing import Any, BinaryIO

from shelfread.audit.rows import TABLES, ListRow, Row

_LEVEL = 3
"""Of compression: the higher ones take more time than reading the list."""
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_MAKERS: Mapping[str, Callable[[Iterable[Any]], Row]] = {table: kind._make for table, kind in TABLES.items()}
_KINDS = {kind: table for table, kind in TABLES.items()}


def encode(row: ListRow, others: Iterable[Row] = ()) -> bytes:
    """Return the part of a list; the same rows always make the same bytes."""
    buffer = BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=buffer, compresslevel=_LEVEL, mtime=0) as stream:
        for each in (row, *others):
            line = _ENCODER.encode([_KINDS[type(each)], *each])
            stream.write(line.encode("utf-8", "replace") + b"\n")  # a name of a file need not be UTF-8
    return buffer.getvalue()


def decode(stream: BinaryIO) -> Iterator[tuple[str, Row]]:
    """Yield the rows of a part, each with the name of its table.

    Raises OSError if it cannot be read, and ValueError if it is damaged.
    """
    try:
        with gzip.open(stream, "rt", encoding="utf-8", newline="\n") as lines:
            for line in lines:
                table, *values = json.loads(line)
                yield table, _MAKERS[table](values)
    except (EOFError, KeyError, TypeError, gzip.BadGzipFile, zlib.error) as error:
        raise ValueError(f"damaged: {error}") from None
