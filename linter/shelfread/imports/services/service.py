"""One request to a service of bibliographic data, and the values of its answer, which may be anything."""

from __future__ import annotations

import asyncio
import html
import json
from collections.abc import Mapping
from typing import Any

from shelfread.core.patterns import lazy
from shelfread.links.exchange import Fetch, FetchError, Reply, Request
from shelfread.links.http.attempts import retry_after

_LONGEST_WAIT = 30.0
"""Seconds of a Retry-After that are waited for, once."""
_BUSY = (429, 503)
_LONGEST_TEXT = 4000
"""Characters of a text; longer ones are cut."""
_MOST = 5000
"""Items of a list; a paper may have three thousand authors."""
_TAG = lazy(r"</?[A-Za-z][\w:-]{0,30}(?:\s[^<>]{0,200})?/?>")
UNSEEN = lazy(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that no text has: controls, marks that turn the direction, surrogates."""


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
