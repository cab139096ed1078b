"""Find and read the files of a configuration: the nearest one and those that it extends.

They are read from a commit too, so that a pull request cannot relax the rules that it is checked by.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

from shelfread.core import git
from shelfread.core.errors import ConfigError, InputError, UserError
from shelfread.core.patterns import compile_untrusted
from shelfread.core.yaml_files import MAX_BYTES, read, read_limited

if TYPE_CHECKING:
    from shelfread.core.json_schema import Placed

NAME = ".shelfread.yaml"
PYPROJECT = "pyproject.toml"

_MERGED = ("rules", "format", "links")
"""Keys that are merged with those of the extended configuration, name by name."""
_NOT_INHERITED = ("include", "exclude", "extends")
_MAX_DEPTH = 10
_MAX_FILES = 5000
"""How many files a commit's configurations may have, with their rule pages and taxonomies."""
_MAX_PARTS = 100
_DEEP_KEY = rf"(?:(?:[\w-]+|\"[^\"\n]*\"|'[^'\n]*')[ \t]*\.[ \t]*){{{_MAX_PARTS}}}"
"""Python's parser takes quadratic time and memory for dotted keys."""


class TomlFile:
    """A table of a TOML file; its errors name keys, since the TOML parser gives no places."""

    def __init__(self, data: Any, path: str, table: str) -> None:
        self.data = data
        self._path = path
        self._table = table

    def place(self, keys: Sequence[str | int], key: bool = False) -> tuple[int, int]:
        """Return the same place for all keys."""
        return 1, 1

    def fail(self, message: str, keys: Sequence[str | int] = (), key: bool = False) -> UserError:
        """Return the ConfigError that names the keys."""
        return ConfigError(f"{'.'.join([self._table, *map(str, keys)])}: {message}", self._path)


class LayeredConfig:
    """A configuration merged with those that it extends; errors name the file with the key."""

    def __init__(self, files: Sequence[Placed]) -> None:
        self._files = files
        self.data: dict[str, Any] = {}
        for file in reversed(files):
            data = file.data or {}
            merged = {key: {**self.data.get(key, {}), **data[key]} for key in _MERGED if key in data}
            inherited = {key: value for key, value in self.data.items() if key not in _NOT_INHERITED}
            self.data = {**inherited, **data, **merged}

    def place(self, keys: Sequence[str | int], key: bool = False) -> tuple[int, int]:
        """Return line and column in the file with the value at `keys`."""
        return self._file_with(keys).place(keys, key)

    def fail(self, message: str, keys: Sequence[str | int] = (), key: bool = False) -> UserError:
        """Return the ConfigError that names the file with the value at `keys`."""
        return self._file_with(keys).fail(message, keys, key)

    def _file_with(self, keys: Sequence[str | int]) -> Placed:
        return next((file for file in self._files if has_value(file.data, keys)), self._files[0])


def has_value(data: Any, keys: Sequence[str | int]) -> bool:
    """Return whether there is a value at `keys`."""
    for key in keys:
        try:
            data = data[key]
        except (KeyError, IndexError, TypeError):
            return False
    return True


def find_config_file(start: Path) -> Path | None:
    """Return the nearest configuration in a folder or above it, up to the git root.

    Raises ConfigError for a pyproject.toml that has the word shelfread and cannot be read.
    """
    start = start.resolve()
    for folder in (start, *start.parents):
        if (folder / NAME).is_file():
            return folder / NAME
        pyproject = folder / PYPROJECT
        if pyproject.is_file() and _table(pyproject) is not None:
            return pyproject
        if (folder / ".git").exists():
            return None
    return None


def read_files(path: Path) -> dict[Path, Placed]:
    """Return a configuration and, after it, those that it extends, each validated; raises ConfigError."""
    from shelfread.core.json_schema import validate

    files: dict[Path, Placed] = {}
    seen: set[Path] = set()
    while True:
        file = _read(path)
        validate(file, "config")
        files[path] = file
        seen.add(path.resolve())
        wanted = (file.data or {}).get("extends")
        if wanted is None:
            return files
        path = _extended(file, path.parent, wanted)
        if path.resolve() in seen or len(files) == _MAX_DEPTH:
            raise file.fail(
                f"'{wanted}' extends in a circle, or more than {_MAX_DEPTH} files are extended", ["extends"]
            )


def _read(path: Path) -> Placed:
    if path.suffix == ".toml":
        return TomlFile(_table(path) or {}, path.as_posix(), "tool.shelfread")
    return read(path, ConfigError)


def _extended(file: Placed, folder: Path, wanted: str) -> Path:
    """Return the path of an extended configuration, given as a file or a folder of the same repository."""
    path = folder / wanted
    if os.path.isdir(path):
        path = next((file for file in (path / NAME, path / PYPROJECT) if file.is_file()), path)
    if not os.path.isfile(path):
        raise file.fail(f"there is no configuration '{wanted}'", ["extends"])
    root = git.find_root(str(folder))
    if Path(wanted).is_absolute() or (root is not None and not path.resolve().is_relative_to(root)):
        raise file.fail(f"'{wanted}' is not in this repository", ["extends"])
    return Path(os.path.normpath(path))


def _table(path: Path) -> Any:
    """Return the [tool.shelfread] of a TOML file; None if there is none."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    name = path.as_posix()
    data = read_limited(path, ConfigError)
    if b"shelfread" not in data:
        return None
    if len(data) > MAX_BYTES:
        raise ConfigError(f"more than {MAX_BYTES >> 20} MiB of TOML", name)
    try:
        text = data.decode("utf-8")
        if compile_untrusted(_DEEP_KEY).search(text):
            raise ConfigError(f"a dotted key has more than {_MAX_PARTS} parts", name)
        tool = tomllib.loads(text).get("tool")
        return _without_dates(tool.get("shelfread")) if isinstance(tool, dict) else None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"not TOML: {error}", name) from None
    except RecursionError:
        raise ConfigError("not TOML that can be read: nested too deeply", name) from None


def _without_dates(value: Any) -> Any:
    """Return TOML's dates as text, as in YAML."""
    from datetime import date

    if isinstance(value, dict):
        return {key: _without_dates(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_without_dates(inner) for inner in value]
    return value.isoformat() if isinstance(value, date) else value


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
    if parts.name in (NAME, PYPROJECT, ".gitattributes") or parts.suffix in (".yaml", ".yml"):
        return ".git" not in parts.parts
    return parts.suffix == ".md" and ".shelfread" in parts.parts
