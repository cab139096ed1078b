"""A list's own taxonomy in a file."""

from __future__ import annotations

from pathlib import Path

from shelfread.taxonomy.load import load
from shelfread.taxonomy.taxonomy import Taxonomy


def load_text(folder: Path, text: str) -> Taxonomy:
    """Return the taxonomy of a text, written to `own.yaml` in a folder."""
    file = folder / "own.yaml"
    file.write_text(text, "utf-8")
    return load(str(file))
