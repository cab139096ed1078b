"""Folders of the package's data, the user's folder for what can be made again, and the links on the way to a path."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[1]
_DATA = PACKAGE / "data"
_HOME = _DATA if _DATA.is_dir() else PACKAGE.parents[1]

RULES = _HOME / "rules"
SCHEMA = _HOME / "schema"
TAXONOMIES = SCHEMA / "taxonomies"


def cache_path(name: str) -> Path:
    """Return the path of a file or folder in the user's cache folder; it need not exist."""
    from platformdirs import user_cache_path

    return user_cache_path("shelfread", appauthor=False) / name


def links_on_the_way(path: str) -> Iterator[str]:
    """Yield the symbolic links of a path, below the working directory; those above it are the machine's own (`/tmp`, `/home`)."""
    here = os.path.join(os.getcwd(), "")
    inside = path.removeprefix(here)
    if os.path.isabs(inside):
        steps = [path]
    else:
        parts = inside.split(os.sep)
        steps = [os.sep.join(parts[: end + 1]) for end in range(len(parts)) if parts[end]]
    yield from filter(os.path.islink, steps)
