"""Read a project as it was at an earlier commit: `--since REV`."""

from __future__ import annotations

import os
import posixpath
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from shelfread.core import git
from shelfread.core.differences import GONE, align
from shelfread.core.errors import InputError
from shelfread.core.source import Source, read_bytes
from shelfread.document.file_kind import SUFFIXES
from shelfread.project.ci_base import find_base_commit
from shelfread.project.files import Project, filter_members, relative_path

AUTO = "auto"
_MAX_PAIRS = 200
"""With more pairs of files only those of the same name are compared to find renamed files."""


class BaseFile(NamedTuple):
    """A file as it was, with its path then."""

    path: str
    text: str


class BaseRevision(NamedTuple):
    """A project at a commit; paths are relative to the working directory, with `/`."""

    rev: str
    """As the user named it."""
    commit: str
    changed: Mapping[str, BaseFile | None]
    """The files of today that differ; None for new files and for those that cannot be read."""
    deleted: tuple[BaseFile, ...]
    folders: Mapping[str, frozenset[str]]
    """The names in each folder, by its path from the root."""

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
        """Return for each line of a file of today its index in the file as it was; GONE if it is new or changed."""
        path = source.path or ""
        if path not in self.changed:
            return range(len(source.lines))
        before = self.changed[path]
        return align(Source(before.text).lines if before is not None else [], source.lines)

    def changed_lines(self, source: Source) -> Sequence[bool]:
        """Return for each line of a file of today whether it is new or changed."""
        return [index == GONE for index in self.base_lines(source)]


def read_base_revision(project: Project, rev: str, unsaved: Mapping[str, bytes]) -> BaseRevision:
    """Return the project at a revision, or (`auto`) at the commit where its branch began.

    Raises InputError if there is no such commit.
    """
    names = [*project.reported, *project.others]
    root = git.need_root(os.path.dirname(names[0]) if names else ".")
    commit = find_base_commit(root, os.environ) if rev == AUTO else git.resolve(root, rev)
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
    """Return a text; None if it was not UTF-8."""
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
    """Return how many words two texts share, relative to the longer one."""
    return (first & second).total() / max(first.total(), second.total(), 1)


def _list_folders(paths: Iterable[str]) -> dict[str, frozenset[str]]:
    """Return the names in each folder of some files' paths."""
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
