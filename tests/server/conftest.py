"""Servers for tests, each a process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.language_client import RESOLVES, LanguageClient


@pytest.fixture
def client(tmp_path: Path) -> Iterator[LanguageClient]:
    """A server that was started in the folder of the test, and that must end well."""
    yield from serve(tmp_path)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LanguageClient]:
    """A server for several tests, each with documents of its own; the edits of actions are asked for."""
    for client in serve(tmp_path_factory.mktemp("lists")):
        client.initialize(RESOLVES)
        yield client


def serve(folder: Path) -> Iterator[LanguageClient]:
    client = LanguageClient(folder)
    try:
        yield client
        assert client.process.poll() is not None or client.shut_down() == 0
        assert client.process.stderr is not None and client.process.stderr.read() == b""
    finally:
        client.close()
