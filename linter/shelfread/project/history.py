"""What stood in the project at an earlier commit: `--since REV`."""

from __future__ import annotations

import os
import posixpath
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from shelfread.core import git
from shelfread.core.errors import InputError
from shelfread.core.source import MAX_BYTES, Source
from shelfread.core.support.line_diff import GONE, align
from shelfread.project.ci_base import find_base_commit
from shelfread.project.files import SUFFIXES, Project, filter_members, relative_path

AUTO = "auto"
_PAIRS = 200
"""Of more pairs of files only those of one name are compared to find out what was renamed."""


class BaseFile(NamedTuple):
    """A file as it was, under the name that it had."""

    path: str
    text: str


class BaseRevision(NamedTuple):
    """A project at a commit; files are named from the working directory, with `/`."""

    rev: str
    """As the user named it."""
    commit: str
    changed: Mapping[str, BaseFile | None]
    """Today's files that are not as they were; None for those that were not, or that cannot be read."""
    deleted: tuple[BaseFile, ...]
    """Files that are no more."""
    folders: Mapping[str, frozenset[str]]
    """What each folder held, by its path from the root."""

    @property
    def name(self) -> str:
        """The revision as people know it."""
        return f"{self.rev} ({git.short_hash(self.commit)})"

    def old_path(self, path: str) -> str | None:
        """The name that a file had; None for a new one."""
        if path not in self.changed:
            return path
        before = self.changed[path]
        return None if before is None else before.path

    def changed_lines(self, source: Source) -> Sequence[bool]:
        """Which lines of a file of today are new or not as they were."""
        path = source.path or ""
        if path not in self.changed:
            return [False] * len(source.lines)
        before = self.changed[path]
        lines = Source(before.text).lines if before is not None else []
        return [index == GONE for index in align(lines, source.lines)]


def read_base_revision(project: Project, rev: str, unsaved: Mapping[str, bytes]) -> BaseRevision:
    """The project at a revision, or (`auto`) where its branch began; raises InputError with what to do."""
    names = [*project.reported, *project.others]
    root = git.need_root(os.path.dirname(names[0]) if names else ".")
    commit = find_base_commit(root, os.environ) if rev == AUTO else git.resolve(root, rev)
    tree = git.list_tree(root, commit)
    here = {os.path.relpath(os.path.realpath(name), root).replace(os.sep, "/"): name for name in names}
    today = {path: data for path, name in here.items() if (data := _read(name, unsaved)) is not None}
    lists = {path: blob.oid for path, blob in tree.items() if blob.is_file and _is_list(path, here)}
    gone = [path for path in lists if path not in here and not os.path.lexists(os.path.join(root, path))]
    changed = [path for path, data in today.items() if path in lists and not tree[path].holds(data)]
    blobs = git.read_blobs(root, [lists[path] for path in (*gone, *changed)])

    def at(path: str) -> BaseFile | None:
        text = _decode(blobs.get(lists[path]))
        return None if text is None else BaseFile(relative_path(os.path.join(root, path)), text)

    earlier: dict[str, BaseFile | None] = {here[path]: at(path) for path in changed}
    new = {path: data for path, data in today.items() if path not in lists}
    renamed = _renamed({path: blobs.get(lists[path], b"") for path in gone}, new)
    earlier |= {here[path]: at(renamed[path]) if path in renamed else None for path in new}
    earlier |= {name: None for path, name in here.items() if path not in today}
    left = sorted(set(gone).difference(renamed.values()))
    lost = [one for path in left if (one := at(path)) is not None]
    ours = filter_members(project, [one.path for one in lost])
    return BaseRevision(rev, commit, earlier, tuple(one for one in lost if one.path in ours), _folders(tree))


def _is_list(path: str, here: Mapping[str, str]) -> bool:
    return path in here or path.lower().endswith(SUFFIXES)


def _read(name: str, unsaved: Mapping[str, bytes]) -> bytes | None:
    """A file's bytes today; None for one that cannot be read, which the run says."""
    if name in unsaved:
        return unsaved[name]
    try:
        if not os.path.isfile(name) or os.path.getsize(name) > MAX_BYTES:
            return None
        with open(name, "rb") as stream:
            return stream.read()
    except OSError:
        return None


def _decode(data: bytes | None) -> str | None:
    """A former text; None for what was no list then."""
    try:
        return None if data is None else Source.from_bytes(data).text
    except InputError:
        return None


def _renamed(gone: Mapping[str, bytes], new: Mapping[str, bytes]) -> dict[str, str]:
    """The former path of each new file that is one that is gone, or has half of its words, the likest first."""
    whole = {data: path for path, data in gone.items()}
    found = {}
    for path, data in new.items():
        if data in whole:
            found[path] = whole.pop(data)
    before = {path: Counter(gone[path].split()) for path in whole.values()}
    after = {path: Counter(data.split()) for path, data in new.items() if path not in found}
    few = len(before) * len(after) <= _PAIRS
    pairs = sorted(
        (-_likeness(ours, theirs), path, old)
        for path, ours in after.items()
        for old, theirs in before.items()
        if few or posixpath.basename(old) == posixpath.basename(path)
    )
    taken = set(found.values())
    for minus, path, old in pairs:
        if minus <= -0.5 and path not in found and old not in taken:
            found[path] = old
            taken.add(old)
    return found


def _likeness(ours: Counter[bytes], theirs: Counter[bytes]) -> float:
    """The share of words that two texts have in common, of the longer one's."""
    return (ours & theirs).total() / max(ours.total(), theirs.total(), 1)


def _folders(paths: Iterable[str]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {"": set()}
    for path in paths:
        while path:
            folder, _, name = path.rpartition("/")
            known = found.setdefault(folder, set())
            if name in known:
                break
            known.add(name)
            path = folder
    return {folder: frozenset(names) for folder, names in found.items()}
