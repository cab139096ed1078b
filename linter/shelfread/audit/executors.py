"""What reads the lists: several processes of this machine, or a Dask cluster; each list in a process of its own.

That process is killed at the deadline of the list, and cannot use more than its memory. `run_isolated` is what every
executor calls. It starts processes by `subprocess`, not by `multiprocessing`: a worker of Dask is a daemon, which may not
have children of that kind. A process that is whole reads another list after that.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from itertools import islice
from threading import Timer

from shelfread import __version__
from shelfread.audit.list_task import OUT_OF_MEMORY, READY, Answer, AuditTask, failed
from shelfread.core.errors import InputError, need

# It imports from where this process does, never from its working directory, which is that of a list.
_PROGRAM = (
    "import sys; count = int(sys.argv[1]); sys.path[:] = sys.argv[2 : 2 + count]; "
    "from shelfread.audit.list_task import main; main()"
)


class _Child:
    def __init__(self, memory: int) -> None:
        self.memory = memory
        self._busy = True
        self._expired = False
        path = [os.path.abspath(folder) for folder in sys.path if folder]
        command = [sys.executable, "-c", _PROGRAM, str(len(path)), *path, str(memory)]
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is for this process, which ends the others
            )
            assert self._process.stdin is not None and self._process.stdout is not None
            self._tasks, self._answers = self._process.stdin, self._process.stdout
            if not any(line.endswith(READY) for line in self._answers):
                raise EOFError
        except (OSError, EOFError) as error:
            reason = f" ({error.strerror})" if isinstance(error, OSError) else ""
            raise InputError(f"no process that reads lists can be started{reason}: try fewer (-j)") from None
        self._busy = False

    @property
    def is_whole(self) -> bool:
        """Whether the process waits for a list."""
        return not self._busy and not self._expired and self._process.poll() is None

    def ask(self, task: AuditTask) -> Answer:
        """Return the answer of the process, or a failed one if it was killed or died."""
        self._busy = True
        timer = Timer(task.options.deadline, self._expire)
        timer.daemon = True
        timer.start()
        try:
            pickle.dump(task, self._tasks)
            self._tasks.flush()
            answer: Answer = pickle.load(self._answers)
        except (OSError, EOFError, pickle.UnpicklingError):
            self.end()
            return failed(task, self._why_it_died(task))
        finally:
            timer.cancel()
            timer.join()
        self._busy = False
        return answer

    def end(self) -> None:
        """Kill the process with those that it has started."""
        if self._process.poll() is None:
            with suppress(ProcessLookupError):
                if hasattr(os, "killpg"):
                    os.killpg(self._process.pid, signal.SIGKILL)
                else:
                    self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """Kill the process, and close its pipes."""
        self.end()
        for stream in (self._tasks, self._answers):
            with suppress(OSError):
                stream.close()

    def _expire(self) -> None:
        self._expired = True
        self.end()

    def _why_it_died(self, task: AuditTask) -> str:
        status = self._process.returncode
        if self._expired:
            return (
                f"not read within {task.options.deadline:g} seconds: allow more (--deadline), or leave it out"
            )
        if status == OUT_OF_MEMORY:
            return f"needs more than {task.options.memory >> 20:,} MiB of memory: allow more (--memory), or leave it out"
        how = signal.Signals(-status).name if status < 0 else f"exit status {status}"
        return f"the process that read it died ({how}): allow more memory (--memory), or leave it out"


_idle: list[_Child] = []
_running: set[_Child] = set()


def run_isolated(task: AuditTask) -> Answer:
    """Return what became of a list; whatever it does to its process is an error of its row. Raises InputError without a process."""
    if task.version != __version__:
        return failed(
            task, f"this worker has shelfread {__version__}, the audit was started by {task.version}"
        )
    child = _take(task.options.memory)
    _running.add(child)
    try:
        return child.ask(task)
    finally:
        _running.discard(child)
        if child.is_whole:
            _idle.append(child)
        else:
            child.close()


def end_all() -> None:
    """End all processes that this one has started; lists that are being read are given up."""
    for child in list(_running):
        child.end()
    while _idle:
        _idle.pop().close()


def _take(memory: int) -> _Child:
    while _idle:
        child = _idle.pop()
        if child.memory == memory and child.is_whole:
            return child
        child.close()
    return _Child(memory)


_PAUSE = 0.5  # seconds after which a wait is interrupted; on Windows Ctrl-C comes only then


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


_SCHEDULER_SECONDS = 10  # so long the scheduler may take to answer
_RETRIES = 2  # how often a task is run again that raised an error, as when its worker could start no process


def run_on_dask(
    tasks: Sequence[AuditTask], scheduler: str
) -> Generator[tuple[AuditTask, Answer], None, None]:
    """Yield the answers to tasks as they come, by workers that need shelfread, and the lists at the same paths."""
    need("dask", "--executor dask")
    from distributed import Client, as_completed

    if not tasks:
        return
    try:
        client = Client(scheduler, timeout=_SCHEDULER_SECONDS, set_as_default=False)
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
