"""Reports changes that may hide findings: to configuration files, rules, baselines, suppression comments and kinds of files."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

from shelfread.core import git
from shelfread.core.differences import GONE, align
from shelfread.core.errors import InputError
from shelfread.core.source import MAX_BYTES, Source
from shelfread.document.file_kind import classify
from shelfread.project.config import NAME, Config
from shelfread.project.files import relative_path
from shelfread.rulebook.suppressions import suppression_lines

_ATTRIBUTES = ".gitattributes"
_MENTIONS = {_ATTRIBUTES: b"linguist-"}  # files of these names are policy files only if they contain this
_OWN = ".shelfread"  # the folder of a list's own rules and taxonomies
_GLOBS = tuple(f":(glob)**/{name}" for name in (NAME, _ATTRIBUTES, f"{_OWN}/**"))
_MAX_NAMED = 5  # at most so many names or lines are listed
_Blobs: TypeAlias = Mapping[str, git.Blob]


def find_policy_changes(
    root: str,
    *,
    since: str,
    commits: tuple[str, str | None],
    config_files: Iterable[str],
    baseline: str | None,
    config_from: bool,
) -> Iterator[str]:
    """Yield a line for each kind of change, between two commits (None is the work tree), by which findings may be hidden."""
    base, head = commits
    before = git.list_tree(root, base)
    known = _inside(root, [baseline]) if baseline else set()
    names = _changed_files(root, before, head, _inside(root, config_files) | known)
    if policy := [_display(root, name) for name in names if name not in known]:
        new = "the new version is used, use --config-from to check with the old one"
        effect = "the version of --config-from is used" if config_from else new
        yield f"{_join(policy)}: changed since {since}: {effect}"
    for name in set(names) & known:
        yield f"{_display(root, name)}: changed since {since}: its findings are not reported"


def new_suppressions(source: Source, changed: Sequence[bool], since: str) -> Iterator[str]:
    """Yield a line about the suppression comments on changed lines of a list."""
    if lines := [str(line + 1) for line in suppression_lines(source) if changed[line]]:
        plural = "s" if len(lines) > 1 else ""
        yield f"{source.path}: new suppression comment{plural} since {since}: line{plural} {_join(lines)}"


def lost_list(before: Source, after: Source, since: str) -> Iterator[str]:
    """Yield a line if a list became a file of which only broken links are reported."""
    kind = classify(after)
    if kind.is_left_alone and not classify(before).is_left_alone:
        yield f"{after.path}: was a list at {since} and is a {kind.value} now: only broken links are reported"


def changes_between(before: bytes, after: bytes, path: str, since: str) -> Iterator[str]:
    """Yield both for two versions of a list, the first one empty if it is new; nothing if one is not text."""
    try:
        old, new = Source.from_bytes(before, path), Source.from_bytes(after, path)
    except InputError:
        return
    if before:
        yield from lost_list(old, new, since)
    yield from new_suppressions(new, [index == GONE for index in align(old.lines, new.lines)], since)


def policy_files(config: Config) -> Iterator[str]:
    """Yield the file of a configuration, and its taxonomy if that is a file."""
    if config.path is not None:
        yield os.fspath(config.path)
    if config.taxonomy is not None:
        yield config.taxonomy


def _changed_files(root: str, before: _Blobs, head: str | None, named: Collection[str]) -> list[str]:
    """Return the changed policy files, and those of `named`; all paths are from the root."""
    after: _Blobs = {} if head is None else git.list_tree(root, head)
    work_tree = _read_work_tree(root, named) if head is None else {}
    found = []
    for path in sorted({*before, *after, *work_tree}):
        if not (_is_policy_file(path) or path in named):
            continue
        old, new = before.get(path), after.get(path)
        if head is None:
            data = work_tree[path] if path in work_tree else _read(root, path)
            same = data is None if old is None else data is not None and old.holds(data)
        else:
            same, data = old == new, b"".join(_blobs(root, new))
        mention = _MENTIONS.get(posixpath.basename(path))
        if not same and (not mention or mention in (data or b"") + b"".join(_blobs(root, old))):
            found.append(path)
    return found


def _is_policy_file(path: str) -> bool:
    folders, _, name = path.rpartition("/")
    return name in (NAME, *_MENTIONS) or _OWN in folders.split("/")


def _read_work_tree(root: str, named: Iterable[str]) -> dict[str, bytes | None]:
    """Return the policy files that git tracks, or would add, and those of `named`."""
    names, _ = git.list_files(root, *_GLOBS) or (set[str](), [])
    return {path: _read(root, path) for path in names.union(named)}


def _read(root: str, path: str) -> bytes | None:
    file = os.path.join(root, path)
    with suppress(OSError):
        if os.path.isfile(file) and os.path.getsize(file) <= MAX_BYTES:
            return Path(file).read_bytes()
    return None


def _blobs(root: str, blob: git.Blob | None) -> Iterable[bytes]:
    return git.read_blobs(root, (blob.oid,)).values() if blob is not None and blob.is_file else ()


def _inside(root: str, files: Iterable[str]) -> set[str]:
    """Return the paths from the root of the files that are below it."""
    paths = {os.path.relpath(os.path.realpath(file), root).replace(os.sep, "/") for file in files}
    return {path for path in paths if not path.startswith("../")}


def _display(root: str, path: str) -> str:
    return relative_path(os.path.join(root, path))


def _join(names: Sequence[str]) -> str:
    more = len(names) - _MAX_NAMED
    return ", ".join(names[:_MAX_NAMED]) + (f" and {more} more" if more > 0 else "")
