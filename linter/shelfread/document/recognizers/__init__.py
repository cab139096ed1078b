"""What tells titles, people, organisations and venues apart: `WORDS` are those of `known_words.yaml`, by their kind."""

from __future__ import annotations

from shelfread.core.folders import PACKAGE
from shelfread.core.yaml_files import load_table

_TABLE = load_table(PACKAGE / "document" / "known_words.yaml")
WORDS = {kind: frozenset(words.split()) for kind, words in _TABLE.items()}
