"""The two revisions to compare, and their lists."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

from shelfread.core import git
from shelfread.core.errors import InputError, UserError
from shelfread.core.source import read_bytes, too_large
from shelfread.document.file_kind import SUFFIXES
from shelfread.project.files import list_markdown, relative_path
from shelfread.project.history import find_base_commit

_AUTO = "auto"


class Revision(NamedTuple):
    """A state of the project: a name for people, and the hash of the commit, None for the work tree."""

    name: str
    commit: str | None


WORK_TREE = Revision("the work tree", None)


class Texts(NamedTuple):
    """The contents of lists by path: of those that differ before and after, and of those that are the same."""

    before: dict[str, bytes]
    after: dict[str, bytes]
    same: dict[str, bytes]
    errors: list[UserError]


def find_revisions(root: str, base: str, head: str | None) -> tuple[Revision, Revision]:
    """Return the revisions of BASE and HEAD: ranges as in git, `auto` from the environment of a CI service."""
    if base == _AUTO:
        start = Revision(_AUTO, find_base_commit(root, os.environ))
    elif ".." in base and head is None:
        first, dots, last = base.partition("..." if "..." in base else "..")
        first, last = first or "HEAD", last or "HEAD"
        commit = git.merge_base(root, first, last) if dots == "..." else git.resolve(root, first)
        return Revision(base if dots == "..." else first, commit), Revision(last, git.resolve(root, last))
    else:
        start = Revision(base, git.resolve(root, base))
    return start, WORK_TREE if head is None else Revision(head, git.resolve(root, head))


def is_revision(root: str, name: str) -> bool:
    """Return whether an argument of the command line names a commit."""
    try:
        return bool(git.resolve(root, name))
    except InputError:
        return False


def read_texts(root: str, base: Revision, head: Revision) -> Texts:
    """Return the lists of both revisions; a list that one of them cannot read is left out of both."""
    texts = Texts({}, {}, {}, [])
    before = _lists(root, base.commit or "")
    if head.commit is None:
        after = _work_tree(root, texts.errors)
        changed = {name for name in before if name not in after or not before[name].holds(after[name])}
    else:
        blobs = _lists(root, head.commit)
        after = _read(root, blobs, head, texts.errors)
        changed = {name for name in before if before[name] != blobs.get(name)}
    old = _read(root, {name: before[name] for name in changed}, base, texts.errors)
    failed = {error.path for error in texts.errors}
    texts.before.update((name, old[name]) for name in sorted(old) if name not in failed)
    for name in sorted(after):
        if name not in failed:
            is_same = name in before and name not in changed
            (texts.same if is_same else texts.after)[name] = after[name]
    return texts


def _lists(root: str, commit: str) -> dict[str, git.Blob]:
    """Return the Markdown files of a commit by their path from the working directory, without links and submodules."""
    return {
        relative_path(os.path.join(root, path)): blob
        for path, blob in git.list_tree(root, commit).items()
        if blob.is_file and path.lower().endswith(SUFFIXES)
    }


def _work_tree(root: str, errors: list[UserError]) -> dict[str, bytes]:
    texts = {}
    for name in map(relative_path, list_markdown(root)):
        try:
            texts[name] = read_bytes(name)
        except UserError as error:
            errors.append(error)
    return texts


def _read(
    root: str, blobs: Mapping[str, git.Blob], revision: Revision, errors: list[UserError]
) -> dict[str, bytes]:
    data = git.read_blobs(root, {blob.oid for blob in blobs.values()})
    texts = {}
    for name, blob in blobs.items():
        if blob.oid in data:
            texts[name] = data[blob.oid]
        else:
            errors.append(at_revision(too_large(name), revision))
    return texts


def at_revision(error: UserError, revision: Revision) -> UserError:
    """Return an error with the name of the revision in its message, unless it is the work tree."""
    if revision.commit is None:
        return error
    return type(error)(f"{error.message} (at {revision.name})", error.path, error.line, error.column)
