"""The URLs of the services that are used besides the pages themselves."""

from __future__ import annotations

import os
from collections.abc import Mapping
from urllib.parse import urlsplit

from shelfread.core.errors import UserError
from shelfread.core.support.named_tuple import NamedTuple

PREFIX = "SHELFREAD_ENDPOINT_"


class Endpoints(NamedTuple):
    """The root URL of each service, without a final slash.

    Only environment variables change them, never a file that a pull request could contain.
    """

    doi: str = "https://doi.org"
    arxiv: str = "https://export.arxiv.org"
    github_api: str = "https://api.github.com"
    github: str = "https://github.com"
    youtube: str = "https://img.youtube.com"
    wayback: str = "https://web.archive.org"
    crossref: str = "https://api.crossref.org"
    dblp: str = "https://dblp.org"
    openalex: str = "https://api.openalex.org"

    @property
    def hosts(self) -> tuple[str, ...]:
        """The name of each service's host."""
        return tuple(urlsplit(url).hostname or "" for url in self)

    @property
    def own(self) -> frozenset[str]:
        """The servers that the environment names instead, with their ports: they may be at private addresses."""
        return frozenset(url.partition("//")[2] for url in self if url not in Endpoints())


def read_endpoints(environ: Mapping[str, str] = os.environ) -> Endpoints:
    """Return the roots as set by SHELFREAD_ENDPOINT_DOI, _ARXIV ...; raises UserError if one is not a URL."""
    roots = {}
    for field in Endpoints._fields:
        name = PREFIX + field.upper()
        if url := environ.get(name, "").rstrip("/"):
            if not _is_root(url):
                raise UserError(f"{name}: give the address of a server, as 'http://127.0.0.1:8000'")
            roots[field] = url
    return Endpoints(**roots)


def _is_root(url: str) -> bool:
    try:
        parts = urlsplit(url)
        valid = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        return False
    return bool(valid) and url.isascii() and url.isprintable() and not set(url) & set(" ?#@\\")
