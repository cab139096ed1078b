"""One request to a service of bibliographic data."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from shelfread.imports.services.untrusted import mapping_of
from shelfread.links.exchange import Fetch, FetchError, Reply, Request

_LONGEST_WAIT = 30.0
"""Seconds of a Retry-After that are waited for, once."""
_BUSY = (429, 503)


class ServiceError(Exception):
    """A service that does not answer, or with something else than data."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name} {reason}")


async def answer(name: str, request: Request, fetch: Fetch, missing: int | None = None) -> Reply:
    """Return the reply with status 200, or with the status `missing`; raises ServiceError for any other."""
    try:
        reply = await fetch(request)
        if reply.status in _BUSY and (wait := _seconds(reply.headers)) is not None:
            await asyncio.sleep(wait)
            reply = await fetch(request)
    except FetchError as error:
        raise ServiceError(name, f"does not answer: {error}") from None
    if reply.status not in (200, missing):
        raise ServiceError(
            name, "has too many requests" if reply.status == 429 else f"answered {reply.status}"
        )
    return reply


async def answer_json(name: str, request: Request, fetch: Fetch) -> Mapping[str, Any]:
    """Return the JSON object of a reply; raises ServiceError for anything else."""
    reply = await answer(name, request, fetch)
    try:
        data = json.loads(reply.body)
    except (ValueError, RecursionError):
        raise ServiceError(name, "answered with something that is no JSON") from None
    if not isinstance(data, dict):
        raise ServiceError(name, "answered with JSON that is no object")
    return mapping_of(data)


def _seconds(headers: Mapping[str, str]) -> float | None:
    """Return the seconds of a Retry-After that is short enough to wait for."""
    value = headers.get("retry-after", "").strip()
    if not value.isascii() or not value.isdigit() or len(value) > 6:
        return None
    return float(value) if float(value) <= _LONGEST_WAIT else None
