"""The executor `local`: several processes of this machine."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice

from shelfread.audit.isolation import end_all, run_isolated
from shelfread.audit.task import Answer, AuditTask

_PAUSE = 0.5
"""Seconds after which a wait is interrupted; on Windows Ctrl-C comes only then."""


def run_local(tasks: Iterable[AuditTask], jobs: int) -> Generator[tuple[AuditTask, Answer], None, None]:
    """Yield the answers to tasks as they come, of `jobs` processes. Closing the generator ends them."""
    waiting = iter(tasks)
    running: dict[Future[Answer], AuditTask] = {}
    # The threads only wait: each for its process.
    with ThreadPoolExecutor(jobs) as pool:
        try:
            for task in islice(waiting, jobs):
                running[pool.submit(run_isolated, task)] = task
            while running:
                done, _ = wait(running, _PAUSE, FIRST_COMPLETED)
                for future in done:
                    for task in islice(waiting, 1):
                        running[pool.submit(run_isolated, task)] = task
                    yield running.pop(future), future.result()
        finally:
            while not all(future.done() for future in running):
                end_all()
                wait(running, _PAUSE)
            end_all()
