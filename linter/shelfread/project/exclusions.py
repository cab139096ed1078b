"""Skip files that a configuration excludes, and Markdown that .gitattributes or its folder says is from elsewhere."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from shelfread.core import git
from shelfread.core.patterns import lazy
from shelfread.project.config import Config

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

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
    """Return the files of a work tree that .gitattributes marks as generated or vendored, or (False) as
    neither.

    `folder` has the .gitattributes: the work tree, or a copy of a commit's files.
    """
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
