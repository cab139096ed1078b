"""What a list's maintainers ask for: `.shelfread.yaml`, or `[tool.shelfread]` in pyproject.toml."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from shelfread.core.diagnostics import Severity
from shelfread.core.errors import ConfigError, UserError
from shelfread.core.support.json_schema import Placed
from shelfread.core.support.regex import PatternError, compile_untrusted
from shelfread.project.config_file import Layers, read_files, says

if TYPE_CHECKING:  # most configurations name no day
    from datetime import date

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


class Config(NamedTuple):
    """A configuration that fits its schema."""

    path: Path | None = None
    folders: tuple[Path, ...] = ()
    """Where the configuration and those that it extends stand, the nearest last: own pages lie beside them."""
    files: tuple[Path, ...] = ()
    """These files, the nearest first."""
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


def load(path: Path) -> Config:
    """The config in that file (YAML, or a .toml's [tool.shelfread]); raises ConfigError with its place."""
    files = read_files(path)
    file = Layers(list(files.values()))
    data: Mapping[str, Any] = file.data
    return Config(
        path=path,
        folders=tuple(dict.fromkeys(one.parent for one in reversed(files))),
        files=tuple(files),
        presets=tuple(data["presets"]) if "presets" in data else None,
        select=tuple(data.get("select", ())),
        ignore=tuple(data.get("ignore", ())),
        rules={id: _setting(given) for id, given in data.get("rules", {}).items()},
        taxonomy=_taxonomy(files, data.get("taxonomy")),
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
                compile_untrusted(one["pattern"][len(REGEX) :])
            except PatternError as wrong:
                raise file.fail(f"no regular expression: {wrong}", [*keys, "pattern"]) from None
        try:
            until = date.fromisoformat(one["until"]) if "until" in one else None
        except ValueError:
            raise file.fail(f"the calendar has no day '{one['until']}'", [*keys, "until"]) from None
        silences.append(Silence(one["pattern"], one["reason"], until))
    return tuple(silences)


def _taxonomy(files: Mapping[Path, Placed], given: str | None) -> str | None:
    """A bundled taxonomy's name stays, a path is made one from here."""
    if given is None:
        return None
    path, file = next((path, file) for path, file in files.items() if says(file.data, ["taxonomy"]))
    if "/" in given or given.endswith((".yaml", ".yml")):
        if not (path.parent / given).is_file():
            raise file.fail(f"there is no file '{given}' beside the configuration", ["taxonomy"])
        return (path.parent / given).as_posix()
    from shelfread.core.support.suggest import did_you_mean
    from shelfread.taxonomy.load import names

    if given not in names():
        known = ", ".join(names())
        raise file.fail(
            f"no taxonomy '{given}' is bundled ({known}){did_you_mean(given, names())}", ["taxonomy"]
        )
    return given
