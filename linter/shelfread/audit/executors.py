"""What reads the lists: several processes of this machine, or a Dask cluster."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice

from shelfread.audit.isolation import end_all, run_isolated
from shelfread.audit.list_task import Answer, AuditTask, failed
from shelfread.core.errors import InputError
from shelfread.core.extras import need

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


_SECONDS = 10
"""So long the scheduler may take to answer."""
_RETRIES = 2
"""How often a task is run again that raised an error, as when its worker could start no process."""


def run_on_dask(
    tasks: Sequence[AuditTask], scheduler: str
) -> Generator[tuple[AuditTask, Answer], None, None]:
    """Yield the answers to tasks as they come. The workers need shelfread, and the lists at the same paths.

    Raises ConfigError if distributed is not installed, and InputError if there is no scheduler, or not any more.
    """
    need("dask", "--executor dask")
    from distributed import Client, as_completed

    if not tasks:
        return
    try:
        client = Client(scheduler, timeout=_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise InputError(f"no Dask scheduler answers at {scheduler} ({error})") from None
    with _without_logs(), client:
        # No key is that of an earlier run, because a list may have changed since.
        futures = client.map(run_isolated, tasks, pure=False, retries=_RETRIES)
        task_of = {future.key: task for future, task in zip(futures, tasks, strict=True)}
        completed = as_completed(futures, loop=client.loop)
        del futures  # the cluster keeps a result as long as somebody holds its future
        for future in completed:
            task = task_of[future.key]
            try:
                answer: Answer = future.result()
            except CancelledError:
                raise InputError(f"the Dask scheduler at {scheduler} is gone: run again to go on") from None
            except Exception as error:  # of a task, or that it has cost several workers their life
                answer = failed(task, f"the cluster has no result ({type(error).__name__}): {error}")
            del future
            yield task, answer


@contextmanager
def _without_logs() -> Iterator[None]:
    """Log nothing: what goes wrong is in a row, or is the error of the run."""
    import logging

    before = logging.root.manager.disable
    logging.disable()
    try:
        yield
    finally:
        logging.disable(before)
