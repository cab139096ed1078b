"""Words that checks know: those of `known_names.yaml`, by their kind."""

from __future__ import annotations

from pathlib import Path

from shelfread.core.support.yaml_cache import load_table

_TABLE = load_table(Path(__file__).parent / "known_names.yaml")
WORDS = {kind: frozenset(words.split()) for kind, words in _TABLE.items()}
