"""A run in several processes, each of which has a share of the files and keeps their documents."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Any

from shelfread.core.errors import InputError
from shelfread.core.process import delayed_interrupts, stop_at_once
from shelfread.engine.batch import Batch
from shelfread.engine.load_save import LoadedFiles, load_deleted
from shelfread.engine.model import FileResult, RunRequest
from shelfread.index.facts import Facts

if TYPE_CHECKING:
    from shelfread.engine.fingerprint import Fingerprint
    from shelfread.index.answers import Answers
    from shelfread.index.disk import Looks

# The ends of this process: one that is forked from it closes its copies, or it would not see that this one
# has ended.
_ends: list[Connection] = []
_KILLED = "a process of this run was killed, perhaps because memory ran out: try -j 1"


class Workers:
    """What `Batch` does, done by all processes at once; results are in the order of the request."""

    def __init__(self, request: RunRequest, jobs: int, count: Callable[[int], None] | None = None) -> None:
        self.request = request
        jobs = min(jobs, len(request.reported) + len(request.others))
        self._workers = [_start(request, number, jobs) for number in range(jobs)]
        shares = _receive_counted([pipe for pipe, _ in self._workers], count)
        # In the order of the request, so that conventions do not depend on the processes.
        paths = (*request.reported, *request.others)
        every = [_join(share[field] for share in shares) for field in range(len(LoadedFiles._fields))]
        _, facts, errors, _, base_facts = every
        self.loaded = LoadedFiles(
            {},
            {path: facts[path] for path in paths if path in facts},
            {path: errors[path] for path in paths if path in errors},
            {},
            {**base_facts, **load_deleted(request.base, request.taxonomy.vocabulary)},
        )

    def check(self, project: Mapping[str, Facts], base: Mapping[str, Facts], answers: Answers) -> None:
        self._send("check", project, base, answers)

    def fingerprints(self) -> dict[str, Sequence[Fingerprint]]:
        found = _join(self._send("fingerprints"))
        return {path: found[path] for path in self.request.reported if path in found}

    def leave_out(self, known: Mapping[str, Mapping[Fingerprint, int]]) -> None:
        self._send("leave_out", known)

    def fix(self) -> dict[str, Facts]:
        return _join(self._send("fix"))

    def looks(self) -> Looks:
        return _join(self._send("looks"))

    def results(self) -> list[FileResult]:
        results = {result.path: result for share in self._send("results") for result in share}
        return [results[path] for path in self.request.reported if path in results]

    def close(self) -> None:
        for pipe, process in self._workers:
            with suppress(BrokenPipeError):
                pipe.send(None)
            process.join()
            _ends.remove(pipe)

    def _send(self, method: str, *arguments: object) -> list[Any]:
        for pipe, _ in self._workers:
            try:
                pipe.send((method, arguments))
            except BrokenPipeError:
                raise InputError(_KILLED) from None
        return [_receive(pipe) for pipe, _ in self._workers]


def _join(shares: Any) -> dict[Any, Any]:
    return {key: value for share in shares for key, value in share.items()}


def _start(request: RunRequest, number: int, jobs: int) -> tuple[Connection, Process]:
    parent, child = Pipe()
    _ends.append(parent)
    process = Process(target=_work, args=(child, request, number, jobs), daemon=True)
    with delayed_interrupts():
        process.start()
    child.close()
    return parent, process


def _receive_counted(pipes: Sequence[Connection], count: Callable[[int], None] | None) -> list[LoadedFiles]:
    """Return what each process has read; before it, each sends a number for every file."""
    shares: dict[Connection, LoadedFiles] = {}
    while reading := [pipe for pipe in pipes if pipe not in shares]:
        ready = wait(reading)
        for pipe in (pipe for pipe in reading if pipe in ready):
            answer = _receive(pipe)
            if not isinstance(answer, int):
                shares[pipe] = answer
            elif count is not None:
                count(answer)
    return [shares[pipe] for pipe in pipes]


def _receive(pipe: Connection) -> Any:
    try:
        answer = pipe.recv()
    except (EOFError, ConnectionResetError):
        raise InputError(_KILLED) from None
    if isinstance(answer, Exception):
        raise answer
    return answer


def _work(pipe: Connection, request: RunRequest, number: int, jobs: int) -> None:
    """Read the files of one process, then do what is asked for."""
    import gc

    gc.disable()
    stop_at_once()
    for end in _ends:
        end.close()
    try:
        batch = Batch(request, share=(number, jobs), count=pipe.send)
        pipe.send(batch.loaded._replace(documents={}, base_documents={}))
        while (message := pipe.recv()) is not None:
            method, arguments = message
            pipe.send(getattr(batch, method)(*arguments))
    except (EOFError, BrokenPipeError):
        pass  # the parent was killed
    except Exception as error:
        pipe.send(error)
