"""What commands ask the network with: a client, the cache of earlier answers, and the progress of a long run."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from shutil import get_terminal_size
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING

import click

from shelfread.cli.output import print_error
from shelfread.core.errors import InputError
from shelfread.core.folders import cache_path
from shelfread.index.answers import LinkRecord, Verdict
from shelfread.report.link_summary import host_of
from shelfread.report.rendering import printable

if TYPE_CHECKING:
    from shelfread.imports.service import WorkCache
    from shelfread.links.client import Client
    from shelfread.links.exchange import Settings


def open_client(settings: Settings) -> Client:
    from shelfread.links.client import Client

    return Client(settings)


_SQLITE = b"SQLite format 3\0"
LINKS = "links.sqlite3"  # what `links` found, for itself and `page`
WORKS = "works.sqlite3"  # what services know of papers and programs, for `complete` and `add`


def chosen_cache(default: str, file: str | None = None, no_cache: bool = False) -> Path | None:
    """Return the file that `--cache-file` names, else one in the user's cache folder, or None; raises InputError for another file."""
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
    from shelfread.imports.service import WorkCache

    return nullcontext() if path is None else WorkCache(path, print_error)


_PAUSE = 0.1  # seconds between two updates
MINUTE = 60.0  # seconds between two lines where there is no terminal
_LAST = 50  # when so many links are left, the line names the host that most of them are on


@contextmanager
def link_progress(urls: Sequence[str]) -> Iterator[Callable[[LinkRecord], None]]:
    """Show how many links are checked; yields what counts one more."""
    waiting = dict.fromkeys(urls)
    dead = 0

    def line() -> str:
        more = f", {dead} dead" if dead else ""
        if not waiting:
            more += ", looking for replacements"
        elif len(waiting) <= _LAST:
            (host, left), *_ = Counter(map(host_of, list(waiting))).most_common(1)
            more += f", waiting for {printable(host)[:40]} ({left})"
        return f"shelfread: {len(urls) - len(waiting):,} of {len(urls):,} links{more}"

    def count(record: LinkRecord) -> None:
        nonlocal dead
        waiting.pop(record.url, None)
        dead += record.verdict is Verdict.DEAD
        draw(not waiting)

    with _shown(line if urls else None) as draw:
        yield count


def list_progress() -> AbstractContextManager[Callable[[int, int, int], None]]:
    """Show how many lists are read; yields what takes their number, that of all, and that of those with an error."""

    def line(done: int, total: int, wrong: int) -> str:
        if done == total:
            return f"{total:,} lists, writing the tables"
        return f"{done:,} of {total:,} lists{f', {wrong:,} with an error' if wrong else ''}"

    return _numbers(line, 3)


def title_progress() -> AbstractContextManager[Callable[[int, int], None]]:
    """Show how many titles were looked for; yields what takes their number, and that of all."""
    return _numbers(lambda done, total: f"{done:,} of {total:,} titles looked for", 2)


@contextmanager
def _numbers(line: Callable[..., str], count: int) -> Iterator[Callable[..., None]]:
    """Show a line about so many numbers, of which the first grows to the second; yields what takes them."""
    shown: Sequence[int] = (0,) * count

    def take(*numbers: int) -> None:
        nonlocal shown
        shown = numbers
        draw(numbers[0] == numbers[1])

    with _shown(lambda: f"shelfread: {line(*shown)}") as draw:
        yield take


@contextmanager
def _shown(line: Callable[[], str] | None) -> Iterator[Callable[[bool], None]]:
    """Show a line on standard error while the block runs; yields what draws it anew, unless that was a moment ago."""
    on_terminal = line is not None and sys.stderr.isatty() and not os.environ.get("CI")
    drawn_at = 0.0
    ended = Event()

    def draw(last: bool) -> None:
        nonlocal drawn_at
        if line is not None and on_terminal and (last or monotonic() - drawn_at >= _PAUSE):
            drawn_at = monotonic()
            click.echo(f"\r\033[K{line()[: get_terminal_size().columns - 1]}", err=True, nl=False)

    def print_lines() -> None:
        """Print a line a minute until the run ends, or nobody can read it."""
        while line is not None and not ended.wait(MINUTE):
            try:
                click.echo(line(), err=True)
            except (OSError, ValueError):
                return

    if not on_terminal:
        Thread(target=print_lines, daemon=True).start()
    try:
        yield draw
    finally:
        ended.set()
        if on_terminal:
            click.echo("\r\033[K", err=True, nl=False)
