"""The files of a configuration: found, read, and each with what it extends."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from shelfread.core import git
from shelfread.core.errors import ConfigError, UserError
from shelfread.core.support.json_schema import Placed, validate
from shelfread.core.support.strict_yaml import MAX_BYTES, read, read_limited

NAME = ".shelfread.yaml"
PYPROJECT = "pyproject.toml"

_MERGED = ("rules", "format", "links")
"""Keys that a configuration and the one that it extends say together, name by name."""
_OF_FOLDER = ("include", "exclude", "extends")
"""Keys that hold for the folder that they stand in alone."""
_DEEPEST = 10


class TomlFile:
    """A table of a TOML file; its errors name keys, since TOML's reader tells no places."""

    def __init__(self, data: Any, path: str, table: str) -> None:
        self.data = data
        self._path = path
        self._table = table

    def place(self, keys: Sequence[str | int], key: bool = False) -> tuple[int, int]:
        """No place is known: all are one."""
        return 1, 1

    def fail(self, message: str, keys: Sequence[str | int] = (), key: bool = False) -> UserError:
        """The ConfigError that names the keys."""
        return ConfigError(f"{'.'.join([self._table, *map(str, keys)])}: {message}", self._path)


class Layers:
    """A configuration and those that it extends, the nearest first; each error names the file that said it."""

    def __init__(self, files: Sequence[Placed]) -> None:
        self._files = files
        self.data: dict[str, Any] = {}
        for file in reversed(files):
            said = file.data or {}
            merged = {key: {**self.data.get(key, {}), **said[key]} for key in _MERGED if key in said}
            above = {key: value for key, value in self.data.items() if key not in _OF_FOLDER}
            self.data = {**above, **said, **merged}

    def place(self, keys: Sequence[str | int], key: bool = False) -> tuple[int, int]:
        """Line and column in the file that says what stands at `keys`."""
        return self.saying(keys).place(keys, key)

    def fail(self, message: str, keys: Sequence[str | int] = (), key: bool = False) -> UserError:
        """The ConfigError that names the file that says what stands at `keys`."""
        return self.saying(keys).fail(message, keys, key)

    def saying(self, keys: Sequence[str | int]) -> Placed:
        """The nearest file in which something stands at `keys`."""
        return next((file for file in self._files if says(file.data, keys)), self._files[0])


def says(data: Any, keys: Sequence[str | int]) -> bool:
    """Whether something stands at `keys`."""
    for key in keys:
        try:
            data = data[key]
        except (KeyError, IndexError, TypeError):
            return False
    return True


def find(start: Path) -> Path | None:
    """The nearest config at or above a file or folder; nothing above the git root is looked at.

    Raises ConfigError for a pyproject.toml on the way that names shelfread and cannot be read.
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
    """A configuration and, after it, those that it extends, each as it stands in its file and fits the schema."""
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
        if path.resolve() in seen or len(files) == _DEEPEST:
            raise file.fail(f"'{wanted}' leads back here or too far", ["extends"])


def _read(path: Path) -> Placed:
    if path.suffix == ".toml":
        return TomlFile(_table(path) or {}, path.as_posix(), "tool.shelfread")
    return read(path, ConfigError)


def _extended(file: Placed, folder: Path, wanted: str) -> Path:
    """The configuration that another names, as a file or by its folder; it is of the same repository."""
    path = folder / wanted
    if path.is_dir():
        path = next((one for one in (path / NAME, path / PYPROJECT) if one.is_file()), path)
    if not path.is_file():
        raise file.fail(f"there is no configuration '{wanted}' seen from here", ["extends"])
    root = git.find_root(str(folder))
    if Path(wanted).is_absolute() or (root is not None and not path.resolve().is_relative_to(root)):
        raise file.fail(f"'{wanted}' is not of this repository", ["extends"])
    return Path(os.path.normpath(path))


def _table(path: Path) -> Any:
    """The [tool.shelfread] of a TOML file; None where there is none."""
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
        tool = tomllib.loads(data.decode("utf-8")).get("tool")
        return _without_dates(tool.get("shelfread")) if isinstance(tool, dict) else None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as wrong:
        raise ConfigError(f"not TOML: {wrong}", name) from None


def _without_dates(value: Any) -> Any:
    """TOML's days as the text that YAML has."""
    from datetime import date

    if isinstance(value, dict):
        return {key: _without_dates(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_without_dates(inner) for inner in value]
    return value.isoformat() if isinstance(value, date) else value
