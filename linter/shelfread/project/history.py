"""Read a project as it was at an earlier commit: `--since REV`, or where a pull request or a push starts from."""

from __future__ import annotations

import json
import os
import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from shelfread.core import git
from shelfread.core.differences import GONE, align
from shelfread.core.errors import InputError
from shelfread.core.git import EMPTY_TREES, is_shallow, merge_base, resolve
from shelfread.core.patterns import lazy
from shelfread.core.source import Source, read_bytes
from shelfread.document.file_kind import SUFFIXES
from shelfread.project.files import Project, filter_members, relative_path

_EVENT_BYTES = 32 << 20
_NUMBER = lazy(r"^\d{1,9}(?=[.)] )")
_PRE_COMMIT = "PRE_COMMIT_FROM_REF"
# The first is for any other CI; then GitLab's for a merge request and for a push.
_COMMITS = ("SHELFREAD_BASE", "CI_MERGE_REQUEST_DIFF_BASE_SHA", "CI_COMMIT_BEFORE_SHA")
_BRANCHES = ("GITHUB_BASE_REF", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME")
_DEFAULTS = ("origin/HEAD", "origin/main", "origin/master", "@{upstream}", "main", "master")


def find_base_commit(root: str, environ: Mapping[str, str]) -> str:
    """Return the commit at which HEAD left its base branch; raises InputError if none is found.

    A commit that a CI's variables name must exist: another one would hide diagnostics or invent them.
    """
    if rev := environ.get(_PRE_COMMIT):
        return merge_base(root, rev, "HEAD")
    if re.fullmatch(r"refs/pull/\d+/merge", environ.get("GITHUB_REF", "")) and _exists(root, "HEAD^2"):
        return resolve(root, "HEAD^1")  # GitHub checks out a merge into the newest commit of the base
    for name in _revisions(environ):
        if name == _replaced_commit(environ) and not _exists(root, name) and not is_shallow(root):
            raise InputError(
                f"this push replaced {name[:7]}, which no longer exists: name a revision instead of 'auto'",
                root,
            )
        return merge_base(root, name, "HEAD")
    for name in _DEFAULTS:
        if _exists(root, name):
            return merge_base(root, name, "HEAD")
    head = resolve(root, "HEAD")
    if head in EMPTY_TREES:
        return head
    raise InputError("no base branch found: name a revision instead of 'auto'", root)


def _revisions(environ: Mapping[str, str]) -> Iterator[str]:
    """Yield the revisions that the CI's variables name, the most reliable first."""
    named = [*_event_commits(environ), *(environ.get(key, "") for key in _COMMITS)]
    # Forty zeros: the push created the branch.
    yield from (name for name in named if name.strip("0"))
    for key in _BRANCHES:
        if name := environ.get(key, ""):
            yield f"origin/{name}"


def _replaced_commit(environ: Mapping[str, str]) -> str:
    event = _read_event(environ)
    return str(event.get("before")) if isinstance(event, dict) and event.get("forced") is True else ""


def _read_event(environ: Mapping[str, str]) -> Any:
    try:
        with open(environ.get("GITHUB_EVENT_PATH", ""), "rb") as stream:
            return json.loads(stream.read(_EVENT_BYTES))
    except (OSError, ValueError, RecursionError):
        return None


def _event_commits(environ: Mapping[str, str]) -> Iterator[str]:
    """Yield the base commit in a GitHub event: of a pull request, of a merge queue, of a push."""
    event = _read_event(environ)
    for keys in (("pull_request", "base", "sha"), ("merge_group", "base_sha"), ("before",)):
        found = event
        for key in keys:
            found = found.get(key) if isinstance(found, dict) else None
        if isinstance(found, str) and re.fullmatch(r"[0-9a-f]{40}|[0-9a-f]{64}", found):
            yield found


def _exists(root: str, rev: str) -> bool:
    try:
        return bool(resolve(root, rev))
    except InputError:
        return False


AUTO = "auto"
_MAX_PAIRS = 200  # with more pairs of files only those of the same name are compared to find renamed files


class BaseFile(NamedTuple):
    """A file as it was, with its path then."""

    path: str
    text: str


class BaseRevision(NamedTuple):
    """A project at a commit; paths are relative to the working directory, with `/`."""

    rev: str  # as the user named it
    commit: str
    # the files of today that differ; None for new files and for those that cannot be read.
    changed: Mapping[str, BaseFile | None]
    deleted: tuple[BaseFile, ...]
    folders: Mapping[str, frozenset[str]]  # the names in each folder, by its path from the root

    @property
    def name(self) -> str:
        """The revision as it is shown to users."""
        return f"{self.rev} ({'no commits yet' if self.commit in git.EMPTY_TREES else self.commit[:7]})"

    def old_path(self, path: str) -> str | None:
        """Return the path that a file had; None for a new one."""
        if path not in self.changed:
            return path
        before = self.changed[path]
        return None if before is None else before.path

    def base_lines(self, source: Source) -> Sequence[int]:
        """Return for each line of a file its index in the file as it was; GONE if it is new or has other words."""
        old = self._lines_of(source)
        if old is source.lines:
            return range(len(old))
        return align(*([*map(_words_of, lines)] for lines in (old, source.lines)))

    def changed_lines(self, source: Source) -> Sequence[bool]:
        """Return for each line of a file of today whether it is new or differs, be it in its blanks."""
        old = self._lines_of(source)
        pairs = zip(self.base_lines(source), source.lines, strict=True)
        return [index == GONE or old[index] != line for index, line in pairs]

    def _lines_of(self, source: Source) -> Sequence[str]:
        """Return the lines of a file as it was, none if it is new."""
        if (source.path or "") not in self.changed:
            return source.lines
        before = self.changed[source.path or ""]
        return Source(before.text).lines if before is not None else []


def _words_of(line: str) -> str:
    """Return the indentation and the words of a line without the number of an item, which an item above may change."""
    return line[: len(line) - len(line.lstrip())] + _NUMBER.sub("", " ".join(line.split()))


def read_base_revision(project: Project, rev: str, unsaved: Mapping[str, bytes]) -> BaseRevision:
    """Return the project at a revision, or (`auto`) where its branch began; raises InputError if there is no such commit."""
    names = [*project.reported, *project.others]
    root = git.need_root(os.path.dirname(names[0]) if names else ".")
    commit = find_base_commit(root, os.environ) if rev == AUTO else git.resolve(root, rev)
    return project_at(project, root, rev, commit, unsaved)


def project_at(
    project: Project, root: str, rev: str, commit: str, unsaved: Mapping[str, bytes]
) -> BaseRevision:
    """Return the project at a commit, given by its hash; `unsaved` are the contents of its files that are not on disk."""
    names = [*project.reported, *project.others]
    tree = git.list_tree(root, commit)
    name_of = {os.path.relpath(os.path.realpath(name), root).replace(os.sep, "/"): name for name in names}
    today = {path: data for path, name in name_of.items() if (data := _read(name, unsaved)) is not None}
    lists = {
        path: blob.oid
        for path, blob in tree.items()
        if blob.is_file and (path in name_of or path.lower().endswith(SUFFIXES))
    }
    gone = [path for path in lists if path not in name_of and not os.path.lexists(os.path.join(root, path))]
    changed = [path for path, data in today.items() if path in lists and not tree[path].holds(data)]
    blobs = git.read_blobs(root, [lists[path] for path in (*gone, *changed)])

    def read_base_file(path: str) -> BaseFile | None:
        text = _decode(blobs.get(lists[path]))
        return None if text is None else BaseFile(relative_path(os.path.join(root, path)), text)

    base_files: dict[str, BaseFile | None] = {name_of[path]: read_base_file(path) for path in changed}
    new = {path: data for path, data in today.items() if path not in lists}
    renamed = _find_renamed({path: blobs.get(lists[path], b"") for path in gone}, new)
    for path in new:
        base_files[name_of[path]] = read_base_file(renamed[path]) if path in renamed else None
    base_files |= {name: None for path, name in name_of.items() if path not in today}
    found = map(read_base_file, sorted(set(gone).difference(renamed.values())))
    deleted = [file for file in found if file is not None]
    members = filter_members(project, [file.path for file in deleted])
    kept = tuple(file for file in deleted if file.path in members)
    return BaseRevision(rev, commit, base_files, kept, _list_folders(tree))


def _read(name: str, unsaved: Mapping[str, bytes]) -> bytes | None:
    """Return a file's bytes today; None for one that cannot be read, which the run itself reports."""
    try:
        return unsaved[name] if name in unsaved else read_bytes(name)
    except InputError:
        return None


def _decode(data: bytes | None) -> str | None:
    try:
        return None if data is None else Source.from_bytes(data).text
    except InputError:
        return None


def _find_renamed(deleted: Mapping[str, bytes], new: Mapping[str, bytes]) -> dict[str, str]:
    """Return the old path of each new file that equals a deleted one or shares half of its words."""
    path_of = {data: path for path, data in deleted.items()}
    found = {}
    for path, data in new.items():
        if data in path_of:
            found[path] = path_of.pop(data)
    before = {path: Counter(deleted[path].split()) for path in path_of.values()}
    after = {path: Counter(data.split()) for path, data in new.items() if path not in found}
    few = len(before) * len(after) <= _MAX_PAIRS
    pairs = sorted(
        (-_similarity(new_words, old_words), path, old)
        for path, new_words in after.items()
        for old, old_words in before.items()
        if few or posixpath.basename(old) == posixpath.basename(path)
    )
    taken = set(found.values())
    for negative, path, old in pairs:
        if negative <= -0.5 and path not in found and old not in taken:
            found[path] = old
            taken.add(old)
    return found


def _similarity(first: Counter[bytes], second: Counter[bytes]) -> float:
    return (first & second).total() / max(first.total(), second.total(), 1)


def _list_folders(paths: Iterable[str]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {"": set()}
    for path in paths:
        while path:
            folder, _, name = path.rpartition("/")
            names = found.setdefault(folder, set())
            if name in names:
                break
            names.add(name)
            path = folder
    return {folder: frozenset(names) for folder, names in found.items()}
