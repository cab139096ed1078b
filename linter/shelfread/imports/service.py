"""One request to a service of bibliographic data, its answer, which may be anything, and what services answered earlier."""

from __future__ import annotations

import asyncio
import html
import json
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from shelfread.core.database import RowFile
from shelfread.core.patterns import lazy
from shelfread.index.answers import Work
from shelfread.links.attempts import retry_after
from shelfread.links.exchange import Fetch, FetchError, Reply, Request

_LONGEST_WAIT = 30.0  # seconds of a Retry-After that are waited for, once
_BUSY = (429, 503)
_LONGEST_TEXT = 4000  # characters of a text; longer ones are cut
_MOST = 5000  # items of a list; a paper may have three thousand authors
_TAG = lazy(r"</?[A-Za-z][\w:-]{0,30}(?:\s[^<>]{0,200})?/?>")
# Characters that no text has: controls, marks that turn the direction, surrogates.
UNSEEN = lazy(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


class ServiceError(Exception):
    """A service that does not answer, or with something else than data."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name} {reason}")


async def answer(name: str, request: Request, fetch: Fetch, missing: int | None = None) -> Reply:
    """Return the reply with status 200, or with the status `missing`; raises ServiceError for any other."""
    try:
        reply = await fetch(request)
        wait = retry_after(reply.headers) if reply.status in _BUSY else None
        if wait is not None and wait <= _LONGEST_WAIT:
            await asyncio.sleep(wait)
            reply = await fetch(request)
    except FetchError as error:
        raise ServiceError(name, f"does not answer: {error}") from None
    if reply.status not in (200, missing):
        raise ServiceError(
            name, "has too many requests" if reply.status == 429 else f"answered {reply.status}"
        )
    return reply


def json_of(name: str, reply: Reply) -> Mapping[str, Any]:
    """Return the JSON object of a reply; raises ServiceError for anything else."""
    try:
        data = json.loads(reply.body)
    except (ValueError, RecursionError):
        raise ServiceError(name, "answered with something that is no JSON") from None
    if not isinstance(data, dict):
        raise ServiceError(name, "answered with JSON that is no object")
    return data


# ------------------------------------------------------- texts, numbers and lists are taken, all else counts as absent
def text_of(value: object) -> str:
    """Return a text in one line, without tags and entities, as titles have them; empty for anything else."""
    if not isinstance(value, str):
        return ""
    plain = _TAG.sub("", html.unescape(value[:_LONGEST_TEXT]))
    return " ".join(UNSEEN.sub(" ", plain).split())


def list_of(value: object) -> list[Any]:
    """Return a list; a single value is one of its own, null and absent are none."""
    if value is None:
        return []
    return value[:_MOST] if isinstance(value, list) else [value]


def texts_of(value: object) -> list[str]:
    """Return the texts of a list, without what is no text."""
    return list(filter(None, map(text_of, list_of(value))))


def mapping_of(value: object) -> Mapping[str, Any]:
    """Return an object; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def year_of(value: object) -> int | None:
    """Return a year of a number or a text such as `2020` or `2020-05-01`; None for anything else."""
    digits = str(value)[:4] if isinstance(value, str | int) and not isinstance(value, bool) else ""
    year = int(digits) if digits.isascii() and digits.isdigit() else 0
    return year if 1800 <= year <= 2100 else None


def doi_of(value: object) -> str:
    """Return a DOI in lower case, without the address of its resolver."""
    doi = text_of(value).lower()
    for prefix in ("https://doi.org/", "http://dx.doi.org/", "http://doi.org/", "doi:"):
        doi = doi.removeprefix(prefix)
    return doi if doi.startswith("10.") and "/" in doi and " " not in doi else ""


def url_of(value: object) -> str:
    """Return a web address as it can stand in Markdown; empty for anything else."""
    url = text_of(value)
    is_web = url.lower().startswith(("https://", "http://")) and not set(url) & set(' <>()[]"\\`')
    return url if is_web and len(url) < 2000 else ""


MAX_AGE = 30 * 86400  # seconds for which an answer is used
MAX_AGE_OF_NOTHING = 7 * 86400  # seconds for which it is believed that a service does not know a paper
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
