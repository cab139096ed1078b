"""Helpers for tests of the link checker: records, replacements, lookups, the command and the checker on a small web."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import shelfread.cli.links
from shelfread.cli import group
from shelfread.core.diagnostics import Applicability
from shelfread.index.answers import Hop, LinkRecord, Replacement, Verdict
from shelfread.links.exchange import Settings
from shelfread.links.online_check import check_urls
from shelfread.links.registry import Registry
from shelfread.links.replacement_search import RepairContext, find_replacements
from support.service import fetch
from support.web import Resolver, Web, quick

NOW = 1_750_000_000.0
ALIVE, DEAD, MOVED = Verdict.ALIVE, Verdict.DEAD, Verdict.MOVED
SAFE, UNSAFE = Applicability.SAFE, Applicability.UNSAFE


def chain(*hops: str | int) -> tuple[Hop, ...]:
    """`url, status, url, status ...` as hops."""
    return tuple(Hop(str(url), int(status)) for url, status in zip(hops[::2], hops[1::2], strict=True))


def redirected(*hops: str | int, verdict: Verdict = Verdict.MOVED) -> LinkRecord:
    """The record of a URL with these hops."""
    return LinkRecord(str(hops[0]), verdict, "", chain(*hops))


def repair(record: LinkRecord, context: RepairContext, **options: object) -> tuple[Replacement, ...]:
    """The replacements for one record."""
    records = {record.url: record}
    asyncio.run(find_replacements(records, context, **options))  # type: ignore[arg-type]
    found = records[record.url]
    assert found._replace(replacements=(), repairs_checked_at=0.0) == record
    return found.replacements


def look_up(registry: Registry, *keys: str) -> dict[str, LinkRecord | None]:
    """What a registry knows of some keys."""
    return asyncio.run(registry.look_up(keys, fetch, NOW))


def verdicts(found: dict[str, LinkRecord | None]) -> dict[str, Verdict | None]:
    """The verdicts of records by key."""
    return {key: record.verdict if record else None for key, record in found.items()}


Links = Callable[..., Result]
_GITHUB = "GITHUB_TOKEN GH_TOKEN GITHUB_API_URL GITHUB_SERVER_URL GITHUB_REPOSITORY GITHUB_ACTIONS"
_PROXIES = "HTTP_PROXY HTTPS_PROXY ALL_PROXY http_proxy https_proxy all_proxy"


def links_command(
    web: Web,
    names: Mapping[str, Sequence[Sequence[str]]],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    **settings: object,
) -> Links:
    """Return the command, run in a folder; `names` are the addresses of hosts, `settings` more of the client's."""
    monkeypatch.chdir(folder)
    for name in f"{_GITHUB} {_PROXIES}".split():
        monkeypatch.delenv(name, raising=False)

    def open_client(given: Settings) -> object:
        kept = {name: getattr(given, name) for name in ("deadline", "allow_private", "network_probes")}
        return web.client(quick(**kept, **settings), web.resolver(names))

    monkeypatch.setattr(shelfread.cli.links, "open_client", open_client)

    def run(*words: str, status: int = 0) -> Result:
        done = CliRunner().invoke(group, ["links", "--cache-file", "cache", *words], catch_exceptions=False)
        assert done.exit_code == status, done.output
        return done

    return run


TODAY = time.time()

FULL = LinkRecord(
    "https://a.example/x",
    Verdict.MOVED,
    "moved permanently",
    (Hop("https://a.example/x", 301), Hop("https://ü.example/y", 200)),
    source="doi.org",
    checked_at=TODAY,
    failures=2,
    first_failure=TODAY - 86400.5,
    certificate="expired",
    archived="no commit since 2019-03",
    anchors=frozenset({"top", "überschrift", "a\u2028b", ""}),
    replacements=(
        Replacement("link/moved", "https://ü.example/y", "it moved", Applicability.SAFE),
        Replacement("link/dead", "https://b.example", "a snapshot of 2019-05-03", Applicability.UNSAFE),
    ),
    repairs_checked_at=TODAY + 0.5,
)


def check(
    web: Web,
    urls: Sequence[str],
    anchors: Collection[str] = (),
    known: Mapping[str, LinkRecord] | None = None,
    settings: Settings | None = None,
    resolver: Resolver | None = None,
) -> dict[str, LinkRecord]:
    """Check URLs with a new client."""

    async def run() -> dict[str, LinkRecord]:
        async with web.client(settings or quick(), resolver) as client:
            return await check_urls(urls, anchors, known or {}, reported.append, client)

    reported: list[LinkRecord] = []
    records = asyncio.run(run())
    assert sorted(records) == sorted(set(urls))
    assert {record.url: record for record in reported} == records
    assert len(reported) == len(records)
    return records
