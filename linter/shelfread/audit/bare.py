"""Read a bare repository without a work tree: the files of HEAD, as far as the rules look at them, in a scratch folder."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath

from shelfread.core import git
from shelfread.core.errors import InputError
from shelfread.core.patterns import lazy
from shelfread.core.source import MAX_BYTES
from shelfread.document.file_kind import SUFFIXES
from shelfread.project.config_file import belongs_to_config

_MAX_FILES = 100_000
_MAX_TARGET = 4096
_ORIGIN = lazy(r"[\w@:./~+%-]+")
_BRANCH = lazy(r"refs/heads/[\w./-]+")


def check_out(repository: str, scratch: Path, name: str) -> tuple[Path, str]:
    """Write the files of HEAD below `scratch`, in a folder called `name`; return it and the commit's hash.

    Only Markdown and what belongs to configurations gets its contents: of other files the rules ask only whether they
    are there. Raises InputError if the repository is damaged or has too many files.
    """
    # The `.git` of a linked work tree: git refuses a bare repository that nobody named, as it may be planted.
    root = scratch / "repository"
    root.mkdir()
    (root / ".git").write_text(f"gitdir: {repository}\n", encoding="utf-8", errors="surrogateescape")
    commit = _head(str(root))
    tree = git.list_tree(str(root), commit)
    if len(tree) > _MAX_FILES:
        raise InputError(f"more than {_MAX_FILES:,} files", repository)
    wanted = {path: blob.oid for path, blob in tree.items() if blob.is_file and _is_read(path)}
    links = {path: blob.oid for path, blob in tree.items() if blob.mode == "120000"}
    contents = git.read_blobs(str(root), {*wanted.values(), *links.values()})
    copy = scratch / name
    _write_repository(copy / ".git", root)
    for path, blob in tree.items():
        if blob.is_file:
            _write_file(copy / path, contents.get(wanted[path]) if path in wanted else b"")
        elif path not in links:  # a submodule
            (copy / path).mkdir(parents=True, exist_ok=True)
    for path, target in _links_inside(links, contents):
        with suppress(OSError):
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            (copy / path).symlink_to(target)
    return copy, commit


def _head(root: str) -> str:
    try:
        return git.resolve(root, "HEAD")
    except InputError as error:
        if error.message.startswith("git failed"):
            raise
        raise InputError("HEAD is no commit that can be read: is the repository damaged?") from None


def _is_read(path: str) -> bool:
    return path.lower().endswith(SUFFIXES) or belongs_to_config(path)


def _write_repository(folder: Path, root: Path) -> None:
    """Write the `.git` of the copy: an empty repository with the name of the branch and the origin of the real one."""
    for name in ("objects", "refs"):
        (folder / name).mkdir(parents=True)
    branch = _text(git.run(str(root), "symbolic-ref", "--quiet", "HEAD"))
    head = branch if _BRANCH.fullmatch(branch) else "refs/heads/main"
    (folder / "HEAD").write_text(f"ref: {head}\n", encoding="ascii", errors="replace")
    origin = _text(git.run(str(root), "config", "--get", "remote.origin.url"))
    config = f'[remote "origin"]\n\turl = {origin}\n' if _ORIGIN.fullmatch(origin) else ""
    (folder / "config").write_text(config, encoding="utf-8")


def _text(output: bytes | None) -> str:
    return (output or b"").decode("utf-8", "replace").strip()


def _write_file(path: Path, data: bytes | None) -> None:
    """Write a file; one that is too large to be read gets no contents, but a size that says so."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "wb") as stream:
        if data is None:
            stream.truncate(MAX_BYTES + 1)
        else:
            stream.write(data)


def _links_inside(links: Mapping[str, str], contents: Mapping[str, bytes]) -> Iterator[tuple[str, str]]:
    """Yield the symbolic links whose target is in the tree, whatever other links are on the way.

    Their targets first go up, at most to the root, and then only down.
    """
    for path, oid in links.items():
        target = os.fsdecode(contents.get(oid, b""))
        parts = target.split("/")
        up = next((index for index, part in enumerate(parts) if part != ".."), len(parts))
        is_inside = up < len(PurePosixPath(path).parts) and ".." not in parts[up:]
        if (
            target
            and is_inside
            and len(target) < _MAX_TARGET
            and not target.startswith("/")
            and "\0" not in target
        ):
            yield path, target
