"""Taxonomies as git names them: `REV:path` is the file of a commit."""

from __future__ import annotations

import os
import posixpath
from functools import cached_property
from pathlib import Path

from shelfread.core import git
from shelfread.core.errors import TaxonomyError, UserError
from shelfread.core.support.strict_yaml import YamlFile, parse
from shelfread.taxonomy.merge import bundled_names, read_chain


def read_named(name: str) -> list[YamlFile]:
    """Return the files of a taxonomy: of a bundled name, of a file, or of REV:path.

    The path is one from the root of the repository, or from the working directory if it begins with `./`. Raises
    UserError as `read_chain` does, and if there is no such commit.
    """
    rev, colon, path = name.partition(":")
    if not colon or name in bundled_names() or os.path.exists(name):
        return read_chain(name)
    commit = CommitFiles(rev)
    if path.startswith(("./", "../")):
        path = posixpath.join(os.path.relpath(os.path.realpath("."), commit.root), path)
    path = posixpath.normpath(path)
    try:
        files = read_chain(path, commit)
    except UserError as error:
        if error.path is None:
            raise TaxonomyError(f"no file '{path}' in the commit '{rev}'") from None
        if not os.path.isabs(error.path):  # bundled ones are
            error.path = f"{rev}:{error.path}"
        raise
    return files


class CommitFiles:
    """The files of a commit, by their paths from the root of the repository."""

    def __init__(self, rev: str) -> None:
        """Find the commit. Raises InputError if there is none."""
        self.root = git.need_root("")
        self._commit = git.resolve(self.root, rev)

    def read(self, path: Path) -> YamlFile | None:
        """Return a file, or None if the commit has none of this path."""
        name = posixpath.normpath(path.as_posix())
        blob = self._tree.get(name)
        if blob is None or not blob.is_file:
            return None
        data = git.read_blobs(self.root, [blob.oid])
        if blob.oid not in data:
            raise TaxonomyError("larger than a taxonomy may be", name)
        return parse(data[blob.oid], name, TaxonomyError)

    @cached_property
    def _tree(self) -> dict[str, git.Blob]:
        return git.list_tree(self.root, self._commit)
