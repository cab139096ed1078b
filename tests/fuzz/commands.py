"""Commands of shelfread, run in this process, and the folder that they run in."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory

from click.testing import CliRunner, Result

from fuzz.faults import Fault
from fuzz.properties.printed import fit_to_print, forged_commands
from shelfread.cli import group

ALL_RULES = ("--preset", "core,papers,awesome,strict,taxonomy")
WORKFLOW = {"GITHUB_ACTIONS": "true"}
"""What a step of a workflow has in its environment."""
_NO_CACHE = {"XDG_CACHE_HOME": os.devnull}


def run(*words: str, input: bytes = b"", env: Mapping[str, str] | None = None) -> Result:
    """Run a command; raises what it does not catch itself."""
    done = CliRunner(env={**_NO_CACHE, **(env or {})}).invoke(
        group, words, input=input, prog_name="shelfread"
    )
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def for_people(*words: str, input: bytes = b"", workflow: bool = False) -> Iterator[Fault]:
    """Run a command whose output is seen: in a terminal, or in the log of a workflow."""
    done = run(*words, input=input, env=WORKFLOW if workflow else None)
    name = f"{words[0]} in a workflow" if workflow else words[0]
    yield from badly_ended(name, done)
    printed = [part.decode("utf-8", "surrogateescape") for part in (done.stdout_bytes, done.stderr_bytes)]
    yield from fit_to_print(name, "".join(printed))
    if workflow:
        yield from forged_commands(name, *printed)


def badly_ended(name: str, done: Result) -> Iterator[Fault]:
    """Yield a fault if the exit status is not one of those that are documented, or an error is not told."""
    if done.exit_code not in (0, 1, 2):
        yield Fault(f"{name}: exit status", str(done.exit_code))
    if done.exit_code == 2 and "shelfread: " not in done.stderr and "Error: " not in done.stderr:
        yield Fault(f"{name}: an error without a message")


def uncounted(files: int) -> AbstractContextManager[Callable[[int], None]]:
    """Show no count."""
    return nullcontext(lambda more: None)


@contextmanager
def folder(files: Mapping[str, bytes] | None = None) -> Iterator[Path]:
    """Give a new folder with these files; it is the working directory meanwhile."""
    before = os.getcwd()
    with TemporaryDirectory(prefix="shelfread-fuzz-") as name:
        for file, data in (files or {}).items():
            path = Path(name, file)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        os.chdir(name)
        try:
            yield Path(name)
        finally:
            os.chdir(before)
