"""The lists of an audit, and how one is read: in a process of its own, within the time and memory it is given."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, NamedTuple

from shelfread import __version__
from shelfread.audit.audit_rows import ListRow, list_row, rows_of
from shelfread.audit.part_files import encode
from shelfread.core import git
from shelfread.core.errors import InputError, UserError, reason_of
from shelfread.core.source import Source, read_bytes
from shelfread.document.file_kind import SUFFIXES
from shelfread.engine.policy_changes import policy_files
from shelfread.exports.shown_lists import read_lists
from shelfread.project.config import belongs_to_config
from shelfread.project.files import Project, group_files, list_markdown, relative_path
from shelfread.rulebook.selection import CUSTOM_RULES
from shelfread.taxonomy.load import source_files


class Inputs(NamedTuple):
    """The projects of the folder that is the working directory."""

    projects: Sequence[Project]
    texts: Mapping[str, bytes]  # the contents of its Markdown files, by path
    names: Sequence[str]  # its files of all kinds, sorted
    errors: Sequence[UserError]  # of folders that cannot be read


def _read_inputs(config: str | None, isolated: bool) -> Inputs:
    """Read the lists of the working directory, on their own, whatever repository it is in. Raises UserError if there is none."""
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
    """Return the SHA-256 of all that the rows depend on but the folder; `taxonomy` replaces those of the configurations."""
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
        if name is not None:
            yield from source_files(name)


# The status of a list: everything was read, some files could not be read, nothing was read.
COMPLETE, PARTIAL, FAILED = "complete", "partial", "failed"


class AuditOptions(NamedTuple):
    """The options of `audit`."""

    sources: Sequence[str]
    output: str
    form: str | None = None  # none for Parquet, or CSV where its library is not installed
    config: str | None = None
    isolated: bool = False
    taxonomy: str | None = None
    deadline: float = 300  # of each list, in seconds
    memory: int = 2 << 30  # of each list, in bytes
    jobs: int | None = None
    scheduler: str | None = None  # the address of a Dask scheduler; None for processes of this machine
    # what `shelfread links` wrote; None if nothing is said of the state of links.
    cache_file: str | None = None


class AuditTask(NamedTuple):
    """A list, and how to read it; all paths are absolute."""

    source: ListSource
    options: AuditOptions
    known: str | None = None  # the digest of the rows that are already there
    version: str = __version__


class Answer(NamedTuple):
    """What became of a task: the list's rows as a part, empty if those that are there are still right."""

    status: str
    part: bytes


def audit_list(task: AuditTask) -> Answer:
    """Return the rows of a list, with its folder as the working directory; raises UserError and OSError if nothing can be read."""
    os.chdir(task.source.folder)
    inputs = _read_inputs(task.options.config, task.options.isolated)
    commit = _commit()
    digest = _digest_of(inputs, task.options.taxonomy, _parameters(task, commit))
    if digest == task.known:
        return Answer(COMPLETE, b"")
    errors: list[UserError] = [*inputs.errors]
    lists = [
        shown
        for project in inputs.projects
        for shown in read_lists(project, task.options.taxonomy, errors, texts=inputs.texts)
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


def _parameters(task: AuditTask, commit: str | None) -> list[str]:
    """Return what the rows depend on beside files; an awesome list is known by the name of its repository, too."""
    options = task.options
    chosen = [
        str(options.isolated),
        str(options.config is not None),
        os.path.basename(options.taxonomy or ""),
    ]
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
            pickle.dump(_answer(pickle.load(tasks)), answers)
            answers.flush()
            gc.collect()
    except (EOFError, BrokenPipeError):
        pass  # whoever asks has ended, or was killed
    except MemoryError:
        os._exit(OUT_OF_MEMORY)  # nothing else can be relied on


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
    with _alarm(task.options.deadline):
        try:
            return audit_list(task)
        except UserError as error:
            return failed(task, str(error))
        except MemoryError:
            raise
        except OSError as error:
            return failed(task, f"cannot be read: {reason_of(error)}")
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


_MAX_DEPTH = 8  # a folder this deep below SOURCE is not looked into any more

_SKIPPED = {".venv", "venv", "node_modules", "__pycache__"}


class ListSource(NamedTuple):
    """A list: the name that its rows have, and the real path of its folder."""

    name: str
    folder: str


def find_lists(sources: Sequence[str], output: str) -> list[ListSource]:
    """Return the lists of all sources by name, each folder once, without `output`; raises InputError for a source that has none."""
    left_out = os.path.realpath(output)
    by_folder: dict[str, ListSource] = {}
    for source in sources:
        lists = list(_lists_of(source, left_out))
        if not lists:
            reason = (
                "no list: no repository and no Markdown file in it or its folders; links are not followed"
                if os.path.realpath(source) != left_out
                else "the lists and what --output names are one folder: name another one for the output"
            )
            raise InputError(reason, source)
        for one in lists:
            by_folder.setdefault(one.folder, one)
    return sorted(_with_own_names(by_folder.values()))


def _lists_of(source: str, left_out: str) -> Iterator[ListSource]:
    if not os.path.lexists(source):
        raise InputError("no such file or folder", source)
    if os.path.isdir(source):
        folder = os.path.realpath(source)
        yield from _search(folder, os.path.basename(folder), left_out)
        return
    if source.lower().endswith(SUFFIXES):
        raise InputError("a Markdown file: name its folder, or a file that names folders", source)
    lines = map(str.strip, Source.from_bytes(read_bytes(source), source).lines)
    for line in (line for line in lines if line and not line.startswith("#")):
        # Most often the file was made by a command such as `ls -d lists/*/`, in the folder where it lies.
        path = os.path.join(os.path.dirname(source), line)
        folder = os.path.realpath(path)
        name = os.path.normpath(line).replace(os.sep, "/")
        yield ListSource(name if name.strip("./") else os.path.basename(folder), folder)


def _search(folder: str, name: str, left_out: str, depth: int = 0) -> Iterator[ListSource]:
    """Yield a folder if it is a list, else the lists in it; links to other folders are not followed."""
    if folder == left_out:
        return
    if _is_repository(folder):
        yield ListSource(name, folder)
        return
    try:
        with os.scandir(folder) as entries:
            inside = sorted(entries, key=lambda entry: entry.name)
    except OSError:
        yield ListSource(name, folder)  # its row says why it cannot be read
        return
    folders = [entry for entry in inside if _is_searched(entry)]
    markdown = any(entry.name.lower().endswith(SUFFIXES) for entry in inside)
    if markdown and not any(_is_repository(entry.path) for entry in folders):
        yield ListSource(name, folder)
    elif depth < _MAX_DEPTH:
        for entry in folders:
            below = f"{name}/{entry.name}" if depth else entry.name
            yield from _search(entry.path, below, left_out, depth + 1)


def _is_searched(entry: os.DirEntry[str]) -> bool:
    hidden = entry.name.startswith(".") or entry.name in _SKIPPED
    return not hidden and entry.is_dir(follow_symlinks=False)


def _with_own_names(lists: Iterable[ListSource]) -> Iterator[ListSource]:
    """Yield lists with names of their own: of several with one name, each gets its path."""
    lists = [one._replace(name=_printable(one.name)) for one in lists]
    times = Counter(one.name for one in lists)
    for one in lists:
        yield one if times[one.name] == 1 else one._replace(name=_printable(relative_path(one.folder)))


def _printable(name: str) -> str:
    return name.encode("utf-8", "backslashreplace").decode()


def _is_repository(folder: str) -> bool:
    return os.path.lexists(os.path.join(folder, ".git"))
