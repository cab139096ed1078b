"""The files of an audit: a part for each list, so that a stopped run goes on where it was, and the tables of all."""

from __future__ import annotations

import gzip
import json
import os
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

from shelfread.audit.audit_rows import TABLES, ListRow, Row, columns
from shelfread.core.errors import InputError, has, need, reason_of
from shelfread.core.file_writing import os_errors_reported, remove_leftovers, stream_atomically, write_new
from shelfread.exports.entry_formats import cell
from shelfread.report.rendering import dumps

_ROWS = 20_000  # so many rows of a table are written at once; in Parquet they are a row group
_SEPARATORS = {"section": " > "}  # what joins several texts in a cell, where it is not `; `
Write = Callable[[Sequence[Row]], None]


def choose_format(form: str | None) -> str:
    """Return the format of the tables, by default Parquet if its library is there; raises ConfigError if it is asked for and is not."""
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

if sys.platform != "win32":
    import fcntl

_LEVEL = 3  # of compression: the higher ones take more time than reading the list
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_MAKERS: Mapping[str, Callable[[Iterable[Any]], Row]] = {table: kind._make for table, kind in TABLES.items()}
_KINDS = {kind: table for table, kind in TABLES.items()}


def encode(row: ListRow, others: Iterable[Row] = ()) -> bytes:
    """Return the part of a list; the same rows always make the same bytes."""
    lines = (_ENCODER.encode([_KINDS[type(one)], *one]) for one in (row, *others))
    data = "".join(f"{line}\n" for line in lines).encode(
        "utf-8", "replace"
    )  # a name of a file need not be UTF-8
    return gzip.compress(data, _LEVEL, mtime=0)


def _decode(stream: BinaryIO) -> Iterator[tuple[str, Row]]:
    """Yield the rows of a part, each with its table's name; raises OSError, and ValueError if it is damaged."""
    try:
        with gzip.open(stream, "rt", encoding="utf-8", newline="\n") as lines:
            for line in lines:
                table, *values = json.loads(line)
                yield table, _MAKERS[table](values)
    except (EOFError, KeyError, TypeError, gzip.BadGzipFile, zlib.error) as error:
        raise ValueError(f"damaged: {error}") from None


_PARTS = "parts"
_SUFFIX = ".jsonl.gz"
_TAG = "CACHEDIR.TAG"
_SIGNATURE = b"""Signature: 8a477f597d28d172789f06886806bc55
# The rows of each list of a `shelfread audit`, from which its tables are made (https://bford.info/cachedir/).
"""


class Store:
    """The parts in the folder of an audit."""

    def __init__(self, output: Path) -> None:
        self._folder = output / _PARTS

    def digest(self, name: str) -> str | None:
        """Return the digest of the rows that are there for a list; None without any, or if they are to be read again."""
        try:
            with open(self._path(name), "rb") as stream:
                _, row = next(_decode(stream))
        except (OSError, ValueError, StopIteration):
            return None
        return row.digest if isinstance(row, ListRow) and row.list == name and not row.error else None

    def put(self, name: str, part: bytes) -> None:
        """Write the part of a list as a whole. Raises InputError if that is impossible."""
        with stream_atomically(self._path(name)) as stream:
            stream.write(part)

    def rows(self, name: str) -> Iterator[tuple[str, Row]]:
        """Yield the rows of a list, each with the name of its table. Raises InputError if the part is damaged."""
        path = self._path(name)
        try:
            with open(path, "rb") as stream:
                yield from _decode(stream)
        except (OSError, ValueError) as error:
            raise InputError(f"cannot be read ({error}): delete it and run again", str(path)) from None

    def keep_only(self, names: Iterable[str]) -> None:
        """Remove the parts of other lists."""
        known = {self._path(name).name for name in names}
        for path in self._folder.iterdir():
            if path.name not in known and path.name.endswith(_SUFFIX):
                with suppress(OSError):
                    path.unlink()

    def _path(self, name: str) -> Path:
        return self._folder / f"{sha256(name.encode()).hexdigest()[:32]}{_SUFFIX}"


@contextmanager
def open_store(output: str) -> Iterator[Store]:
    """Give the store in a folder, to one run at a time; raises InputError for a folder with other files than an audit's."""
    folder = Path(output)
    tag = folder / _PARTS / _TAG
    if os.path.lexists(folder) and not folder.is_dir():
        raise InputError("not a folder: --output names a folder", output)
    if not _is_ours(tag):
        if folder.is_dir() and any(_entries(folder)):
            raise InputError("has other files than those of an audit: name a new or empty folder", output)
        write_new(tag, _SIGNATURE, make_folder=True)
    with os_errors_reported(tag), open(tag, "rb") as stream:
        if sys.platform != "win32":
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise InputError("another audit writes to this folder: wait for it", output) from None
        remove_leftovers([folder, tag.parent])
        yield Store(folder)


def _is_ours(tag: Path) -> bool:
    try:
        with open(tag, "rb") as stream:
            return stream.read(len(_SIGNATURE)) == _SIGNATURE
    except OSError:
        return False


def _entries(folder: Path) -> Iterator[str]:
    try:
        yield from os.listdir(folder)
    except OSError as error:
        raise InputError(f"cannot be read: {reason_of(error)}", str(folder)) from None
