"""The tables of an audit, written as their rows come: Parquet, CSV or JSON Lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO

from shelfread.audit.audit_rows import TABLES, Row, columns
from shelfread.core.extras import has, need
from shelfread.core.file_writing import stream_atomically
from shelfread.exports.entry_formats import cell
from shelfread.report.json_text import dumps

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
    waiting: dict[str, list[Row]] = {name: [] for name in TABLES}
    with ExitStack() as stack:
        writers = {
            name: stack.enter_context(
                _WRITERS[form](stack.enter_context(stream_atomically(output / f"{name}.{form}")), kind)
            )
            for name, kind in TABLES.items()
        }

        def add(name: str, row: Row) -> None:
            waiting[name].append(row)
            if len(waiting[name]) == _ROWS:
                writers[name](waiting[name])
                waiting[name].clear()

        yield add
        for name, rows in waiting.items():
            if rows:
                writers[name](rows)


@contextmanager
def _parquet(stream: BinaryIO, kind: type[Row]) -> Iterator[Write]:
    import pyarrow as pa
    from pyarrow.parquet import ParquetWriter

    types = {str: pa.string(), int: pa.int64(), bool: pa.bool_(), tuple: pa.list_(pa.string())}
    schema = pa.schema(
        pa.field(column.name, types[column.type], nullable=column.nullable) for column in columns(kind)
    )

    def write(rows: Sequence[Row]) -> None:
        values: Iterable[Sequence[object]] = zip(*rows, strict=True)
        arrays = [pa.array(column, type=field.type) for column, field in zip(values, schema, strict=True)]
        writer.write_table(pa.Table.from_arrays(arrays, schema=schema))

    with ParquetWriter(stream, schema, compression="zstd") as writer:
        yield write


@contextmanager
def _csv(stream: BinaryIO, kind: type[Row]) -> Iterator[Write]:
    stream.write(",".join(kind._fields).encode() + b"\r\n")

    def text(name: str, value: object) -> str:
        if isinstance(value, bool):
            return str(value).lower()
        return cell(_SEPARATORS.get(name, "; ").join(value) if isinstance(value, list | tuple) else value)

    def write(rows: Sequence[Row]) -> None:
        for row in rows:
            cells = map(text, kind._fields, row)
            stream.write(f"{','.join(cells)}\r\n".encode("utf-8", "backslashreplace"))

    yield write


@contextmanager
def _jsonl(stream: BinaryIO, kind: type[Row]) -> Iterator[Write]:
    def write(rows: Sequence[Row]) -> None:
        for row in rows:
            stream.write(f"{dumps(row._asdict(), indent=None)}\n".encode("utf-8", "backslashreplace"))

    yield write


_WRITERS: Mapping[str, Callable[[BinaryIO, type[Row]], AbstractContextManager[Write]]] = {
    "parquet": _parquet,
    "csv": _csv,
    "jsonl": _jsonl,
}
