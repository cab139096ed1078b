"""All registries."""

from __future__ import annotations

import os
from collections.abc import Mapping

from shelfread.links.registries.arxiv import Arxiv
from shelfread.links.registries.base import CONFIRM_SECONDS, Registry
from shelfread.links.registries.doi import Doi
from shelfread.links.registries.endpoints import Endpoints
from shelfread.links.registries.github import GitHub, read_token
from shelfread.links.registries.youtube import YouTube


def registries(
    endpoints: Endpoints, environ: Mapping[str, str] = os.environ, *, confirm_after: float = CONFIRM_SECONDS
) -> tuple[Registry, ...]:
    """Return all registries: the first that claims a URL looks it up. `confirm_after` is in seconds."""
    return (
        Doi(endpoints, confirm_after),
        Arxiv(endpoints, confirm_after),
        GitHub(endpoints, read_token(environ)),
        YouTube(endpoints, confirm_after),
    )
