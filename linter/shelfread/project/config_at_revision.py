"""Configurations as a commit has them, so that a pull request cannot relax the rules that judge it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from shelfread.core import git
from shelfread.core.errors import InputError, UserError
from shelfread.project.config_file import NAME, PYPROJECT, find_config

_MOST = 5000
"""Files that a configuration may be made of: with its rule pages and taxonomies."""


class ConfigTree(NamedTuple):
    """A copy of all that configurations of a commit are made of; both paths are real ones."""

    root: Path
    """The work tree."""
    copy: Path

    def find(self, folder: Path) -> tuple[Path, Path] | None:
        """The config that holds for a folder of the work tree, and the folder that it speaks of."""
        real = Path(os.path.realpath(folder))
        if git.find_root(str(real)) != str(self.root):
            return None
        config = find_config(self.copy / real.relative_to(self.root))
        return None if config is None else (config, self.root / config.parent.relative_to(self.copy))


@contextmanager
def check_out_config(folder: str, rev: str) -> Iterator[ConfigTree]:
    """The configurations of a commit, as long as they are needed; errors in them name the revision."""
    from tempfile import TemporaryDirectory  # most runs do without

    root = git.need_root(folder)
    commit = git.resolve(root, rev)
    blobs = {
        path: blob.oid
        for path, blob in git.list_tree(root, commit).items()
        if blob.is_file and _is_part(path)
    }
    if len(blobs) > _MOST:
        raise InputError(f"more than {_MOST} files of configurations at '{rev}'", root)
    contents = git.read_blobs(root, blobs.values())
    with TemporaryDirectory(prefix="shelfread-") as temporary:
        copy = Path(os.path.realpath(temporary))
        for part in ("objects", "refs"):  # an empty repository: git reads .gitattributes here, and none above
            (copy / ".git" / part).mkdir(parents=True)
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


def _is_part(path: str) -> bool:
    """Whether a file may belong to a configuration: itself, .gitattributes, a taxonomy, a rule page."""
    parts = PurePosixPath(path)
    if parts.name in (NAME, PYPROJECT, ".gitattributes") or parts.suffix in (".yaml", ".yml"):
        return ".git" not in parts.parts
    return parts.suffix == ".md" and ".shelfread" in parts.parts
