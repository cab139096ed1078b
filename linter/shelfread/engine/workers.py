"""The stages of a run in several processes; each process keeps the documents that it has read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from shelfread.core.errors import InputError
from shelfread.core.support import interrupts
from shelfread.engine.load import load_deleted
from shelfread.engine.model import FixedFiles, LoadedProject, RunRequest
from shelfread.engine.stages import Stages

if TYPE_CHECKING:
    from shelfread.engine.fingerprint import Fingerprint
    from shelfread.index.answers import Answers


_KILLED = "a process of this run was killed, perhaps because memory ran out: try -j 1"


class Workers:
    """The stages of a run, each run by all processes at once; results are in the order of the request."""

    def __init__(self, request: RunRequest, jobs: int) -> None:
        self.request = request
        jobs = min(jobs, len(request.reported) + len(request.others))
        self._workers = [_start(request, number, jobs) for number in range(jobs)]

    def load(self) -> LoadedProject:
        """Return what the processes have read, without the documents."""
        request = self.request
        found = LoadedProject.empty()
        for pipe, _ in self._workers:
            share: LoadedProject = _receive(pipe)
            found.facts.update(share.facts)
            found.errors.update(share.errors)
            found.base_facts.update(share.base_facts)
            found.texts.update(share.texts)
        found.base_facts.update(load_deleted(request))
        # Put into the order of the request, so that conventions do not depend on the processes.
        paths = (*request.reported, *request.others)
        facts = {path: found.facts[path] for path in paths if path in found.facts}
        errors = {path: found.errors[path] for path in paths if path in found.errors}
        return found._replace(facts=facts, errors=errors)

    def diagnose(
        self, project: LoadedProject, answers: Answers, fingerprints: bool
    ) -> dict[str, Sequence[Fingerprint]]:
        """Return the fingerprints of all findings by file, if requested."""
        found: dict[str, Sequence[Fingerprint]] = {}
        for share in self._send("diagnose", project, answers, fingerprints):
            found.update(share)
        return {path: found[path] for path in self.request.reported if path in found}

    def finish(self, known: Mapping[str, Mapping[Fingerprint, int]]) -> FixedFiles:
        """Return the results of all files, and the facts of the changed ones."""
        shares: list[FixedFiles] = self._send("finish", known)
        results = {result.path: result for share in shares for result in share.results}
        changed = {path: facts for share in shares for path, facts in share.facts.items()}
        kept = {path: checksum for share in shares for path, checksum in share.kept.items()}
        return FixedFiles([results[path] for path in self.request.reported if path in results], changed, kept)

    def close(self) -> None:
        """End the processes."""
        for pipe, process in self._workers:
            with suppress(BrokenPipeError):
                pipe.send(None)
            process.join()

    def _send(self, stage: str, *arguments: object) -> list[Any]:
        for pipe, _ in self._workers:
            try:
                pipe.send((stage, arguments))
            except BrokenPipeError:
                raise InputError(_KILLED) from None
        return [_receive(pipe) for pipe, _ in self._workers]


def _start(request: RunRequest, number: int, jobs: int) -> tuple[Connection, Process]:
    parent, child = Pipe()
    process = Process(target=_work, args=(child, request, number, jobs), daemon=True)
    with interrupts.delayed_interrupts():
        process.start()
    child.close()
    return parent, process


def _receive(pipe: Connection) -> Any:
    try:
        answer = pipe.recv()
    except (EOFError, ConnectionResetError):
        raise InputError(_KILLED) from None
    if isinstance(answer, Exception):
        raise answer
    return answer


def _work(pipe: Connection, request: RunRequest, number: int, jobs: int) -> None:
    """Load the files of one process, then run the stages that are asked for."""
    import gc

    gc.disable()
    interrupts.stop_at_once()
    try:
        stages = Stages(request)
        loaded = stages.load(request.reported[number::jobs], request.others[number::jobs])
        pipe.send(loaded._replace(documents={}, base_documents={}, base_parts={}, recalled={}))
        while (message := pipe.recv()) is not None:
            stage, arguments = message
            pipe.send(getattr(stages, stage)(*arguments))
        stages.close()
    except (EOFError, BrokenPipeError):
        pass  # the parent was killed
    except Exception as error:
        pipe.send(error)
