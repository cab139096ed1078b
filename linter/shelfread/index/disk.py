"""What rules look at beside the texts of a project: its files on disk or at a commit, those of git, its origin, the clock."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property, lru_cache, wraps
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeAlias, TypeVar, cast

from shelfread.core import git
from shelfread.core.patterns import lazy
from shelfread.core.source import read_start


@dataclass(frozen=True, eq=False)
class Location:
    """Where the files of a project are. Fixes do not change it."""

    paths: tuple[str, ...]
    # the content of each folder at a commit, by its path from the root; None if the files are on disk.
    folders: Mapping[str, frozenset[str]] | None = None

    @cached_property
    def folder(self) -> str:
        """The absolute path of the folder that holds all files, symbolic links resolved."""
        folders = {os.path.realpath(folder or ".") for folder in self.by_folder}
        try:
            return os.path.commonpath(folders or {os.path.realpath(".")})
        except ValueError:  # several drives
            return os.path.realpath(".")

    @cached_property
    def by_folder(self) -> dict[str, list[str]]:
        folders: dict[str, list[str]] = {}
        for path in self.paths:
            folders.setdefault(os.path.dirname(path), []).append(path)
        return folders


_COMMITS = 5000
_SECONDS = 10

# What was looked at, by the name of the method and its arguments, with the answers.
Looks: TypeAlias = Mapping[tuple[str, tuple[Any, ...]], object]

_P = ParamSpec("_P")
_T = TypeVar("_T")


def _noted(method: Callable[Concatenate[Disk, _P], _T]) -> Callable[Concatenate[Disk, _P], _T]:
    """Let a method of `Disk` note its arguments and its answer, which it gives again when it is asked again."""

    @wraps(method)
    def ask(self: Disk, /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        look = method.__name__, args
        if look not in self.looks:
            self.looks[look] = method(self, *args, **kwargs)
        return cast(_T, self.looks[look])

    return ask


@dataclass(frozen=True, eq=False)
class Disk:
    """Answers each look at the world outside, and notes it. Arguments and answers are plain values."""

    looks: dict[tuple[str, tuple[Any, ...]], Any] = field(default_factory=dict)

    def ask(self, name: str, arguments: Iterable[Any]) -> object:
        """Return the answer of a method by its name. Raises LookupError if none is noted by it."""
        method = getattr(self, name, None)
        if method is None or not hasattr(method, "__wrapped__"):
            raise LookupError(name)
        return method(*arguments)

    @_noted
    def exists(self, path: str) -> bool:
        """Return whether anything has that path, even a broken link."""
        return os.path.lexists(path)

    @_noted
    def is_file(self, path: str) -> bool:
        """Return whether there is a regular file of that path, or a link to one."""
        return os.path.isfile(path)

    @_noted
    def is_folder(self, path: str) -> bool:
        """Return whether there is a folder of that path."""
        return os.path.isdir(path)

    @_noted
    def list_folder(self, root: str, folder: str) -> frozenset[str]:
        """Return the names in a folder; none if it cannot be read."""
        try:
            return frozenset(os.listdir(os.path.join(root, folder)))
        except OSError:
            return frozenset()

    @_noted
    def leads_out(self, root: str, path: str) -> bool:
        """Return whether a path from the root is a symbolic link to the outside."""
        if not os.path.islink(os.path.join(root, path)):
            return False
        real = os.path.realpath(os.path.join(root, path))
        return real != root and not real.startswith(root + os.sep)

    @_noted
    def read_start(self, path: str, most: int) -> str | None:
        """Return at most so many characters of a regular file; None if it cannot be read."""
        return read_start(path, most)

    @_noted
    def find_root(self, path: str, folder: str) -> tuple[str, bool]:
        """Return the root of a list's project, and whether git says so: without git `folder`, if it holds the list, or its own."""
        own = os.path.realpath(os.path.dirname(path) or ".")
        root = git.find_root(own)
        if root is not None:
            return root, True
        is_inside = own == folder or own.startswith(folder.rstrip(os.sep) + os.sep)
        return (folder if is_inside else own), False

    @_noted
    def from_root(self, path: str, root: str) -> str | None:
        """Return a path relative to the root, with `/` and empty for the root; None if it is outside."""
        try:
            relative = os.path.relpath(os.path.realpath(path or "."), root).replace(os.sep, "/")
        except ValueError:  # another drive
            return None
        if relative == ".." or relative.startswith("../"):
            return None
        return "" if relative == "." else relative

    @_noted
    def newest_commit(self, root: str) -> str:
        """Return the hash of the commit that a work tree is at; empty outside of git, and before the first one."""
        head = git.run(root, "rev-parse", "--verify", "--quiet", "HEAD") if git.find_root(root) else b""
        return (head or b"").decode("ascii").strip()

    def renames(self, root: str) -> Mapping[str, str]:
        """Return the last path of every file that git saw renamed, by its old path, both from the root."""
        commit = self.newest_commit(root)
        return _renames(root, commit) if commit else {}

    @_noted
    def this_month(self) -> tuple[int, int]:
        """Return the current year and month, from 1."""
        today = date.today()
        return today.year, today.month


@lru_cache(maxsize=4)  # git is slow, and an editor asks again after every edit
def _renames(root: str, commit: str) -> Mapping[str, str]:
    output = git.run(
        root,
        *(
            "log",
            commit,
            f"--max-count={_COMMITS}",
            "-M",
            "--diff-filter=R",
            "--name-status",
            "-z",
            "--format=",
        ),
        *("--no-ext-diff", "--no-textconv", "--no-color", "--relative"),
        seconds=_SECONDS,
    )
    return {} if output is None else _last_paths([os.fsdecode(field) for field in output.split(b"\0")])


def _last_paths(fields: list[str]) -> dict[str, str]:
    """Return the last path by old path, from git's output, which begins with the newest rename."""
    last: dict[str, str] = {}
    remaining = iter(fields)
    for status in remaining:
        if re.fullmatch(r"\n*R\d+", status):
            old, new = next(remaining, ""), next(remaining, "")
            if new:
                last.setdefault(old, last.get(new, new))
    return last


# Files of site generators, in lower case: where one lies, pages are built from the Markdown.
SITES = frozenset(
    "_config.yml _config.yaml mkdocs.yml mkdocs.yaml docusaurus.config.js docusaurus.config.ts hugo.toml "
    "config.toml book.toml book.json .vitepress .vuepress .eleventy.js astro.config.mjs gatsby-config.js "
    "_sidebar.md home.md _quarto.yml antora.yml nuxt.config.ts next.config.js".split()
)


class ProjectFiles:
    """The files around a list. Each folder is read once; paths are case-sensitive on every system."""

    def __init__(self, path: str, disk: Disk, location: Location) -> None:
        """Look at the disk beside the list at `path`, or at the commit of its project's location."""
        self.disk = disk
        self.root, self.is_git_root = disk.find_root(path, location.folder)
        # the folder of the list, from the root; None if it is outside.
        self.folder = disk.from_root(os.path.dirname(path), self.root)
        self._folders = location.folders or {}
        self._names: dict[str, frozenset[str]] = {}

    def names(self, folder: str) -> frozenset[str]:
        """Return the names in a folder (its path from the root; empty for the root); none if there is no such folder."""
        if folder not in self._names:
            self._names[folder] = self._folders.get(folder) or self.disk.list_folder(self.root, folder)
        return self._names[folder]

    def is_site(self, folder: str) -> bool:
        """Return whether a site generator builds pages from the Markdown in a folder, so that URLs are not paths."""
        while True:
            if any(name.lower() in SITES for name in self.names(folder)):
                return True
            if not folder:
                return False
            folder = folder.rpartition("/")[0]

    def find(self, path: str) -> bool | None:
        """Return whether a path from the root exists, in this spelling; None if it is unknown (submodules, links out)."""
        folder = ""
        for name in path.split("/") if path else ():
            names = self.names(folder)
            if name not in names:
                # An empty folder may be a submodule that was not fetched.
                return None if folder and not names and ".gitmodules" in self.names("") else False
            folder = f"{folder}/{name}" if folder else name
            if self.disk.leads_out(self.root, folder):
                return None
        return True

    def spellings(self, path: str) -> list[str]:
        """Return the paths that exist and differ from a path only in case, at most ten."""
        found = [""]
        for component in path.split("/"):
            folded = component.casefold()
            named = ((folder, name) for folder in found for name in sorted(self.names(folder)))
            found = [posixpath.join(*pair) for pair in named if pair[1].casefold() == folded][:10]
        return found


_MOST_CHARACTERS = 65536
_SECTION = lazy(r"(?m)^[ \t]*\[([^\r\n]*)\][ \t]*\r?$")
_URL = lazy(r"(?im)^[ \t]*url[ \t]*=[ \t]*\"?([^\s\"]+)")
_REMOTE = lazy(
    r"(?i)(?:(?:https?|ssh|git)://(?:[^/@\s]*@)?|(?:[\w.-]+@)?)([\w.-]+\.[a-z]+)(?::\d+/|[:/])([\w.-]+(?:/[\w.-]+){0,9}?)/([\w.-]+?)(?:\.git)?/?"
)
_HEAD = lazy(r"ref:[ \t]*refs/heads/([^\s]+)")


class Origin(NamedTuple):
    """A repository: its host, owner and name, and the branches whose URLs mean the checked out files."""

    host: str
    owner: str
    name: str
    branches: frozenset[str]


def find_origin(disk: Disk, root: str, repository: str = "") -> Origin | None:
    """Return the origin of a work tree, or `owner/name` on GitHub if that is given; None if there is none."""
    folder = _git_folder(disk, root)
    head = _HEAD.match(_read(disk, folder, "HEAD")) if folder else None
    branches = frozenset({"HEAD", "main", "master", *((head[1],) if head else ())})
    owner, _, name = repository.partition("/")
    if owner and name:
        return Origin("github.com", owner, name, branches)
    common = _read(disk, folder, "commondir").strip() if folder else ""
    config = _read(disk, folder, common, "config") if folder else ""
    remote = _REMOTE.fullmatch(_origin_url(config))
    return Origin(remote[1].lower(), remote[2], remote[3], branches) if remote else None


def repository_address(folder: str) -> str:
    """Return the address of the repository that a folder is in; empty if it has no origin."""
    root = git.find_root(folder)
    origin = find_origin(Disk(), root) if root is not None else None
    return f"https://{origin.host}/{origin.owner}/{origin.name}" if origin is not None else ""


def _origin_url(config: str) -> str:
    for section in _SECTION.finditer(config):
        if section[1].split() == ["remote", '"origin"']:
            after = _SECTION.search(config, section.end())
            url = _URL.search(config, section.end(), after.start() if after else len(config))
            return url[1] if url else ""
    return ""


def _git_folder(disk: Disk, root: str) -> str:
    """Return the path of `.git`, or of the folder that it names in a linked work tree; empty if there is none."""
    path = os.path.join(root, ".git")
    if disk.is_folder(path):
        return path
    link = _read(disk, path)
    return os.path.join(root, link[8:].strip()) if link.startswith("gitdir: ") else ""


def _read(disk: Disk, *path: str) -> str:
    return disk.read_start(os.path.join(*path), _MOST_CHARACTERS) or ""
