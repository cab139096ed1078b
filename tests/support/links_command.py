"""`shelfread links` on a small web: nothing that it asks leaves it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import shelfread.cli.check_links
from shelfread.cli import group
from shelfread.links.network_settings import Settings
from support.web import Web, quick

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

    monkeypatch.setattr(shelfread.cli.check_links, "open_client", open_client)

    def run(*words: str, status: int = 0) -> Result:
        done = CliRunner().invoke(group, ["links", "--cache-file", "cache", *words], catch_exceptions=False)
        assert done.exit_code == status, done.output
        return done

    return run
