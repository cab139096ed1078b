"""Where the files of a project are on disk."""

from __future__ import annotations

import os
from collections.abc import Iterable

from shelfread.core.inquiry import look


def common_folder(paths: Iterable[str]) -> str:
    """Return the absolute path of the folder that holds all files, symbolic links resolved."""
    folders = {os.path.realpath(folder or ".") for folder in {os.path.dirname(path) for path in paths}}
    try:
        return os.path.commonpath(folders or {os.path.realpath(".")})
    except ValueError:  # several drives
        return os.path.realpath(".")


@look
def real_path(folder: str) -> str:
    """Return the absolute path of a folder, symbolic links resolved."""
    return os.path.realpath(folder or ".")
