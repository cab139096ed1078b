"""Run git safely: no program that the repository configures, no network, no prompt, nothing written."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from shelfread.core.errors import InputError, reason_of
from shelfread.core.patterns import lazy
from shelfread.core.source import MAX_BYTES

if TYPE_CHECKING:
    from subprocess import CompletedProcess

_SECONDS = 60
_STREAM_SECONDS = 600
# The beginnings of git's variables that are the user's own. Hooks set others for the repository that they run
# in, which may be another one, and some name programs or files to write.
_KEPT_VARIABLES = (
    "GIT_CONFIG",
    "GIT_EXEC_PATH",
    "GIT_CEILING_DIRECTORIES",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
)
_SAFE_OPTIONS = (
    "--no-pager",
    *("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "log.showSignature=false"),
    *("-c", "safe.bareRepository=explicit"),  # a planted bare repository brings its own config
)
_ENVIRONMENT = {
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",  # older ones fetch a partial clone's blobs all the same
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


class Blob(NamedTuple):
    """A path's entry in a commit: git's octal mode (100644, 120000 a link, 160000 a submodule) and its hash."""

    mode: str
    oid: str

    @property
    def is_file(self) -> bool:
        return self.mode.startswith("100")

    def holds(self, data: bytes) -> bool:
        """Return whether the blob's content is `data`."""
        from hashlib import sha1, sha256

        digest = sha1(usedforsecurity=False) if len(self.oid) == 40 else sha256()
        digest.update(b"blob %d\0" % len(data))
        digest.update(data)
        return digest.hexdigest() == self.oid


def find_root(folder: str) -> str | None:
    """Return the real path of the work tree that contains a folder, or None; git is not run."""
    path = os.path.realpath(folder or ".")
    while not os.path.exists(os.path.join(path, ".git")):
        parent = os.path.dirname(path)
        if parent == path:
            return None
        path = parent
    return path


def need_root(folder: str) -> str:
    """Return the real path of the work tree that contains a folder. Raises InputError if there is none."""
    root = find_root(folder)
    if root is None:
        raise InputError("no git repository: there is no commit to compare with", folder or ".")
    return root


def run(folder: str, *arguments: str, data: bytes = b"", seconds: float = _SECONDS) -> bytes | None:
    """Return what a git command prints, given `data`, or None if git is missing, fails or takes too long."""
    try:
        completed = _execute(folder, arguments, data, seconds)
    except InputError:
        return None
    return completed.stdout if completed.returncode == 0 else None


def stream(root: str, *arguments: str) -> Iterator[bytes]:
    """Yield the lines that a git command prints, as they come, with their line feeds; raises InputError if it fails."""
    import subprocess
    from tempfile import TemporaryFile
    from threading import Timer

    with TemporaryFile() as errors:
        try:
            process = subprocess.Popen(
                _command(root, arguments),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                env=_environment(root),
            )
        except OSError as error:
            raise _cannot_run(error, root) from None
        timer = Timer(_STREAM_SECONDS, process.kill)
        timer.daemon = True
        timer.start()
        with process:
            try:
                if process.stdout is not None:
                    yield from process.stdout
            except BaseException:
                process.kill()
                raise
            finally:
                in_time = timer.is_alive()
                timer.cancel()
        if not in_time:
            raise _took_too_long(root, _STREAM_SECONDS)
        if process.returncode != 0:
            errors.seek(0)
            raise _error(root, subprocess.CompletedProcess([], process.returncode, b"", errors.read()))


def list_files(folder: str, *patterns: str) -> tuple[set[str], list[str]] | None:
    """Return the files that git tracks or would add, and the folders that it cannot read; None if git fails."""
    options = ("-z", "--cached", "--others", "--exclude-standard")
    try:
        done = _execute(folder, ("ls-files", *options, "--", *patterns))
    except InputError:
        return None
    if done.returncode != 0:
        return None
    unreadable = [os.fsdecode(match[1]) for match in _UNREADABLE.finditer(done.stderr)]
    return {os.fsdecode(name) for name in done.stdout.split(b"\0") if name}, unreadable


def resolve(root: str, rev: str) -> str:
    """Return the full hash of a revision's commit, of the empty tree before the first; raises InputError if there is none."""
    found = _commit_hash(root, rev)
    if found is None and rev == "HEAD" and _has_no_commits(root):
        return _output(root, "hash-object", "-t", "tree", "--stdin").decode("ascii").strip()
    if found is None:
        raise _no_such_revision(root, rev)
    return found


def merge_base(root: str, first: str, second: str) -> str:
    """Return the hash of the best common ancestor of two revisions. Raises InputError if there is none."""
    commits = [resolve(root, first), resolve(root, second)]
    completed = _execute(root, ("merge-base", *commits))
    if completed.returncode == 0 and completed.stdout.strip():
        return completed.stdout.split()[0].decode("ascii")
    problem = f"'{first}' and '{second}' have no common ancestor here"
    raise InputError(f"{problem}: {_DEEPEN}" if is_shallow(root) else f"{problem}: name a commit")


def list_commits(root: str, commit: str) -> list[str]:
    """Return the hashes of a commit, given by its hash, and of all its ancestors."""
    return _output(root, "rev-list", commit).decode("ascii").split()


def list_tree(root: str, commit: str) -> dict[str, Blob]:
    """Return the entries of a commit by their paths with `/`, without those that git would not check out, such as `../a`."""
    listed = _output(root, "ls-tree", "-r", "-z", "--full-tree", commit)
    tree = {}
    for line in listed.split(b"\0"):
        head, _, name = line.partition(b"\t")
        if name and not _FORBIDDEN.intersection(name.lower().replace(b"\\", b"/").split(b"/")):
            mode, _, oid = head.decode("ascii").split()
            tree[os.fsdecode(name)] = Blob(mode, oid)
    return tree


def read_blobs(root: str, oids: Collection[str]) -> dict[str, bytes]:
    """Return contents by hash, without those larger than the limit. Raises InputError for a blob not cloned."""
    if not oids:
        return {}
    wanted = sorted(set(oids))
    sizes = _output(root, "cat-file", "--batch-check", data="\n".join(wanted).encode("ascii") + b"\n")
    within_limit = []
    for line in sizes.decode("ascii", "replace").splitlines():
        oid, kind, *size = line.split()
        if kind == "missing":
            raise InputError(_PARTIAL, root)
        if kind == "blob" and int(size[0]) <= MAX_BYTES:
            within_limit.append(oid)
    if not within_limit:
        return {}
    data = _output(root, "cat-file", "--batch", data="\n".join(within_limit).encode("ascii") + b"\n")
    contents, offset = {}, 0
    while offset < len(data):
        end = data.index(b"\n", offset)
        oid, _, length = data[offset:end].decode("ascii").split()
        contents[oid] = data[end + 1 : end + 1 + int(length)]
        offset = end + 1 + int(length) + 1
    return contents


# The hash of a folder without files, by SHA-1 and SHA-256.
EMPTY_TREES = (
    "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
)
# Names that lead out of a work tree, or into its repository.
_FORBIDDEN = frozenset((b"", b".", b"..", b".git"))
_UNREADABLE = lazy(rb"(?m)^warning: could not open directory '(.*)/': ")
_DEEPEN = "this clone is shallow, set `fetch-depth: 0` for actions/checkout or run `git fetch --unshallow`"
_PARTIAL = "this clone lacks contents of older commits: clone without `filter`, or run `git fetch --refetch`"


def _commit_hash(root: str, rev: str) -> str | None:
    if not rev or rev.startswith("-") or "\0" in rev or "\n" in rev:
        return None
    completed = _execute(root, ("rev-parse", "--verify", "--quiet", f"{rev}^{{commit}}"))
    return completed.stdout.decode("ascii").strip() if completed.returncode == 0 else None


def _has_no_commits(root: str) -> bool:
    done = _execute(root, ("rev-list", "--all", "--max-count=1"))
    return done.returncode == 0 and not done.stdout


def _no_such_revision(root: str, rev: str) -> InputError:
    if not rev or rev.startswith("-") or "\0" in rev or "\n" in rev:
        return InputError(f"'{rev}' is not a revision: name a commit, a branch or a tag")
    if _commit_hash(root, "HEAD") is None:
        completed = _execute(root, ("rev-parse", "--git-dir"))
        if completed.returncode != 0:
            return _error(root, completed)
        if _has_no_commits(root):
            return InputError(f"no revision '{rev}': this repository has no commits yet", root)
    if is_shallow(root):
        return InputError(f"no revision '{rev}' here: {_DEEPEN}", root)
    if _commit_hash(root, f"origin/{rev}") is not None:
        return InputError(f"no revision '{rev}': did you mean 'origin/{rev}'?", root)
    return InputError(f"no revision '{rev}': did you fetch it? (`git fetch origin`)", root)


def is_shallow(root: str) -> bool:
    return _execute(root, ("rev-parse", "--is-shallow-repository")).stdout.strip() == b"true"


def _output(root: str, *arguments: str, data: bytes = b"") -> bytes:
    completed = _execute(root, arguments, data)
    if completed.returncode != 0:
        raise _error(root, completed)
    return completed.stdout


def _error(root: str, completed: CompletedProcess[bytes]) -> InputError:
    message = completed.stderr.decode("utf-8", "replace").strip()
    if "lazy fetch" in message or "promisor" in message:
        return InputError(_PARTIAL, root)
    fatal = (line for line in message.splitlines() if line.startswith("fatal:"))
    return InputError(f"git failed: {next(fatal, f'exit {completed.returncode}')}", root)


def _execute(
    folder: str, arguments: Collection[str], data: bytes = b"", seconds: float = _SECONDS
) -> CompletedProcess[bytes]:
    import subprocess

    try:
        return subprocess.run(
            _command(folder, arguments),
            input=data,
            capture_output=True,
            env=_environment(folder),
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        raise _took_too_long(folder, seconds) from None
    except OSError as error:
        raise _cannot_run(error, folder) from None


def _command(folder: str, arguments: Collection[str]) -> list[str]:
    return [_program(os.environ.get("PATH", os.defpath)), "-C", folder or ".", *_SAFE_OPTIONS, *arguments]


@lru_cache(maxsize=1)
def _program(path: str) -> str:
    """Return git as the folders of PATH have it; never that of the working directory, which may be a stranger's."""
    name = "git.exe" if sys.platform == "win32" else "git"
    for folder in path.split(os.pathsep):
        found = os.path.join(folder, name)
        if os.path.isabs(folder) and os.access(found, os.X_OK) and os.path.isfile(found):
            return found
    raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)


def _environment(folder: str) -> dict[str, str]:
    """Return the environment of a git command; of a repository that was found only its own folder counts."""
    environment: Mapping[str, str] = os.environ
    if find_root(folder) is not None:
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("GIT_") or name.startswith(_KEPT_VARIABLES)
        }
    return {**environment, **_ENVIRONMENT}


def _took_too_long(folder: str, seconds: float) -> InputError:
    return InputError(f"git took more than {seconds:g} seconds: try again", folder)


def _cannot_run(error: OSError, folder: str) -> InputError:
    return InputError(f"git cannot be run ({reason_of(error)}): is it installed?", folder)
