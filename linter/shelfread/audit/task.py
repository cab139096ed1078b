"""One list becomes rows: a plain function of a task, in whatever process."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from shelfread import __version__
from shelfread.audit.audit_rows import ListRow, list_row, rows_of
from shelfread.audit.bare import check_out
from shelfread.audit.list_inputs import digest_of, is_own_repository, read_inputs
from shelfread.audit.list_sources import ListSource
from shelfread.audit.part_files import encode
from shelfread.core import git
from shelfread.core.errors import InputError, UserError
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.exports.shown_lists import read_lists

COMPLETE, PARTIAL, FAILED = "complete", "partial", "failed"
"""The status of a list: everything was read, some files could not be read, nothing was read."""


class AuditTask(NamedTuple):
    """A list, and how to read it; all paths are absolute."""

    source: ListSource
    config: str | None = None
    isolated: bool = False
    taxonomy: str | None = None
    known: str | None = None
    """The digest of the rows that are already there."""
    deadline: float = 300
    """In seconds."""
    memory: int = 2 << 30
    """In bytes."""
    version: str = __version__


class Answer(NamedTuple):
    """What became of a task: the list's rows as a part, empty if those that are there are still right."""

    status: str
    part: bytes


def audit_list(task: AuditTask, scratch: Path) -> Answer:
    """Return the rows of a list; changes the working directory to its folder.

    Raises UserError and OSError if nothing of it can be read.
    """
    folder, commit = Path(task.source.folder), None
    if task.source.bare:
        try:
            folder, commit = check_out(task.source.folder, scratch, os.path.basename(task.source.name))
        except UserError as error:
            raise InputError(error.message) from None  # its path is in the scratch folder
    os.chdir(folder)
    inputs = read_inputs(task.config, task.isolated)
    commit = commit or _commit()
    digest = digest_of(inputs, task.taxonomy, _options(task, commit))
    if digest == task.known:
        return Answer(COMPLETE, b"")
    errors: list[UserError] = [*inputs.errors]
    lists = [
        shown
        for project in inputs.projects
        for shown in read_lists(project, task.taxonomy, errors, texts=inputs.texts)
    ]
    lists.sort(key=lambda shown: shown.document.source.path or "")
    row = ListRow(
        task.source.name,
        status=PARTIAL if errors else COMPLETE,
        error=_first(errors),
        commit=commit,
        digest=digest,
        bytes=sum(len(inputs.texts[path]) for shown in lists if (path := shown.document.source.path)),
    )
    return Answer(row.status, encode(list_row(row, lists), rows_of(row.list, lists)))


def failed(task: AuditTask, error: str) -> Answer:
    """Return the answer for a list of which nothing was read."""
    return Answer(FAILED, encode(ListRow(task.source.name, FAILED, error)))


def _options(task: AuditTask, commit: str | None) -> list[str]:
    """Return what the rows depend on beside files; an awesome list is known by the name of its repository, too."""
    chosen = [str(task.isolated), str(task.config is not None), os.path.basename(task.taxonomy or "")]
    return [task.version, commit or "", os.path.basename(os.getcwd()), *chosen]


def _first(errors: Sequence[UserError]) -> str | None:
    if len(errors) > 1:
        return f"{errors[0]} (and {len(errors) - 1:,} more)"
    return str(errors[0]) if errors else None


def _commit() -> str | None:
    """Return the commit that is checked out, if the working directory is a repository of its own."""
    if not is_own_repository():
        return None
    output = git.run(".", "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    return (output or b"").decode("ascii").strip() or None
