"""The same corridor in several processes: each keeps the documents that it has read."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection
from typing import Any

from shelfread.core.support import interrupts
from shelfread.engine.run import FileResult, LoadedProject, RunRequest, read_files, report_files


def run_parallel(order: RunRequest, jobs: int) -> tuple[LoadedProject, list[FileResult]]:
    """Read and report with `jobs` processes, outcomes in the order of the files' names."""
    jobs = min(jobs, len(order.reported) + len(order.others))
    workers = [_start(order, part, jobs) for part in range(jobs)]
    reading = LoadedProject({}, {}, {})
    before = LoadedProject({}, {}, {})
    for pipe, _ in workers:
        part = _receive(pipe)
        reading.facts.update(part.facts)
        reading.errors.update(part.errors)
        before.facts.update(part.before.facts if part.before else {})
    if order.past is not None:
        from shelfread.engine.new_findings import read_gone

        before.facts.update(read_gone(order, order.past))
    # In one order, whoever was first: what is learned must not depend on the number of processes.
    names = [*order.reported, *order.others]
    known = {name: reading.facts[name] for name in names if name in reading.facts}
    for pipe, _ in workers:
        pipe.send((known, before.facts))
    outcomes = {outcome.path: outcome for pipe, _ in workers for outcome in _receive(pipe)}
    for _, process in workers:
        process.join()
    errors = {name: reading.errors[name] for name in names if name in reading.errors}
    reading = LoadedProject({}, known, errors, before)
    return reading, [outcomes[name] for name in order.reported if name in outcomes]


def _start(order: RunRequest, part: int, jobs: int) -> tuple[Connection, Process]:
    ours, theirs = Pipe()
    process = Process(target=_work, args=(theirs, order, part, jobs), daemon=True)
    with interrupts.delayed_interrupts():
        process.start()
    theirs.close()
    return ours, process


def _receive(pipe: Connection) -> Any:
    answer = pipe.recv()
    if isinstance(answer, Exception):
        raise answer
    return answer


def _work(pipe: Connection, order: RunRequest, part: int, jobs: int) -> None:
    """One process: its share of the files, read and kept, then reported when all facts are known."""
    import gc

    gc.disable()

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent says goodbye, and we go with it
    try:
        reading = read_files(order, _share(order.reported, part, jobs), _share(order.others, part, jobs))
        before = reading.before and reading.before._replace(documents={})
        pipe.send(LoadedProject({}, reading.facts, reading.errors, before))
        known, former = pipe.recv()
        if reading.before is not None:
            reading = reading._replace(before=reading.before._replace(facts=former))
        pipe.send(report_files(order, reading, known))
    except EOFError:
        pass
    except Exception as error:
        pipe.send(error)


def _share(paths: Sequence[str], part: int, jobs: int) -> Sequence[str]:
    return paths[part::jobs]
