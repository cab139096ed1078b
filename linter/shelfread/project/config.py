"""The configuration, `.shelfread.yaml`, and the files that it, .gitattributes or their folder exclude."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from shelfread.core import git
from shelfread.core.diagnostics import Severity
from shelfread.core.errors import ConfigError, InputError, UserError
from shelfread.core.patterns import PatternError, compile_untrusted, lazy

if TYPE_CHECKING:
    from datetime import date

    from pathspec import GitIgnoreSpec

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


EXCLUDED = "excluded by the configuration"
VENDORED = "skipped: vendored"
_VENDORED = lazy(
    r"(?:^|/)(?:node_modules|bower_components|vendor(?:s|ed)?|third[-_]party|site-packages|Pods|Carthage)/"
)
_ATTRIBUTES = ("linguist-generated", "linguist-vendored")


def make_filter(
    config: Config, pattern_root: Path | None, attributes: Mapping[str, bool]
) -> Callable[[str, bool], str | None]:
    """Return a function that gives the reason why a file is skipped, or None.

    The reason is empty for a file that is merely not included; a file that PATH names need not be included.
    `attributes` are those of `read_attributes`; they take precedence over the names of folders.
    """
    include = exclude = None
    if config.include or config.exclude:
        include = _compile_patterns(config, "include", config.include or ["*"])
        exclude = _compile_patterns(config, "exclude", config.exclude)
    start = os.path.realpath(pattern_root or ".")

    def skip(name: str, by_name: bool) -> str | None:
        path = os.path.relpath(os.path.realpath(name), start).replace(os.sep, "/")
        if path.startswith("../"):
            return None
        path = path.encode("utf-8", "replace").decode()  # no pattern can match a name that is not UTF-8
        excluded = exclude.check_file(path).include if exclude else None
        if excluded:
            return EXCLUDED
        is_foreign = attributes.get(name)
        if excluded is None and is_foreign:
            return "skipped: generated or vendored according to .gitattributes"
        if excluded is None and is_foreign is None and _VENDORED.search(path):
            return VENDORED
        return None if by_name or include is None or include.match_file(path) else ""

    return skip


def _compile_patterns(config: Config, key: str, patterns: Sequence[str]) -> GitIgnoreSpec:
    """Return patterns in the syntax of gitignore; raises ConfigError for more than can be compiled together."""
    import re2
    from pathspec import GitIgnoreSpec

    try:
        return GitIgnoreSpec.from_lines(patterns)
    except (re2.error, ValueError) as error:
        reason = str(error) if isinstance(error, ValueError) else "too many patterns, or too many wildcards"
        raise config.fail(f"{reason}: use fewer or simpler ones", [key]) from None


def read_attributes(root: Path, folder: Path, files: Iterable[str]) -> dict[str, bool]:
    """Return the files that .gitattributes of a folder (of a work tree or a commit) marks as generated or vendored, or not."""
    attributes = folder / ".gitattributes"
    if not attributes.is_file():
        return {}
    try:
        with attributes.open("rb") as stream:
            if b"linguist-" not in stream.read(1 << 16):
                return {}
    except OSError:
        return {}
    paths = {os.path.relpath(os.path.realpath(file), root).replace(os.sep, "/"): file for file in files}
    names = b"".join(os.fsencode(path) + b"\0" for path in paths)
    output = git.run(str(folder), "check-attr", "-z", "--stdin", *_ATTRIBUTES, data=names)
    fields = [os.fsdecode(field) for field in (output or b"").split(b"\0")]
    found: dict[str, bool] = {}
    for path, value in zip(fields[::3], fields[2::3], strict=False):
        if path in paths and value != "unspecified":
            found[paths[path]] = found.get(paths[path], False) or value in ("set", "true")
    return found
