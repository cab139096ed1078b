"""Find the lists that SOURCE names: repositories, folders of them, and files that name folders."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from shelfread.core.errors import InputError
from shelfread.core.source import Source, read_bytes
from shelfread.document.file_kind import SUFFIXES
from shelfread.project.files import relative_path

_MAX_DEPTH = 8  # a folder this deep below SOURCE is not looked into any more
_SKIPPED = {".venv", "venv", "node_modules", "__pycache__"}


class ListSource(NamedTuple):
    """A list: the name that its rows have, and the real path of its folder."""

    name: str
    folder: str


def find_lists(sources: Sequence[str], output: str) -> list[ListSource]:
    """Return the lists of all sources by name, each folder once; nothing in `output` is a list.

    Raises InputError for a source that is not there, or in which there is no list.
    """
    left_out = os.path.realpath(output)
    by_folder: dict[str, ListSource] = {}
    for source in sources:
        lists = list(_lists_of(source, left_out))
        if not lists:
            raise InputError("no list: no repository and no Markdown file in it or its folders", source)
        for one in lists:
            by_folder.setdefault(one.folder, one)
    return sorted(_with_own_names(by_folder.values()))


def _lists_of(source: str, left_out: str) -> Iterator[ListSource]:
    if not os.path.lexists(source):
        raise InputError("no such file or folder", source)
    if os.path.isdir(source):
        folder = os.path.realpath(source)
        yield from _search(folder, os.path.basename(folder), left_out)
        return
    if source.lower().endswith(SUFFIXES):
        raise InputError("a Markdown file: name its folder, or a file that names folders", source)
    lines = map(str.strip, Source.from_bytes(read_bytes(source), source).lines)
    for line in (line for line in lines if line and not line.startswith("#")):
        # Most often the file was made by a command such as `ls -d lists/*/`, in the folder where it lies.
        path = os.path.join(os.path.dirname(source), line)
        folder = os.path.realpath(path)
        name = os.path.normpath(line).replace(os.sep, "/")
        yield ListSource(name if name.strip("./") else os.path.basename(folder), folder)


def _search(folder: str, name: str, left_out: str, depth: int = 0) -> Iterator[ListSource]:
    """Yield a folder if it is a list, else the lists in it; links to other folders are not followed."""
    if folder == left_out:
        return
    if _is_repository(folder):
        yield ListSource(name, folder)
        return
    try:
        with os.scandir(folder) as entries:
            inside = sorted(entries, key=lambda entry: entry.name)
    except OSError:
        yield ListSource(name, folder)  # its row says why it cannot be read
        return
    folders = [entry for entry in inside if _is_searched(entry)]
    markdown = any(entry.name.lower().endswith(SUFFIXES) for entry in inside)
    if markdown and not any(_is_repository(entry.path) for entry in folders):
        yield ListSource(name, folder)
    elif depth < _MAX_DEPTH:
        for entry in folders:
            below = f"{name}/{entry.name}" if depth else entry.name
            yield from _search(entry.path, below, left_out, depth + 1)


def _is_searched(entry: os.DirEntry[str]) -> bool:
    hidden = entry.name.startswith(".") or entry.name in _SKIPPED
    return not hidden and entry.is_dir(follow_symlinks=False)


def _is_repository(folder: str) -> bool:
    return os.path.lexists(os.path.join(folder, ".git"))


def _with_own_names(lists: Iterable[ListSource]) -> Iterator[ListSource]:
    """Yield lists with names of their own: of several with one name, each gets its path."""
    lists = [one._replace(name=_printable(one.name)) for one in lists]
    times = Counter(one.name for one in lists)
    for one in lists:
        yield one if times[one.name] == 1 else one._replace(name=_printable(relative_path(one.folder)))


def _printable(name: str) -> str:
    return name.encode("utf-8", "backslashreplace").decode()
