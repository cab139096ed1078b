"""Servers for tests, each a process; most tests share one, with a folder and documents of their own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path

import pytest

from support.language_client import CAPABILITIES, LanguageClient, ServerOf


@pytest.fixture(scope="session")
def server_of(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerOf]:
    """Servers that are started and initialized once."""
    with ExitStack() as servers:

        @cache
        def server(encoding: str, knows_more: bool = True) -> LanguageClient:
            client = servers.enter_context(_served(tmp_path_factory.mktemp("servers")))
            capabilities = CAPABILITIES if knows_more else {}
            client.initialize({**capabilities, "general": {"positionEncodings": [encoding, "utf-16"]}})
            return client

        yield server


@pytest.fixture
def client(server_of: ServerOf, tmp_path: Path) -> Iterator[LanguageClient]:
    """The client of the shared server, in the folder of the test; what it opens is closed after it."""
    client = server_of("utf-16")
    with client.working_in(tmp_path):
        yield client


@pytest.fixture
def own_client(tmp_path: Path) -> Iterator[LanguageClient]:
    """A server that was started for the test in its folder, and that must end well."""
    with _served(tmp_path) as client:
        yield client


@contextmanager
def _served(folder: Path) -> Iterator[LanguageClient]:
    client = LanguageClient(folder)
    try:
        yield client
        assert client.process.poll() is not None or client.shut_down() == 0
        assert client.process.stderr is not None and client.process.stderr.read() == b""
    finally:
        client.close()
