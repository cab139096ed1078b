"""The user's folder for what can be made again."""

from __future__ import annotations

from pathlib import Path


def cache_path(name: str) -> Path:
    """Return the path of a file or folder in the user's cache folder; it need not exist."""
    from platformdirs import user_cache_path

    return user_cache_path("shelfread", appauthor=False) / name
