"""The registries that there are."""

from __future__ import annotations

import os
from collections.abc import Mapping

from shelfread.links.endpoints import Endpoints
from shelfread.links.registries.arxiv import Arxiv
from shelfread.links.registries.doi import Doi
from shelfread.links.registries.github import GitHub, read_token
from shelfread.links.registries.youtube import YouTube
from shelfread.links.registry import AGAIN, Registry


def registries(
    endpoints: Endpoints,
    environ: Mapping[str, str] = os.environ,
    *,
    again: float = AGAIN,
) -> tuple[Registry, ...]:
    """Every registry: the first that claims an address is asked. `again` is in seconds."""
    return (
        Doi(endpoints, again),
        Arxiv(endpoints, again),
        GitHub(endpoints, read_token(environ), again),
        YouTube(endpoints, again),
    )
