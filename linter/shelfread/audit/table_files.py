"""The tables of an audit, written as their rows come: Parquet, CSV or JSON Lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from shelfread.audit.audit_rows import TABLES, Row, columns
from shelfread.core.atomic_write import stream_atomically
from shelfread.core.extras import has, need
from shelfread.exports.entry_formats import cell
from shelfread.report.json_text import dumps

if TYPE_CHECKING:
    import pyarrow as pa

FORMATS = ("parquet", "csv", "jsonl")
_ROWS = 20_000
"""So many rows of a table are written at once; in Parquet they are a row group."""
_SEPARATORS = {"section": " > "}
"""What joins several texts in a cell, where it is not `; `."""
Write = Callable[[Sequence[Row]], None]


def choose_format(form: str | None) -> str:
    """Return the format of the tables: by default Parquet, or CSV if its library is not installed.

    Raises ConfigError if Parquet is asked for and cannot be written.
    """
    if form == "parquet":
        need("audit", "Parquet", ", or use --format csv or jsonl")
    return form or ("parquet" if has("audit") else "csv")


@contextmanager
def open_tables(output: Path, form: str) -> Iterator[Callable[[str, Row], None]]:
    """Give a function that adds a row to a table; at the end of the block the new tables replace the old ones."""
    with ExitStack() as stack:
        tables = {name: _Table(stack, output / f"{name}.{form}", form, kind) for name, kind in TABLES.items()}
        yield lambda name, row: tables[name].add(row)
        for table in tables.values():
            table.flush()


class _Table:
    def __init__(self, stack: ExitStack, path: Path, form: str, kind: type[Row]) -> None:
        stream = stack.enter_context(stream_atomically(path))
        self._write = stack.enter_context(_WRITERS[form](stream, kind))
        self._rows: list[Row] = []

    def add(self, row: Row) -> None:
        self._rows.append(row)
        if len(self._rows) == _ROWS:
            self.flush()

    def flush(self) -> None:
        self._write(self._rows)
        self._rows.clear()


@contextmanager
def _parquet(stream: BinaryIO, kind: type[Row]) -> Iterator[Write]:
    import pyarrow as pa
    from pyarrow.parquet import ParquetWriter

    schema = _schema(kind)

    def write(rows: Sequence[Row]) -> None:
        values: Sequence[Sequence[object]] = list(zip(*rows, strict=True)) or [[]] * len(schema)
        arrays = [pa.array(column, type=field.type) for column, field in zip(values, schema, strict=True)]
        if rows:
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))

    with ParquetWriter(stream, schema, compression="zstd") as writer:
        yield write


def _schema(kind: type[Row]) -> pa.Schema:
    import pyarrow as pa

    types = {str: pa.string(), int: pa.int64(), bool: pa.bool_(), tuple: pa.list_(pa.string())}
    return pa.schema(
        pa.field(column.name, types[column.type], nullable=column.nullable) for column in columns(kind)
    )


@contextmanager
def _csv(stream: BinaryIO, kind: type[Row]) -> Iterator[Write]:
    names = [column.name for column in columns(kind)]
    stream.write(",".join(names).encode() + b"\r\n")

    def value(name: str, given: object) -> object:
        if isinstance(given, bool):
            return str(given).lower()
        return _SEPARATORS.get(name, "; ").join(given) if isinstance(given, list | tuple) else given

    def write(rows: Sequence[Row]) -> None:
        for row in rows:
            cells = (cell(value(name, given)) for name, given in zip(names, row, strict=True))
            stream.write(f"{','.join(cells)}\r\n".encode("utf-8", "backslashreplace"))

    yield write


@contextmanager
def _jsonl(stream: BinaryIO, kind: type[Row]) -> Iterator[Write]:
    names = [column.name for column in columns(kind)]

    def write(rows: Sequence[Row]) -> None:
        for row in rows:
            line = dumps(dict(zip(names, row, strict=True)), indent=None)
            stream.write(f"{line}\n".encode("utf-8", "backslashreplace"))

    yield write


_WRITERS: Mapping[str, Callable[[BinaryIO, type[Row]], AbstractContextManager[Write]]] = {
    "parquet": _parquet,
    "csv": _csv,
    "jsonl": _jsonl,
}
