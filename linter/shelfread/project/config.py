"""The configuration: `.shelfread.yaml`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from shelfread.core import git
from shelfread.core.diagnostics import Severity
from shelfread.core.errors import ConfigError, InputError, UserError
from shelfread.core.patterns import PatternError, compile_untrusted

if TYPE_CHECKING:
    from datetime import date

    from shelfread.core.yaml_files import YamlFile

REGEX = "regex:"  # the prefix of patterns that are regular expressions

_NO_OPTIONS: Mapping[str, object] = {}


class RuleSetting(NamedTuple):
    """The settings of one rule; with `enabled` None the presets decide whether it runs."""

    enabled: bool | None = None
    severity: Severity | None = None
    options: Mapping[str, object] = _NO_OPTIONS


class IgnoredUrl(NamedTuple):
    """URLs that are not reported up to and including a day, or (None) at all."""

    pattern: str
    reason: str
    until: date | None = None


class Config(NamedTuple):
    """A configuration that fits its schema; tuples are empty and values None where it has no such key."""

    path: Path | None = None
    presets: tuple[str, ...] | None = None  # none: detected for each list
    select: tuple[str, ...] = ()  # ids and families that replace the presets
    ignore: tuple[str, ...] = ()
    rules: Mapping[str, RuleSetting] = MappingProxyType({})
    taxonomy: str | None = None  # a bundled taxonomy's name, or the path of a file
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    slugs: str = "github"  # github or gitbook
    format: Mapping[str, Any] = MappingProxyType({})  # the keys and values of `format`
    ignored_urls: tuple[IgnoredUrl, ...] = ()
    fail_on: Severity | None = None  # none: the default of the command line
    file: YamlFile | None = None

    @property
    def folder(self) -> Path | None:
        """The folder of the configuration, which has the list's own rules too."""
        return None if self.path is None else self.path.parent

    def fail(self, message: str, keys: Sequence[str | int] = (), key: bool = False) -> UserError:
        """Return the error about the value (or key) at `keys`, as ("rules", "link/insecure", "when")."""
        return self.file.fail(message, keys, key) if self.file else ConfigError(message)


EMPTY = Config()


def load_config(path: Path) -> Config:
    """Return the configuration in a file; raises ConfigError with file, line and column."""
    from shelfread.core.json_schema import validate
    from shelfread.core.yaml_files import read

    file = read(path, ConfigError)
    validate(file, "config")
    data: Mapping[str, Any] = file.data or {}
    return Config(
        path=path,
        presets=tuple(data["presets"]) if "presets" in data else None,
        select=tuple(data.get("select", ())),
        ignore=tuple(data.get("ignore", ())),
        rules={id: _rule_setting(value) for id, value in data.get("rules", {}).items()},
        taxonomy=_resolve_taxonomy(path, file, data.get("taxonomy")),
        include=tuple(data.get("include", ())),
        exclude=tuple(data.get("exclude", ())),
        slugs=data.get("slugs", "github"),
        format=data.get("format", {}),
        ignored_urls=_ignored_urls(file, data.get("links", {}).get("silence", ())),
        fail_on=Severity[data["fail-on"].upper()] if "fail-on" in data else None,
        file=file,
    )


def _rule_setting(value: Any) -> RuleSetting:
    """Return the setting of a rule: `off`, `on`, a severity (which enables it), or a mapping of options."""
    if isinstance(value, bool):
        return RuleSetting(value)
    if isinstance(value, str):
        if value in ("off", "on"):
            return RuleSetting(value == "on")
        return RuleSetting(True, Severity[value.upper()])
    options = dict(value)
    severity = Severity[options.pop("severity").upper()] if "severity" in options else None
    return RuleSetting(options.pop("enabled", None), severity, options)


def _ignored_urls(file: YamlFile, entries: Sequence[Mapping[str, str]]) -> tuple[IgnoredUrl, ...]:
    """Return the ignored URLs; raises the file's error for an invalid date or regular expression."""
    if not entries:
        return ()
    from datetime import date

    ignored = []
    for index, entry in enumerate(entries):
        keys: list[str | int] = ["links", "silence", index]
        if entry["pattern"].startswith(REGEX):
            try:
                compile_untrusted(entry["pattern"][len(REGEX) :])
            except PatternError as error:
                raise file.fail(f"not a regular expression: {error}", [*keys, "pattern"]) from None
        try:
            until = date.fromisoformat(entry["until"]) if "until" in entry else None
        except ValueError:
            raise file.fail(f"there is no date '{entry['until']}'", [*keys, "until"]) from None
        ignored.append(IgnoredUrl(entry["pattern"], entry["reason"], until))
    return tuple(ignored)


def _resolve_taxonomy(path: Path, file: YamlFile, taxonomy: str | None) -> str | None:
    """Return a bundled taxonomy's name, or a path from the working directory."""
    if taxonomy is None:
        return None
    if "/" in taxonomy or taxonomy.endswith((".yaml", ".yml")):
        if not os.path.isfile(path.parent / taxonomy):
            raise file.fail(f"there is no file '{taxonomy}' beside the configuration", ["taxonomy"])
        return (path.parent / taxonomy).as_posix()
    from shelfread.core.wording import did_you_mean
    from shelfread.taxonomy.chain import bundled_names

    if taxonomy not in bundled_names():
        known = ", ".join(bundled_names())
        raise file.fail(
            f"no taxonomy '{taxonomy}' is bundled ({known}){did_you_mean(taxonomy, bundled_names())}",
            ["taxonomy"],
        )
    return taxonomy


NAME = ".shelfread.yaml"

_MAX_FILES = 5000  # how many files a commit's configurations may have, with their rule pages and taxonomies


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

    root: Path  # the work tree
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
