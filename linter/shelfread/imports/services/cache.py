"""What services answered in earlier runs, in one SQLite file like that of `links`."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from shelfread.core.support.database import RowFile
from shelfread.imports.services.untrusted import doi_of, list_of, text_of, url_of, year_of
from shelfread.index.answers import Work

MAX_AGE = 30 * 86400
"""Seconds for which an answer is used."""
MAX_AGE_OF_NOTHING = 7 * 86400
"""Seconds for which it is believed that a service does not know a paper."""
_MAX_ROW = 1 << 20


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
        answers: dict[str, tuple[Work, ...]] = {}
        for name, answered_at, record in self._rows.read(
            [f"{source} {key}" for key in dict.fromkeys(keys)], _MAX_ROW
        ):
            works = _decode(record)
            if works is not None and 0 <= now - answered_at <= (MAX_AGE if works else MAX_AGE_OF_NOTHING):
                answers[name.partition(" ")[2]] = works
        return answers

    def put(self, source: str, answers: Mapping[str, tuple[Work, ...]], now: float) -> None:
        """Keep the answers of a source, unless another process is writing."""
        self._rows.write((f"{source} {key}", now, _encode(works)) for key, works in answers.items())


def _encode(works: Iterable[Work]) -> str:
    return json.dumps([{key: value for key, value in work._asdict().items() if value} for work in works])


def _decode(text: object) -> tuple[Work, ...] | None:
    """Return works from a row, which may be anything; None if they are no works."""
    if not isinstance(text, str):
        return None
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, list) or not all(isinstance(item, dict) for item in data):
        return None
    return tuple(
        Work(
            source=text_of(item.get("source")),
            title=text_of(item.get("title")),
            authors=tuple(map(text_of, list_of(item.get("authors")))),
            venue=text_of(item.get("venue")),
            is_preprint=item.get("is_preprint") is True,
            year=year_of(item.get("year")),
            doi=doi_of(item.get("doi")),
            arxiv=text_of(item.get("arxiv")),
            url=url_of(item.get("url")),
            code=url_of(item.get("code")),
            description=text_of(item.get("description")),
        )
        for item in data
    )
