"""Repositories at GitHub, fifty in one request: missing, renamed, archived.

<https://docs.github.com/en/graphql>: a missing repository is null, with an error of the type NOT_FOUND; a renamed one is
found by its old name.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from shelfread.core.patterns import lazy
from shelfread.document.identity import identify
from shelfread.index.answers import FOUND, Hop, LinkRecord, Verdict
from shelfread.links.exchange import Endpoints, Fetch, Reply, Request
from shelfread.links.registry import Lookup, Registry, get, look_up_each, read_json, site_of

_API = "https://api.github.com"
_BATCH = 50
_REPOSITORY = lazy(r"[A-Za-z0-9][A-Za-z0-9-]{0,38}/(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}")
_FIELDS = "nameWithOwner isArchived isPrivate"


class GitHub(Registry):
    """GitHub's API, which needs a token."""

    host = "github.com"

    def __init__(self, endpoints: Endpoints, token: str = "") -> None:
        super().__init__(endpoints)
        self._token = token
        self.refusal = ""  # why the API did not answer, for people

    def claims(self, url: str) -> str | None:
        """Return the `owner/name` of a repository's own page, in lower case."""
        site = site_of(url) if self._token else None
        below = site is None or site.path.strip("/").count("/") > 1
        repository = None if below else repository_of(url)
        return None if repository is None else repository.lower()

    async def look_up(self, keys: Sequence[str], fetch: Fetch, now: float) -> Lookup:
        """Return what the API knows; what is missing there counts as dead if its page answers 404."""
        keys = [key for key in dict.fromkeys(keys) if _REPOSITORY.fullmatch(key)]
        records: Lookup = dict.fromkeys(keys)
        missing: list[str] = []
        for start in range(0, len(keys), _BATCH):
            batch = keys[start : start + _BATCH]
            reply = await get(fetch, self._request(batch))
            facts_by_key = _read(reply, batch)
            if facts_by_key is None:  # rate limit exceeded, or an invalid token
                if reply is not None:
                    self.refusal = "refused the token" if reply.status == 401 else f"answered {reply.status}"
                break
            for key, facts in facts_by_key.items():
                if facts is None:
                    missing.append(key)
                else:
                    records[key] = self._record(key, facts, now)
        records.update(await look_up_each(missing, lambda key: self._look_up_one(key, fetch, now)))
        return records

    async def _look_up_one(self, key: str, fetch: Fetch, now: float) -> LinkRecord | None:
        # Pages of users and products look like repositories.
        reply = await get(fetch, Request(f"{self.endpoints.github}/{key}", "HEAD"))
        if reply is None or reply.status != 404:
            return None
        return self._dead(f"https://github.com/{key}", now, "GitHub has no such repository")

    async def describe(
        self, records: Mapping[str, LinkRecord], fetch: Fetch, now: float
    ) -> dict[str, LinkRecord]:
        """Return the records; those of pages in an archived repository are marked as archived."""
        pages = {
            url: repository.lower()
            for url, record in records.items()
            if self._token and not record.archived and record.source == "web" and record.verdict in FOUND
            if (repository := repository_of(url)) is not None
        }
        known = await self.look_up(list(pages.values()), fetch, now) if pages else {}
        described = dict(records)
        for url, key in pages.items():
            if (record := known.get(key)) is not None and record.archived:
                described[url] = described[url]._replace(archived=record.archived)
        return described

    def _request(self, keys: Sequence[str]) -> Request:
        indexes = range(len(keys))
        declared = ",".join(f"$o{i}:String!,$n{i}:String!" for i in indexes)
        fields = " ".join(f"r{i}:repository(owner:$o{i},name:$n{i}){{{_FIELDS}}}" for i in indexes)
        variables = {}
        for index, key in enumerate(keys):
            variables[f"o{index}"], variables[f"n{index}"] = key.split("/")
        body = json.dumps({"query": f"query({declared}){{{fields}}}", "variables": variables}).encode()
        headers = {"Content-Type": "application/json", **authorization(self.endpoints, self._token)}
        return Request(f"{self.endpoints.github_api}/graphql", "POST", headers, body)

    def _record(self, key: str, facts: Mapping[str, object], now: float) -> LinkRecord | None:
        name = facts.get("nameWithOwner")
        is_public = facts.get("isPrivate") is False  # others are visible to the token, but not to readers
        if not is_public or not isinstance(name, str) or not _REPOSITORY.fullmatch(name):
            return None
        url = f"https://github.com/{key}"
        record = self._alive(url, now, "GitHub has the repository")
        if name.lower() != key:
            hops = (Hop(url, 301), Hop(f"https://github.com/{name}", 200))
            record = record._replace(verdict=Verdict.MOVED, reason=f"renamed to {name}", hops=hops)
        return record._replace(archived="archived" if facts.get("isArchived") is True else "")


def other_server(environ: Mapping[str, str] = os.environ) -> str:
    """Return the API to which a token of the environment belongs, if a workflow of another server names it."""
    api = environ.get("GITHUB_API_URL", "").rstrip("/").lower()
    server = environ.get("GITHUB_SERVER_URL", "").rstrip("/").lower()
    if api and api != _API:
        return api
    return server if server not in ("", "https://github.com") and not api else ""


def read_token(environ: Mapping[str, str] = os.environ) -> str:
    """Return the token for GitHub of the environment, if it is not for another server and can be sent as a header, or ""."""
    if other_server(environ):
        return ""
    token = (environ.get("GITHUB_TOKEN") or environ.get("GH_TOKEN") or "").strip()
    return token if token.isascii() and token.isprintable() and " " not in token else ""


def authorization(endpoints: Endpoints, token: str) -> dict[str, str]:
    """Return the header with the token, for GitHub's own API only, never for an endpoint that replaces it."""
    parts = urlsplit(endpoints.github_api)
    own = parts.scheme == "https" and parts.netloc.lower() == "api.github.com"
    return {"Authorization": f"Bearer {token}"} if token and own else {}


def repository_of(url: str) -> str | None:
    """Return the `owner/name` of a URL at GitHub, as written."""
    site = site_of(url)
    if site is None or site.host != "github.com":
        return None
    repository = identify(f"https://github.com{site.path}").get("github", "")
    written = "/".join(site.path.split("/")[1:3]).removesuffix(".git")
    return repository if repository == written and _REPOSITORY.fullmatch(repository) else None


def _read(reply: Reply | None, keys: Sequence[str]) -> dict[str, Mapping[str, object] | None] | None:
    """The facts of each repository, None for a missing one; None for all if the request failed."""
    if reply is None or reply.status != 200:
        return None
    answer = read_json(reply.body)
    data, errors = answer.get("data"), answer.get("errors", [])
    if not isinstance(data, dict) or not isinstance(errors, list):
        return None
    missing = set()
    for error in errors:
        if not isinstance(error, dict) or str(error.get("type")).startswith("RATE_LIMIT"):
            return None
        path = error.get("path")
        if error.get("type") == "NOT_FOUND" and isinstance(path, list) and len(path) == 1:
            missing.add(str(path[0]))
    facts_by_key: dict[str, Mapping[str, object] | None] = {}
    for index, key in enumerate(keys):
        alias = f"r{index}"
        facts = data.get(alias, "")  # null: there is no such repository; no key: the answer is incomplete
        if isinstance(facts, dict) or (facts is None and alias in missing):
            facts_by_key[key] = facts
    return facts_by_key
