"""How far a run over links has come, in one line that is drawn anew; nothing where nobody looks on."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Sequence
from shutil import get_terminal_size
from time import monotonic

import click

from shelfread.core.link_record import LinkRecord, Verdict
from shelfread.report.links.summary import host_of
from shelfread.report.terminal import printable

_PAUSE = 0.1
_LAST = 50
"""So many links are left when their hosts are worth naming."""


class Progress:
    """Counts links on standard error as long as its block lasts."""

    def __init__(self, urls: Sequence[str]) -> None:
        self._open = dict.fromkeys(urls)
        self._total = len(urls)
        self._dead = 0
        self._drawn = 0.0
        self._shown = sys.stderr.isatty() and not os.environ.get("CI") and bool(urls)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            click.echo("\r\033[K", err=True, nl=False)

    def tell(self, record: LinkRecord) -> None:
        """One more link is known."""
        if not self._shown:
            return
        self._open.pop(record.url, None)
        self._dead += record.verdict is Verdict.DEAD
        if monotonic() - self._drawn >= _PAUSE or not self._open:
            self._drawn = monotonic()
            click.echo(f"\r\033[K{self._line()[: get_terminal_size().columns - 1]}", err=True, nl=False)

    def _line(self) -> str:
        done = self._total - len(self._open)
        dead = f", {self._dead} dead" if self._dead else ""
        waiting = ", looking for better addresses" if not self._open else ""
        if 0 < len(self._open) <= _LAST:
            (host, left), *_ = Counter(map(host_of, self._open)).most_common(1)
            waiting = f", waiting for {printable(host)[:40]} ({left})"
        return f"shelfread: {done:,} of {self._total:,} links{dead}{waiting}"
