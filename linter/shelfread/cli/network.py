"""What commands ask the network with: a client, and the cache of earlier answers."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from shelfread.core.errors import InputError
from shelfread.core.folders import cache_path

if TYPE_CHECKING:
    from shelfread.imports.service import WorkCache
    from shelfread.links.client import Client
    from shelfread.links.exchange import Settings


def open_client(settings: Settings) -> Client:
    """Return what makes the requests."""
    from shelfread.links.client import Client

    return Client(settings)


_SQLITE = b"SQLite format 3\0"
LINKS = "links.sqlite3"  # what `links` found, for itself and `page`
WORKS = "works.sqlite3"  # what services know of papers and programs, for `complete` and `add`


def chosen_cache(default: str, file: str | None = None, no_cache: bool = False) -> Path | None:
    """Return the file that `--cache-file` names, else one in the user's cache folder; None for no cache.

    Raises UsageError for both options, and InputError for a file of another kind: a new cache would take its place.
    """
    if file and no_cache:
        raise click.UsageError("--cache-file and --no-cache exclude each other")
    if no_cache:
        return None
    if not file:
        return cache_path(default)
    path = Path(file)
    with suppress(OSError):
        start = b""
        if path.is_file():  # a pipe would never answer
            with path.open("rb") as stream:
                start = stream.read(len(_SQLITE))
        if start and not start.startswith(_SQLITE):
            raise InputError("--cache-file would replace it, and it is no cache: name another file", file)
    return path


def open_work_cache(path: Path | None) -> AbstractContextManager[WorkCache | None]:
    """Return the cache of works in a file."""
    from shelfread.cli.output import print_error
    from shelfread.imports.service import WorkCache

    return nullcontext() if path is None else WorkCache(path, print_error)
