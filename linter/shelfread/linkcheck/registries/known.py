"""All registries."""

from __future__ import annotations

import os
from collections.abc import Mapping

from shelfread.linkcheck.registries.arxiv import Arxiv
from shelfread.linkcheck.registries.base import CONFIRM_SECONDS, Registry
from shelfread.linkcheck.registries.doi import Doi
from shelfread.linkcheck.registries.endpoints import Endpoints
from shelfread.linkcheck.registries.github import GitHub, read_token
from shelfread.linkcheck.registries.youtube import YouTube


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
