"""What services answered in earlier runs, in one SQLite file like that of `links`: every value is validated."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from shelfread.core.database import RowFile
from shelfread.imports.services.service import UNSEEN
from shelfread.index.answers import Work

MAX_AGE = 30 * 86400
"""Seconds for which an answer is used."""
MAX_AGE_OF_NOTHING = 7 * 86400
"""Seconds for which it is believed that a service does not know a paper."""
_MAX_ROW = 1 << 20

# As `service.py` makes them of answers: texts in one line, addresses that can stand in Markdown.
_Text = Annotated[str, Meta(pattern=rf"\A[^{UNSEEN}]*\Z")]
_Doi = Annotated[str, Meta(pattern=r"\A(?:10\.\S+)?\Z")]
_Url = Annotated[str, Meta(pattern=r"\A(?:(?i:https?)://[^\s<>()\[\]\"\\`]*)?\Z")]
_Year = Annotated[int, Meta(ge=1800, le=2100)]


class _WorkRow(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    source: _Text
    title: _Text
    authors: tuple[_Text, ...] = ()
    venue: _Text = ""
    is_preprint: bool = False
    year: _Year | None = None
    doi: _Doi = ""
    arxiv: _Text = ""
    url: _Url = ""
    code: _Url = ""
    description: _Text = ""


_DECODER = msgspec.json.Decoder(list[_WorkRow])


class WorkCache:
    """Works by source and key. If the file cannot be used there is a warning, and nothing is kept."""

    def __init__(self, path: Path, warn: Callable[[str], None]) -> None:
        """Open the cache, created if it is missing; never raises because of the file."""
        self._rows = RowFile(path, "works", warn)

    def __enter__(self) -> WorkCache:
        return self

    def __exit__(self, *_: object) -> None:
        self._rows.delete_before(time.time() - MAX_AGE)
        self._rows.close()

    def get(self, source: str, keys: Iterable[str], now: float) -> dict[str, tuple[Work, ...]]:
        """Return the answers of a source that are new enough; `now` is in seconds since the epoch."""
        names = [f"{source} {key}" for key in dict.fromkeys(keys)]
        answers: dict[str, tuple[Work, ...]] = {}
        for name, answered_at, record in self._rows.read(names, _MAX_ROW):
            works = _decode(record)
            if works is not None and 0 <= now - answered_at <= (MAX_AGE if works else MAX_AGE_OF_NOTHING):
                answers[name.partition(" ")[2]] = works
        return answers

    def put(self, source: str, answers: Mapping[str, tuple[Work, ...]], now: float) -> None:
        """Keep the answers of a source, unless another process is writing."""
        self._rows.write(
            (
                f"{source} {key}",
                now,
                msgspec.json.encode([_WorkRow(**work._asdict()) for work in works]).decode(),
            )
            for key, works in answers.items()
        )


def _decode(text: object) -> tuple[Work, ...] | None:
    """Return works from a row, which may be anything; None if they are no works."""
    if not isinstance(text, str):
        return None
    try:
        rows = _DECODER.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return None
    return tuple(Work(**msgspec.structs.asdict(row)) for row in rows)
