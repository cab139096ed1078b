"""The registries that there are."""

from __future__ import annotations

import os
from collections.abc import Mapping

from shelfread.linkcheck.registries.arxiv import Arxiv
from shelfread.linkcheck.registries.base import AGAIN, Registry
from shelfread.linkcheck.registries.doi import Doi
from shelfread.linkcheck.registries.endpoints import Endpoints
from shelfread.linkcheck.registries.github import GitHub, read_token
from shelfread.linkcheck.registries.youtube import YouTube


def registries(
    endpoints: Endpoints, environ: Mapping[str, str] = os.environ, *, again: float = AGAIN
) -> tuple[Registry, ...]:
    """Every registry: the first that claims an address is asked. `again` is in seconds."""
    return (
        Doi(endpoints, again),
        Arxiv(endpoints, again),
        GitHub(endpoints, read_token(environ), again),
        YouTube(endpoints, again),
    )
