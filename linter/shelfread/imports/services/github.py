"""Repositories at GitHub: <https://docs.github.com/en/rest/repos/repos#get-a-repository>."""

from __future__ import annotations

import json

from shelfread.imports.services.service import ServiceError, answer
from shelfread.imports.services.untrusted import mapping_of, text_of, url_of
from shelfread.index.answers import Work
from shelfread.links.exchange import Fetch, Request
from shelfread.links.network_settings import Endpoints
from shelfread.links.registries.repositories import authorization

NAME = "GitHub"


async def fetch_repository(name: str, fetch: Fetch, endpoints: Endpoints, token: str) -> Work | None:
    """Return the repository `owner/name`; None if there is none. Raises ServiceError if GitHub does not answer."""
    headers = {"Accept": "application/vnd.github+json", **authorization(endpoints, token)}
    request = Request(f"{endpoints.github_api}/repos/{name}", headers=headers)
    reply = await answer(NAME, request, fetch, missing=404)
    if reply.status == 404:
        return None
    try:
        data = mapping_of(json.loads(reply.body))
    except (ValueError, RecursionError):
        raise ServiceError(NAME, "answered with something that is no JSON") from None
    title, url = text_of(data.get("name")), url_of(data.get("html_url"))
    if text_of(data.get("full_name")).lower() != name.lower() or not title or not url:
        raise ServiceError(NAME, f"answered with another repository than {name}")
    return Work(NAME, title, url=url, code=url, description=text_of(data.get("description")))
