"""What services answered in earlier runs, in one SQLite file like that of `links`: every value is validated."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import msgspec

from shelfread.core.database import RowFile
from shelfread.imports.services.service import UNSEEN, doi_of, url_of, year_of
from shelfread.index.answers import Work

MAX_AGE = 30 * 86400
"""Seconds for which an answer is used."""
MAX_AGE_OF_NOTHING = 7 * 86400
"""Seconds for which it is believed that a service does not know a paper."""
_MAX_ROW = 1 << 20
_DECODER = msgspec.json.Decoder(list[Work])


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
            (f"{source} {key}", now, msgspec.json.encode(works).decode()) for key, works in answers.items()
        )


def _decode(text: object) -> tuple[Work, ...] | None:
    """Return works from a row, which may be anything; None if they are no works."""
    if not isinstance(text, str):
        return None
    try:
        works = _DECODER.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return None
    return tuple(works) if all(map(_is_answer, works)) else None


def _is_answer(work: Work) -> bool:
    """Return whether a work is as `service.py` makes it of an answer: texts in one line, addresses that Markdown can hold."""
    texts = (work.source, work.title, work.venue, work.arxiv, work.description, *work.authors)
    is_address = doi_of(work.doi) == work.doi and all(url_of(url) == url for url in (work.url, work.code))
    return is_address and year_of(work.year) == work.year and not any(map(UNSEEN.search, texts))
