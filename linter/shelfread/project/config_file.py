"""Find configurations, also those of a commit, so that a pull request cannot relax the rules that it is checked by."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from shelfread.core import git
from shelfread.core.errors import InputError, UserError

NAME = ".shelfread.yaml"

_MAX_FILES = 5000
"""How many files a commit's configurations may have, with their rule pages and taxonomies."""


def find_config_file(start: Path) -> Path | None:
    """Return the nearest configuration in a folder or above it, up to the git root."""
    start = start.resolve()
    for folder in (start, *start.parents):
        if (folder / NAME).is_file():
            return folder / NAME
        if (folder / ".git").exists():
            return None
    return None


class ConfigTree(NamedTuple):
    """A copy of the files of a commit's configurations; both paths are real ones."""

    root: Path
    """The work tree."""
    copy: Path

    def find(self, folder: Path) -> tuple[Path, Path] | None:
        """Return the configuration of a folder of the work tree, and where its patterns start from."""
        real = Path(os.path.realpath(folder))
        if git.find_root(str(real)) != str(self.root):
            return None
        config = find_config_file(self.copy / real.relative_to(self.root))
        return None if config is None else (config, self.root / config.parent.relative_to(self.copy))


@contextmanager
def check_out_config(folder: str, rev: str) -> Iterator[ConfigTree]:
    """Return the configurations of a commit, in a temporary folder; errors in them name the revision."""
    from tempfile import TemporaryDirectory  # not needed by most runs

    root = git.need_root(folder)
    commit = git.resolve(root, rev)
    blobs = {
        path: blob.oid
        for path, blob in git.list_tree(root, commit).items()
        if blob.is_file and belongs_to_config(path)
    }
    if len(blobs) > _MAX_FILES:
        raise InputError(f"the configurations at '{rev}' have more than {_MAX_FILES} files", root)
    contents = git.read_blobs(root, blobs.values())
    with TemporaryDirectory(prefix="shelfread-") as temporary:
        copy = Path(os.path.realpath(temporary))
        for name in ("objects", "refs"):  # an empty repository: git reads no .gitattributes above it
            (copy / ".git" / name).mkdir(parents=True)
        (copy / ".git" / "HEAD").write_text("ref: refs/heads/none\n", encoding="ascii")
        for path, oid in blobs.items():
            if oid in contents:
                (copy / path).parent.mkdir(parents=True, exist_ok=True)
                (copy / path).write_bytes(contents[oid])
        try:
            yield ConfigTree(Path(root), copy)
        except UserError as error:
            if error.path is not None and Path(error.path).is_relative_to(copy):
                error.path = f"{rev}:{Path(error.path).relative_to(copy).as_posix()}"
            raise


def belongs_to_config(path: str) -> bool:
    """Return whether a file may belong to a configuration, as .gitattributes, taxonomies, rule pages."""
    parts = PurePosixPath(path)
    if parts.name in (NAME, ".gitattributes") or parts.suffix in (".yaml", ".yml"):
        return ".git" not in parts.parts
    return parts.suffix == ".md" and ".shelfread" in parts.parts
