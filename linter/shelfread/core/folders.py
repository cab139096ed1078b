"""Folders of the package's data, and the user's folder for what can be made again."""

from __future__ import annotations

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
