"""One list becomes rows, in whatever process: the files that the rows depend on, their digest, and the rows."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from shelfread import __version__
from shelfread.audit.audit_rows import ListRow, list_row, rows_of
from shelfread.audit.list_sources import ListSource
from shelfread.audit.part_files import encode
from shelfread.core import git
from shelfread.core.errors import InputError, UserError
from shelfread.core.source import read_bytes
from shelfread.engine.policy_changes import policy_files
from shelfread.exports.shown_lists import read_lists
from shelfread.project.config import belongs_to_config
from shelfread.project.files import Project, group_files, list_markdown, relative_path
from shelfread.rulebook.selection import CUSTOM_RULES
from shelfread.taxonomy.chain import bundled_names, read_chain


class Inputs(NamedTuple):
    """The projects of the folder that is the working directory."""

    projects: Sequence[Project]
    texts: Mapping[str, bytes]  # the contents of its Markdown files, by path
    names: Sequence[str]  # its files of all kinds, sorted
    errors: Sequence[UserError]  # of folders that cannot be read


def _read_inputs(config: str | None, isolated: bool) -> Inputs:
    """Read the lists of the working directory. They are on their own, whatever repository the folder is in.

    Raises UserError if the configuration is wrong, or if there is no list.
    """
    unreadable: list[InputError] = []
    own = _is_own_repository()  # another one may well ignore the lists that are kept in it
    paths = [relative_path(path) for path in list_markdown(".", unreadable, ask_git=own)]
    if not paths and not unreadable:
        raise InputError("no Markdown files that git does not ignore" if own else "no Markdown files")
    projects = group_files(paths, Path(config) if config else None, isolated, pattern_root=Path.cwd())
    texts: dict[str, bytes] = {}
    for path in paths:
        with suppress(InputError):  # it is read again, and reported, if it is no file to skip
            texts[path] = read_bytes(path)
    return Inputs(projects, texts, sorted(_list_files(own)), unreadable)


def _is_own_repository() -> bool:
    return git.find_root(".") == os.path.realpath(".")


def _digest_of(inputs: Inputs, taxonomy: str | None, options: Sequence[str]) -> str:
    """Return the SHA-256 of all that the rows depend on; `taxonomy` replaces those of the configurations.

    It does not depend on the folder that the list is in.
    """
    digest = sha256()
    for part in _parts(inputs, taxonomy, options):
        digest.update(b"%d:" % len(part))
        digest.update(part)
    return digest.hexdigest()


def _parts(inputs: Inputs, taxonomy: str | None, options: Sequence[str]) -> Iterator[bytes]:
    yield from map(os.fsencode, options)
    for name in inputs.names:  # some rules look whether what a link leads to is there
        yield os.fsencode(name)
    yield b""
    for path in sorted({*inputs.texts, *map(relative_path, _policy_files(inputs, taxonomy))}):
        yield os.fsencode(
            path if path in inputs.texts or not path.startswith("../") else os.path.basename(path)
        )
        data = inputs.texts.get(path)
        with suppress(InputError):
            yield read_bytes(path) if data is None else data


def _list_files(own: bool) -> Iterable[str]:
    listed = git.list_files(".") if own else None
    return _walk() if listed is None else listed[0]


def _walk() -> Iterator[str]:
    for parent, folders, files in os.walk("."):
        folders[:] = [name for name in folders if name != ".git"]
        yield from (os.path.relpath(os.path.join(parent, name)).replace(os.sep, "/") for name in files)


def _policy_files(inputs: Inputs, taxonomy: str | None) -> Iterator[str]:
    """Yield the files that may change what is found, those of configurations outside of the list too."""
    yield from filter(belongs_to_config, inputs.names)
    for project in inputs.projects:
        yield from policy_files(project.config)
        if (folder := project.config.folder) is not None:
            yield from map(os.fspath, (folder / CUSTOM_RULES).rglob("*.md"))
    for name in (taxonomy, *(project.config.taxonomy for project in inputs.projects)):
        if name is not None and name not in bundled_names():
            yield from (file.path for file in read_chain(name) if file.path)


# The status of a list: everything was read, some files could not be read, nothing was read.
COMPLETE, PARTIAL, FAILED = "complete", "partial", "failed"


class AuditTask(NamedTuple):
    """A list, and how to read it; all paths are absolute."""

    source: ListSource
    config: str | None = None
    isolated: bool = False
    taxonomy: str | None = None
    known: str | None = None  # the digest of the rows that are already there
    deadline: float = 300  # in seconds
    memory: int = 2 << 30  # in bytes
    version: str = __version__


class Answer(NamedTuple):
    """What became of a task: the list's rows as a part, empty if those that are there are still right."""

    status: str
    part: bytes


def audit_list(task: AuditTask) -> Answer:
    """Return the rows of a list; changes the working directory to its folder.

    Raises UserError and OSError if nothing of it can be read.
    """
    os.chdir(task.source.folder)
    inputs = _read_inputs(task.config, task.isolated)
    commit = _commit()
    digest = _digest_of(inputs, task.taxonomy, _options(task, commit))
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
    if not _is_own_repository():
        return None
    output = git.run(".", "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    return (output or b"").decode("ascii").strip() or None
