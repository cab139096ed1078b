"""What a list's maintainers ask for: `.shelfread.yaml`, or `[tool.shelfread]` in pyproject.toml."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from shelfread.diagnostic import Severity
from shelfread.errors import ConfigError, UserError
from shelfread.pattern import PatternError, safe
from shelfread.validation import Placed, validate
from shelfread.yamlfile import MAX_BYTES, read, read_start

if TYPE_CHECKING:  # most configurations name no day
    from datetime import date

NAME = ".shelfread.yaml"
PYPROJECT = "pyproject.toml"
REGEX = "regex:"
"""What a silence's pattern starts with where it is a regular expression."""

_NO_OPTIONS: Mapping[str, object] = {}


class RuleSetting(NamedTuple):
    """What the config says of one rule; `enabled` None leaves it to the presets."""

    enabled: bool | None = None
    severity: Severity | None = None
    options: Mapping[str, object] = _NO_OPTIONS


class Silence(NamedTuple):
    """Addresses of which nothing is said until a day is over; None: until somebody takes the entry away."""

    pattern: str
    reason: str
    until: date | None = None


class LinkSettings(NamedTuple):
    """What the config says of checking links on the web."""

    silence: tuple[Silence, ...] = ()


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


class Config(NamedTuple):
    """A configuration that fits its schema; `root` is the folder that its patterns start from."""

    path: Path | None = None
    root: Path | None = None
    presets: tuple[str, ...] | None = None
    """None: to be detected."""
    select: tuple[str, ...] = ()
    """Ids and families that replace the presets, where there are any."""
    ignore: tuple[str, ...] = ()
    rules: Mapping[str, RuleSetting] = MappingProxyType({})
    taxonomy: str | None = None
    """A bundled taxonomy's name, or the path of a file."""
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    slugs: str = "github"
    """github or gitbook."""
    format: Mapping[str, Any] = MappingProxyType({})
    """What `format` asks for, by the names of the schema."""
    links: LinkSettings = LinkSettings()
    fail_on: Severity | None = None
    """None where nothing is said (the command line's default holds)."""
    file: Placed | None = None

    def fail(self, message: str, keys: Sequence[str | int] = (), key: bool = False) -> UserError:
        """The error at `keys`, as ("rules", "link/insecure", "when"): placed where it stands."""
        return self.file.fail(message, keys, key) if self.file else ConfigError(message)


EMPTY = Config()


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


def load(path: Path) -> Config:
    """The config in that file (YAML, or a .toml's [tool.shelfread]); raises ConfigError with its place."""
    file: Placed
    if path.suffix == ".toml":
        file = TomlFile(_table(path) or {}, path.as_posix(), "tool.shelfread")
    else:
        file = read(path, ConfigError)
    validate(file, "config")
    data: Mapping[str, Any] = file.data or {}
    return Config(
        path=path,
        root=path.parent,
        presets=tuple(data["presets"]) if "presets" in data else None,
        select=tuple(data.get("select", ())),
        ignore=tuple(data.get("ignore", ())),
        rules={id: _setting(given) for id, given in data.get("rules", {}).items()},
        taxonomy=_taxonomy(file, data.get("taxonomy"), path.parent),
        include=tuple(data.get("include", ())),
        exclude=tuple(data.get("exclude", ())),
        slugs=data.get("slugs", "github"),
        format=data.get("format", {}),
        links=LinkSettings(_silences(file, data.get("links", {}).get("silence", ()))),
        fail_on=Severity[data["fail-on"].upper()] if "fail-on" in data else None,
        file=file,
    )


def _setting(given: Any) -> RuleSetting:
    """`off`, `on`, a severity (which switches it on), or a mapping of options."""
    if isinstance(given, bool):
        return RuleSetting(given)
    if isinstance(given, str):
        if given in ("off", "on"):
            return RuleSetting(given == "on")
        return RuleSetting(True, Severity[given.upper()])
    options = dict(given)
    severity = options.pop("severity", None)
    return RuleSetting(
        options.pop("enabled", None), Severity[severity.upper()] if severity is not None else None, options
    )


def _silences(file: Placed, given: Sequence[Mapping[str, str]]) -> tuple[Silence, ...]:
    """The silences, with days that the calendar has and expressions that can be run."""
    if not given:
        return ()
    from datetime import date

    silences = []
    for at, one in enumerate(given):
        keys: list[str | int] = ["links", "silence", at]
        if one["pattern"].startswith(REGEX):
            try:
                safe(one["pattern"][len(REGEX) :])
            except PatternError as wrong:
                raise file.fail(f"no regular expression: {wrong}", [*keys, "pattern"]) from None
        try:
            until = date.fromisoformat(one["until"]) if "until" in one else None
        except ValueError:
            raise file.fail(f"the calendar has no day '{one['until']}'", [*keys, "until"]) from None
        silences.append(Silence(one["pattern"], one["reason"], until))
    return tuple(silences)


def _taxonomy(file: Placed, given: str | None, folder: Path) -> str | None:
    """A bundled taxonomy's name stays, a path is made one from here."""
    if given is None:
        return None
    if "/" in given or given.endswith((".yaml", ".yml")):
        if not (folder / given).is_file():
            raise file.fail(f"there is no file '{given}' beside the configuration", ["taxonomy"])
        return (folder / given).as_posix()
    from shelfread.guess import guess
    from shelfread.taxonomy.load import names

    if given not in names():
        known = ", ".join(names())
        raise file.fail(f"no taxonomy '{given}' is bundled ({known}){guess(given, names())}", ["taxonomy"])
    return given


def _table(path: Path) -> Any:
    """The [tool.shelfread] of a TOML file; None where there is none."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    name = path.as_posix()
    data = read_start(path, ConfigError)
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
