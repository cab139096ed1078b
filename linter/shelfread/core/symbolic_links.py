"""Symbolic links on the way to a file."""

from __future__ import annotations

import os
from collections.abc import Iterator


def links_on_the_way(path: str) -> Iterator[str]:
    """Yield the symbolic links of a path: itself, and the folders on its way below the working directory.

    Folders above the working directory, and of a path that leads elsewhere, are the machine's own (`/tmp`, `/home`).
    """
    here = os.path.join(os.getcwd(), "")
    inside = path.removeprefix(here)
    if os.path.isabs(inside):
        steps = [path]
    else:
        parts = inside.split(os.sep)
        steps = [os.sep.join(parts[: end + 1]) for end in range(len(parts)) if parts[end]]
    yield from filter(os.path.islink, steps)
