"""Servers for tests, each a process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.language_client import LanguageClient


@pytest.fixture
def client(tmp_path: Path) -> Iterator[LanguageClient]:
    """A server that was started in the folder of the test, and that must end well."""
    client = LanguageClient(tmp_path)
    try:
        yield client
        assert client.process.poll() is not None or client.shut_down() == 0
        assert client.process.stderr is not None and client.process.stderr.read() == b""
    finally:
        client.close()
