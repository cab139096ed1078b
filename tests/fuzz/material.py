"""What exists and can be mutated: lists, rule pages, configurations, taxonomies, URLs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from shelfread.core.folders import RULES, SCHEMA
from support.paths import DATA, ROOT

_CASE = re.compile(r"^\.\n", re.MULTILINE)
_FENCE = re.compile(r"^```markdown[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_YAML = re.compile(r"^```yaml\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_URL = re.compile(r"https?://[^\s<>()\[\]|\"'`]+")
_LINES = 400
"""Of a long list, a piece of this many lines is material."""


class Material(NamedTuple):
    """Texts by what they are."""

    lists: tuple[str, ...]
    pages: tuple[str, ...]
    configurations: tuple[str, ...]
    taxonomies: tuple[str, ...]
    urls: tuple[str, ...]


def load_material(folders: Iterable[Path] = ()) -> Material:
    """Return the project's own examples, and pieces of the lists in further folders."""
    pages = tuple(_read(path) for path in sorted(RULES.glob("*/*.md")))
    documents = [_read(path) for path in sorted((ROOT / "docs").glob("*.md"))]
    lists = [_read(path) for path in sorted((ROOT / "examples").glob("*.md"))]
    lists += [found[1] for page in pages for found in _FENCE.finditer(page)]
    for path in sorted((DATA / "entries").glob("*.md")):
        lists += _CASE.split(_read(path))[1::3]
    for folder in folders:
        for path in sorted(folder.rglob("*.md")):
            lists += _pieces(_read(path))
    blocks = [found[1] for document in documents for found in _YAML.finditer(document)]
    taxonomies = [block for block in blocks if "concepts:" in block or "venues:" in block]
    taxonomies += [_read(SCHEMA / "taxonomies" / f"{name}.yaml") for name in ("links", "ml-systems")]
    return Material(
        tuple(text for text in lists if text.strip()),
        pages,
        tuple(block for block in blocks if block not in taxonomies),
        tuple(taxonomies),
        tuple(sorted({url for text in lists[:400] for url in _URL.findall(text)})),
    )


def _pieces(text: str) -> list[str]:
    lines = text.splitlines(keepends=True)
    return ["".join(lines[at : at + _LINES]) for at in range(0, len(lines), _LINES)]


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")
