"""Markdown that is not the maintainers' own to mend: vendored, or generated from something else."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from shelfread.core import git
from shelfread.core.support.regex import lazy

GENERATED = 'left alone: generated, as its first lines say (exclude: ["!FILE"] in .shelfread.yaml lets it in)'
EXCLUDED = "excluded by the configuration"
VENDORED = "left alone: vendored"
_VENDORED = lazy(
    r"(?:^|/)(?:node_modules|bower_components|vendor(?:s|ed)?|third[-_]party|site-packages|Pods|Carthage)/"
)
_START = 4096
"""Bytes at a file's start among which it may say that it is generated."""
_FORBIDS = lazy(
    r"\b(?:do not|don't|never) (?:manually )?(?:edit|modify|change|touch)\b|\bwill be (?:lost|over)"
)
_GENERATED = lazy(r"@generated\b|\b(?:auto(?:matically)?[- ]?)?generated\b")
_PART = lazy(r"\b(?:start|begin|end|section|toc|contents|block|region|below|between|list:)")
"""Words of a comment that speaks of a part of the file."""
_ATTRIBUTES = ("linguist-generated", "linguist-vendored")


def skip_reason(path: str, file: str, attributes: Mapping[str, bool]) -> str:
    """Why a file is left alone, empty where it is not; `path` is seen from the project's folder.

    `attributes` are what .gitattributes says of files, which goes before what they look like.
    """
    said = attributes.get(file)
    if said is not None:
        return "left alone: generated or vendored, as .gitattributes says" if said else ""
    if _VENDORED.search(path):
        return VENDORED
    return GENERATED if is_generated(_start_of(file)) else ""


def read_attributes(root: Path, at: Path, files: Iterable[str]) -> dict[str, bool]:
    """The files of a work tree that .gitattributes calls generated or vendored, or (False) says are not.

    `at` has the .gitattributes: the work tree, or a copy of a commit's.
    """
    try:
        with open(at / ".gitattributes", "rb") as stream:
            if b"linguist-" not in stream.read(1 << 16):
                return {}
    except OSError:
        return {}
    paths = {os.path.relpath(os.path.realpath(file), root).replace(os.sep, "/"): file for file in files}
    asked = b"".join(os.fsencode(path) + b"\0" for path in paths)
    answer = git.run(str(at), "check-attr", "-z", "--stdin", *_ATTRIBUTES, data=asked)
    fields = [os.fsdecode(field) for field in (answer or b"").split(b"\0")]
    found: dict[str, bool] = {}
    for path, value in zip(fields[::3], fields[2::3], strict=False):
        if path in paths and value != "unspecified":
            found[paths[path]] = found.get(paths[path], False) or value in ("set", "true")
    return found


def _start_of(file: str) -> bytes:
    try:
        if not os.path.isfile(file):
            return b""
        with open(file, "rb") as stream:
            return stream.read(_START)
    except OSError:
        return b""


def is_generated(data: bytes) -> bool:
    """Whether a comment among the first lines says so, of the whole file, and forbids to edit it."""
    start = data[:_START].decode("utf-8", "replace").lower()
    if "generated" not in start:
        return False
    comments = (piece.partition("-->")[0] for piece in start.split("<!--")[1:])
    return any(_GENERATED.search(one) and _FORBIDS.search(one) and not _PART.search(one) for one in comments)
