"""The progress of a long run: in one line of the terminal, or elsewhere in one line a minute."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from shutil import get_terminal_size
from threading import Event, Thread
from time import monotonic

import click

from shelfread.index.answers import LinkRecord, Verdict
from shelfread.report.links.summary import host_of
from shelfread.report.terminal import printable

_PAUSE = 0.1
"""Seconds between two updates."""
MINUTE = 60.0
"""Seconds between two lines where there is no terminal."""
_LAST = 50
"""When so many links are left, the line names the host that most of them are on."""


class _Progress:
    """Shows how far a run is, on standard error while its block runs."""

    def __init__(self, shown: bool = True) -> None:
        self._drawn = 0.0
        self._shown = shown and sys.stderr.isatty() and not os.environ.get("CI")
        self._ended = Event()
        self._printer = Thread(target=self._print_lines, daemon=True)

    def _start(self) -> None:
        if not self._shown:
            self._printer.start()

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        if self._shown:
            click.echo("\r\033[K", err=True, nl=False)

    def _print_lines(self) -> None:
        """Print a line a minute until the run ends, or nobody can read it."""
        while not self._ended.wait(MINUTE):
            try:
                click.echo(self._line(), err=True)
            except (OSError, ValueError):
                return

    def _draw(self, last: bool) -> None:
        """Draw the line anew, unless that was a moment ago."""
        if self._shown and (last or monotonic() - self._drawn >= _PAUSE):
            self._drawn = monotonic()
            click.echo(f"\r\033[K{self._line()[: get_terminal_size().columns - 1]}", err=True, nl=False)

    def _line(self) -> str:
        raise NotImplementedError


class Progress(_Progress):
    """Shows the number of checked links."""

    def __init__(self, urls: Sequence[str]) -> None:
        super().__init__(bool(urls))
        self._open = dict.fromkeys(urls)
        self._total = len(urls)
        self._dead = 0

    def __enter__(self) -> Callable[[LinkRecord], None]:
        self._start()
        return self._update

    def _update(self, record: LinkRecord) -> None:
        """Count one more link."""
        self._open.pop(record.url, None)
        self._dead += record.verdict is Verdict.DEAD
        self._draw(not self._open)

    def _line(self) -> str:
        done = self._total - len(self._open)
        dead = f", {self._dead} dead" if self._dead else ""
        waiting = ", looking for replacements" if not self._open else ""
        if 0 < len(self._open) <= _LAST:
            (host, left), *_ = Counter(map(host_of, list(self._open))).most_common(1)
            waiting = f", waiting for {printable(host)[:40]} ({left})"
        return f"shelfread: {done:,} of {self._total:,} links{dead}{waiting}"


class ListProgress(_Progress):
    """Shows the number of lists that were read."""

    def __init__(self) -> None:
        super().__init__()
        self._done = self._total = self._wrong = 0

    def __enter__(self) -> Callable[[int, int, int], None]:
        self._start()
        return self._update

    def _update(self, done: int, total: int, wrong: int) -> None:
        self._done, self._total, self._wrong = done, total, wrong
        self._draw(done == total)

    def _line(self) -> str:
        if self._done == self._total:
            return f"shelfread: {self._total:,} lists, writing the tables"
        wrong = f", {self._wrong:,} with an error" if self._wrong else ""
        return f"shelfread: {self._done:,} of {self._total:,} lists{wrong}"
