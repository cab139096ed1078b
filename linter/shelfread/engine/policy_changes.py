"""What a change did to that by which it is judged, so that nothing is hidden unsaid."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from shelfread.core import git
from shelfread.core.errors import InputError
from shelfread.core.source import MAX_BYTES, Source
from shelfread.core.support.line_diff import GONE, align
from shelfread.project.config import Config
from shelfread.project.config_file import NAME, PYPROJECT
from shelfread.project.exclusions import GENERATED, is_generated
from shelfread.project.files import SkippedFile, relative_path
from shelfread.rulebook.suppressions import suppression_lines

_ATTRIBUTES = ".gitattributes"
_SPEAKS_OF = {_ATTRIBUTES: b"linguist-", PYPROJECT: b"shelfread"}
"""Files of these names judge lists only where they mention this."""
_OWN = ".shelfread"
"""The folder of a list's own rules and taxonomies."""
_GLOBS = tuple(f":(glob)**/{name}" for name in (NAME, _ATTRIBUTES, PYPROJECT, f"{_OWN}/**"))
_MOST = 5
"""Names, or lines, that one remark lists."""


def find_policy_changes(
    root: str,
    since: str,
    commits: tuple[str, str | None],
    config: Iterable[str],
    baseline: str | None,
    left: Iterable[SkippedFile],
    older: bool,
) -> Iterator[str]:
    """A line for each means by which a change could hide what it did.

    `commits` are those between which it lies, None the work tree; `config` are files that the configuration
    names, and with `older` the configuration is of another commit.
    """
    base, head = commits
    before = git.list_tree(root, base)
    known = _inside(root, [baseline]) if baseline else set()
    names = _touched(root, before, head, _inside(root, config) | known)
    judging = [_here(root, name) for name in names if name not in known]
    if judging and older:
        yield f"{_some(judging)}: changed since {since}, and not heeded (--config-from)"
    elif judging:
        what = "these" if len(judging) > 1 else "it"
        yield (
            f"{_some(judging)}: changed since {since}, and the change is judged by {what}: "
            "--config-from judges by what was there before"
        )
    for name in set(names) & known:
        yield f"{_here(root, name)}: changed since {since}, and what it knows is not shown"
    marked = {
        path: one.path
        for one in left
        if one.reason == GENERATED
        for path in _inside(root, [one.path]) & set(before)
    }
    texts = git.read_blobs(root, {before[path].oid for path in marked})
    for path, name in marked.items():
        if not is_generated(texts.get(before[path].oid, b"")):
            yield f"{name}: calls itself generated only since {since}, and is left alone"


def new_suppressions(source: Source, changed: Sequence[bool], since: str) -> Iterator[str]:
    """A line on the comments that a change has put into a list to silence rules."""
    lines = [str(line + 1) for line in suppression_lines(source) if changed[line]]
    if lines:
        noun = "a comment that silences rules is" if len(lines) == 1 else "comments that silence rules are"
        where = f"line{'s' if len(lines) > 1 else ''} {_some(lines)}"
        yield f"{source.path}: {noun} new since {since}: {where}"


def suppressions_between(before: bytes, after: bytes, path: str, since: str) -> Iterator[str]:
    """The same of two texts; none of what is no text."""
    try:
        old, new = Source.from_bytes(before), Source.from_bytes(after, path)
    except InputError:
        return
    yield from new_suppressions(new, [index == GONE for index in align(old.lines, new.lines)], since)


def policy_files(config: Config) -> Iterator[str]:
    """The files that a configuration is made of, and its taxonomy where that is a file."""
    yield from map(os.fspath, config.files)
    if config.taxonomy is not None:
        yield config.taxonomy


def _touched(
    root: str, before: Mapping[str, git.Blob], head: str | None, named: Collection[str]
) -> list[str]:
    """The files that judge lists and are not as they were, by their paths from the root."""
    after: Mapping[str, git.Blob] = {} if head is None else git.list_tree(root, head)
    here = _work_tree(root, named) if head is None else {}
    found = []
    for path in sorted({*before, *after, *here}):
        if not (_judges(path) or path in named):
            continue
        was, now = before.get(path), after.get(path)
        if head is None:
            data = here[path] if path in here else _read(root, path)
            same = data is None if was is None else data is not None and was.holds(data)
        else:
            same, data = was == now, b"".join(_blobs(root, now))
        mention = _SPEAKS_OF.get(posixpath.basename(path))
        if same or (mention and mention not in (data or b"") + b"".join(_blobs(root, was))):
            continue
        found.append(path)
    return found


def _judges(path: str) -> bool:
    folders, _, name = path.rpartition("/")
    return name in (NAME, *_SPEAKS_OF) or _OWN in folders.split("/")


def _work_tree(root: str, named: Iterable[str]) -> dict[str, bytes | None]:
    """What git knows, or would add, of files that judge lists."""
    listed = git.run(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *_GLOBS)
    names = {os.fsdecode(name) for name in (listed or b"").split(b"\0") if name}
    return {path: _read(root, path) for path in names.union(named)}


def _read(root: str, path: str) -> bytes | None:
    file = os.path.join(root, path)
    try:
        if not os.path.isfile(file) or os.path.getsize(file) > MAX_BYTES:
            return None
        with open(file, "rb") as stream:
            return stream.read()
    except OSError:
        return None


def _blobs(root: str, blob: git.Blob | None) -> Iterable[bytes]:
    return git.read_blobs(root, (blob.oid,)).values() if blob is not None and blob.is_file else ()


def _inside(root: str, files: Iterable[str]) -> set[str]:
    """Paths from the root, of files that lie below it."""
    paths = {os.path.relpath(os.path.realpath(file), root).replace(os.sep, "/") for file in files}
    return {path for path in paths if not path.startswith("../")}


def _here(root: str, path: str) -> str:
    return relative_path(os.path.join(root, path))


def _some(names: Sequence[str]) -> str:
    rest = len(names) - _MOST
    return ", ".join(names[:_MOST]) + (f" and {rest} more" if rest > 0 else "")
