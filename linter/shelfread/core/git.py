"""Git, asked safely: no program that a repository names is run, no network, no prompt, nothing written."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, NamedTuple

from shelfread.core.errors import InputError
from shelfread.core.source import MAX_BYTES

if TYPE_CHECKING:
    from subprocess import CompletedProcess

_SECONDS = 60
_LOCAL = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_NAMESPACE")
"""What a hook hands down about the repository that it runs in, which may be another one."""
_SAFELY = (
    "--no-pager",
    *("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "log.showSignature=false"),
    *("-c", "safe.bareRepository=explicit"),  # a planted bare repository brings its own config
)
_ALONE = {
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",  # older ones fetch a partial clone's blobs all the same
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


class Blob(NamedTuple):
    """What a commit has at a path: git's octal mode (100644, 120000 a link, 160000 a submodule) and its hash."""

    mode: str
    oid: str

    @property
    def is_file(self) -> bool:
        """Whether it is a regular file."""
        return self.mode.startswith("100")

    def holds(self, data: bytes) -> bool:
        """Whether these are its very bytes."""
        from hashlib import sha1, sha256

        digest = sha1(usedforsecurity=False) if len(self.oid) == 40 else sha256()
        digest.update(b"blob %d\0" % len(data))
        digest.update(data)
        return digest.hexdigest() == self.oid


def find_root(folder: str) -> str | None:
    """The work tree that a folder lies in, by its real path; git itself is not asked."""
    at = os.path.realpath(folder or ".")
    while not os.path.exists(os.path.join(at, ".git")):
        above = os.path.dirname(at)
        if above == at:
            return None
        at = above
    return at


def need_root(folder: str) -> str:
    """The work tree that a folder lies in; raises InputError outside of any."""
    root = find_root(folder)
    if root is None:
        raise InputError("no git repository: there is no commit to compare with", folder or ".")
    return root


def ask(folder: str, *words: str, data: bytes = b"", seconds: float = _SECONDS) -> bytes | None:
    """What a git command answers; None where git is missing, too slow or of another mind."""
    try:
        done = _run(folder, words, data, seconds)
    except InputError:
        return None
    return done.stdout if done.returncode == 0 else None


def resolve(root: str, rev: str) -> str:
    """The full hash of the commit that a revision names; raises InputError with what to do."""
    found = _commit(root, rev)
    if found is None:
        raise _missing(root, rev)
    return found


def short(commit: str) -> str:
    """A hash as people say it."""
    return commit[:7]


def merge_base(root: str, one: str, other: str) -> str:
    """The commit at which two revisions parted; raises InputError where none is known."""
    commits = [resolve(root, one), resolve(root, other)]
    done = _run(root, ("merge-base", *commits))
    if done.returncode == 0 and done.stdout.strip():
        return done.stdout.split()[0].decode("ascii")
    why = f"no commit is known from which both '{one}' and '{other}' come"
    raise InputError(f"{why}: {_DEEPEN}" if is_shallow(root) else f"{why}: name a commit")


def list_tree(root: str, commit: str) -> dict[str, Blob]:
    """All that a commit holds, by paths from the root with `/`; `commit` is a hash."""
    done = _sure(root, "ls-tree", "-r", "-z", "--full-tree", commit)
    tree = {}
    for line in done.split(b"\0"):
        head, _, name = line.partition(b"\t")
        if name:
            mode, _, oid = head.decode("ascii").split()
            tree[os.fsdecode(name)] = Blob(mode, oid)
    return tree


def read_blobs(root: str, oids: Collection[str]) -> dict[str, bytes]:
    """Contents by hash, without those beyond the limit; raises InputError for what was not cloned."""
    if not oids:
        return {}
    wanted = sorted(set(oids))
    sizes = _sure(root, "cat-file", "--batch-check", data="\n".join(wanted).encode("ascii") + b"\n")
    bearable = []
    for line in sizes.decode("ascii", "replace").splitlines():
        oid, kind, *size = line.split()
        if kind == "missing":
            raise InputError(_PARTIAL, root)
        if kind == "blob" and int(size[0]) <= MAX_BYTES:
            bearable.append(oid)
    if not bearable:
        return {}
    data = _sure(root, "cat-file", "--batch", data="\n".join(bearable).encode("ascii") + b"\n")
    found, at = {}, 0
    while at < len(data):
        end = data.index(b"\n", at)
        oid, _, length = data[at:end].decode("ascii").split()
        found[oid] = data[end + 1 : end + 1 + int(length)]
        at = end + 1 + int(length) + 1
    return found


_DEEPEN = "this clone is shallow, give actions/checkout `fetch-depth: 0` or run `git fetch --unshallow`"

_PARTIAL = "this clone lacks contents of older commits: clone without `filter`, or run `git fetch --refetch`"


def _commit(root: str, rev: str) -> str | None:
    if not rev or rev.startswith("-") or "\0" in rev or "\n" in rev:
        return None
    done = _run(root, ("rev-parse", "--verify", "--quiet", f"{rev}^{{commit}}"))
    return done.stdout.decode("ascii").strip() if done.returncode == 0 else None


def _missing(root: str, rev: str) -> InputError:
    if not rev or rev.startswith("-") or "\0" in rev or "\n" in rev:
        return InputError(f"'{rev}' is no revision: name a commit, a branch or a tag")
    if _commit(root, "HEAD") is None:
        done = _run(root, ("rev-parse", "--git-dir"))
        if done.returncode != 0:
            return _failure(root, done)
        if not _has_commits(root):
            return InputError(f"no revision '{rev}': this repository has no commits yet", root)
    if is_shallow(root):
        return InputError(f"no revision '{rev}' here: {_DEEPEN}", root)
    if _commit(root, f"origin/{rev}") is not None:
        return InputError(f"no revision '{rev}': did you mean 'origin/{rev}'?", root)
    return InputError(f"no revision '{rev}': did you fetch it? (`git fetch origin`)", root)


def _has_commits(root: str) -> bool:
    return bool(_run(root, ("rev-list", "--all", "--max-count=1")).stdout)


def is_shallow(root: str) -> bool:
    """Whether a clone lacks older commits."""
    return _run(root, ("rev-parse", "--is-shallow-repository")).stdout.strip() == b"true"


def _sure(root: str, *words: str, data: bytes = b"") -> bytes:
    done = _run(root, words, data)
    if done.returncode != 0:
        raise _failure(root, done)
    return done.stdout


def _failure(root: str, done: CompletedProcess[bytes]) -> InputError:
    said = done.stderr.decode("utf-8", "replace").strip()
    if "lazy fetch" in said or "promisor" in said:
        return InputError(_PARTIAL, root)
    lines = [line for line in said.splitlines() if line.startswith("fatal:")] or [f"exit {done.returncode}"]
    return InputError(f"git says: {lines[0]}", root)


def _run(
    folder: str, words: Collection[str], data: bytes = b"", seconds: float = _SECONDS
) -> CompletedProcess[bytes]:
    import subprocess

    environment: Mapping[str, str] = os.environ
    if find_root(folder) is not None:
        environment = {name: value for name, value in os.environ.items() if name not in _LOCAL}
    try:
        return subprocess.run(
            ["git", "-C", folder or ".", *_SAFELY, *words],
            input=data,
            capture_output=True,
            env={**environment, **_ALONE},
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        raise InputError(f"git took more than {seconds:g} seconds: try again", folder) from None
    except OSError as error:
        raise InputError(f"git cannot be run ({error.strerror}): is it installed?", folder) from None
