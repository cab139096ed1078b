"""Repositories at GitHub, fifty a call: gone, renamed, archived.

<https://docs.github.com/en/graphql>: a repository that is not there is null, with an error of the type NOT_FOUND;
one that was renamed is found by its old name.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

from shelfread.core.link_record import Hop, Record, Verdict
from shelfread.core.support.regex import lazy
from shelfread.document.identity.identifiers import identify
from shelfread.linkcheck.registries.base import AGAIN, alive, ask_each, dead, get, read_json, site_of
from shelfread.linkcheck.registries.endpoints import Endpoints
from shelfread.linkcheck.request import Fetch, Reply, Request

_BATCH = 50
_REPOSITORY = lazy(r"[A-Za-z0-9][A-Za-z0-9-]{0,38}/(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}")
_THERE = (Verdict.ALIVE, Verdict.MOVED)
_FACTS = "nameWithOwner isArchived isPrivate"


class GitHub(NamedTuple):
    """GitHub's API, which answers for nobody without a token."""

    endpoints: Endpoints = Endpoints()
    token: str = ""
    again: float = AGAIN
    host: str = "github.com"

    def claims(self, url: str) -> str | None:
        """The `owner/name` of a repository's own page, in small letters."""
        repository = repository_of(url) if self.token else None
        return None if repository is None or _below(url) else repository.lower()

    def concerns(self, url: str) -> str | None:
        """The same for a page within a repository too: the API knows the repository, and not the page."""
        repository = repository_of(url) if self.token else None
        return repository.lower() if repository else None

    async def ask(self, keys: Sequence[str], fetch: Fetch, now: float) -> dict[str, Record | None]:
        """What the API knows; what it does not is dead once the page says 404 as well."""
        keys = [key for key in dict.fromkeys(keys) if _REPOSITORY.fullmatch(key)]
        found: dict[str, Record | None] = dict.fromkeys(keys)
        gone: list[str] = []
        for at in range(0, len(keys), _BATCH):
            some = keys[at : at + _BATCH]
            reply = await get(fetch, self._request(some))
            said = _read(reply, some)
            if said is None:  # too many questions, or a token that is worth nothing
                break
            for key, facts in said.items():
                if facts is None:
                    gone.append(key)
                else:
                    found[key] = self._record(key, facts, now)

        async def look(key: str) -> Record | None:
            # The page of a user, of a product: what has the form of a repository may be none.
            reply = await get(fetch, Request(f"{self.endpoints.github}/{key}", "HEAD"))
            if reply is None or reply.status != 404:
                return None
            return dead(f"https://github.com/{key}", self.host, now, "GitHub has no such repository")

        found.update(await ask_each(gone, look))
        return found

    async def describe(self, records: Mapping[str, Record], fetch: Fetch, now: float) -> dict[str, Record]:
        """The records, those of pages within a repository with what the API says of the repository itself."""
        within = {
            url: key
            for url, record in records.items()
            if not record.archived and record.source == "web" and record.verdict in _THERE
            if (key := self.concerns(url)) is not None
        }
        known = await self.ask(list(within.values()), fetch, now) if within else {}
        found = dict(records)
        for url, key in within.items():
            if (repository := known.get(key)) is not None and repository.archived:
                found[url] = found[url]._replace(archived=repository.archived)
        return found

    def _request(self, keys: Sequence[str]) -> Request:
        declared = ",".join(f"$o{at}:String!,$n{at}:String!" for at in range(len(keys)))
        asked = " ".join(f"r{at}:repository(owner:$o{at},name:$n{at}){{{_FACTS}}}" for at in range(len(keys)))
        variables = {}
        for at, key in enumerate(keys):
            variables[f"o{at}"], variables[f"n{at}"] = key.split("/")
        body = json.dumps({"query": f"query({declared}){{{asked}}}", "variables": variables}).encode()
        headers = {"Content-Type": "application/json", **authorization(self.endpoints, self.token)}
        return Request(f"{self.endpoints.github_api}/graphql", "POST", headers, body)

    def _record(self, key: str, facts: Mapping[str, object], now: float) -> Record | None:
        name = facts.get("nameWithOwner")
        if facts.get("isPrivate") is not False or not isinstance(name, str):
            return None  # the token sees what readers do not
        if not _REPOSITORY.fullmatch(name):
            return None
        url = f"https://github.com/{key}"
        record = alive(url, self.host, now, "GitHub has the repository")
        if name.lower() != key:
            hops = (Hop(url, 301), Hop(f"https://github.com/{name}", 200))
            record = record._replace(verdict=Verdict.MOVED, reason=f"renamed to {name}", hops=hops)
        return record._replace(archived="archived" if facts.get("isArchived") is True else "")


def read_token(environ: Mapping[str, str] = os.environ) -> str:
    """The token of the environment; none where it is not one that a header can bear."""
    token = (environ.get("GITHUB_TOKEN") or environ.get("GH_TOKEN") or "").strip()
    return token if token.isascii() and token.isprintable() and " " not in token else ""


def authorization(endpoints: Endpoints, token: str) -> dict[str, str]:
    """The header with the token: for GitHub's own API alone, never for what stands in its place."""
    parts = urlsplit(endpoints.github_api)
    own = parts.scheme == "https" and parts.netloc.lower() == "api.github.com"
    return {"Authorization": f"Bearer {token}"} if token and own else {}


def repository_of(url: str) -> str | None:
    """The `owner/name` that an address of GitHub lies in, as written."""
    site = site_of(url)
    if site is None or site.host != "github.com":
        return None
    repository = identify(f"https://github.com{site.path}").get("github", "")
    written = "/".join(site.path.split("/")[1:3]).removesuffix(".git")
    return repository if repository == written and _REPOSITORY.fullmatch(repository) else None


def _below(url: str) -> bool:
    site = site_of(url)
    return site is None or len(site.path.strip("/").split("/")) > 2


def _read(reply: Reply | None, keys: Sequence[str]) -> dict[str, Mapping[str, object] | None] | None:
    """The facts of each repository, None for one that is not there; None for all where the call failed."""
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
    said: dict[str, Mapping[str, object] | None] = {}
    for at, key in enumerate(keys):
        alias = f"r{at}"
        facts = data.get(alias)
        if isinstance(facts, dict):
            said[key] = facts
        elif facts is None and alias in data and alias in missing:
            said[key] = None
    return said
