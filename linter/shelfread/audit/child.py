"""The process that reads lists, one after the other: tasks come by standard input, answers go to standard output."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from shelfread.audit.list_task import Answer, AuditTask, audit_list, failed
from shelfread.core.errors import UserError

# What a process says first; what stands before it was printed by others while Python started.
READY = b"shelfread reads lists\n"
OUT_OF_MEMORY = 3  # the exit status of a process whose memory is used up
_GRACE = 5  # so many seconds after its deadline a process ends itself, if nobody is left to end it


def main() -> None:
    """Answer tasks until standard input ends; the last argument is the limit of the memory."""
    tasks, answers = _streams()
    gc.disable()  # garbage is collected between lists, and what was imported is none
    gc.freeze()
    answers.write(READY)  # from here on the time counts
    answers.flush()
    _limit_memory(int(sys.argv[-1]))
    try:
        while True:
            _send(answers, _answer(pickle.load(tasks)))
            gc.collect()
    except (EOFError, BrokenPipeError):
        pass  # whoever asks has ended, or was killed
    except MemoryError:
        os._exit(OUT_OF_MEMORY)  # nothing else can be relied on


def _send(answers: BinaryIO, answer: Answer) -> None:
    pickle.dump(answer, answers)
    answers.flush()


def _streams() -> tuple[BinaryIO, BinaryIO]:
    """Return the streams of tasks and answers; what others print goes nowhere."""
    answers = os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 1)
    tasks = os.fdopen(os.dup(0), "rb")
    os.dup2(null, 0)  # git reads nothing of it
    return tasks, answers


def _limit_memory(limit: int) -> None:
    """Limit the memory of this process and of those that it starts, where the system can: on Linux, what is not shared."""
    try:
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        limit = limit if most == resource.RLIM_INFINITY else min(limit, most)
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    except (ImportError, ValueError, OSError):
        return


def _answer(task: AuditTask) -> Answer:
    """Return the answer to a task, whatever is wrong with its list."""
    with _alarm(task.deadline):
        try:
            return audit_list(task)
        except UserError as error:
            return failed(task, str(error))
        except MemoryError:
            raise
        except OSError as error:
            return failed(task, f"cannot be read: {(error.strerror or str(error)).lower()}")
        except RecursionError:
            return failed(task, "nested too deeply to be read")
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{Path(place.filename).name}, line {place.lineno}"
            return failed(task, f"a bug of shelfread: {error!r} in {where}")
        finally:
            os.chdir(os.sep)


@contextmanager
def _alarm(deadline: float) -> Iterator[None]:
    """Let the system end this process some time after the deadline, where it can: its parent may have been killed."""
    if sys.platform == "win32":
        yield
        return
    signal.alarm(int(deadline) + _GRACE)
    try:
        yield
    finally:
        signal.alarm(0)
