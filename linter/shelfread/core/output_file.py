"""Refuse to write an output over anything but an earlier output."""

from __future__ import annotations

import os
from collections.abc import Callable

from shelfread.core.errors import InputError, reason_of
from shelfread.core.symbolic_links import links_on_the_way

_MAX_BYTES = 64 << 20
"""A larger file is taken for something else."""


def refuse_to_overwrite(path: str, option: str, is_earlier: Callable[[str], bool], what: str) -> None:
    """Raise InputError unless a file is new, empty, or what `is_earlier` says of its text.

    A file that a symbolic link leads to is refused, because it is not the one that the option names.
    """
    if link := next(links_on_the_way(path), None):
        target = os.path.realpath(link)
        raise InputError(f"{option} follows no symbolic link: name {target} instead of {link}", path)
    if not os.path.lexists(path):
        return
    if os.path.isdir(path):
        raise InputError(f"{option} cannot write to it: it is a folder", path)
    if not os.path.isfile(path):
        raise InputError(f"{option} writes to regular files only: redirect the output instead", path)
    if not _is_own(path, is_earlier):
        raise InputError(
            f"{option} would overwrite it, and it is not {what}: name another file, or delete it first", path
        )


def _is_own(path: str, is_earlier: Callable[[str], bool]) -> bool:
    try:
        with open(path, "rb") as stream:
            data = stream.read(_MAX_BYTES + 1)
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"cannot be read: {reason_of(error)}", path) from None
    except UnicodeDecodeError:
        return False
    return len(data) <= _MAX_BYTES and (not text.strip() or is_earlier(text))
