"""Words that tell titles, people, organisations and venues apart: those of `known_words.yaml`, by their kind."""

from __future__ import annotations

from shelfread.core.support.resources import PACKAGE
from shelfread.core.support.yaml_cache import load_table

_TABLE = load_table(PACKAGE / "document" / "known_words.yaml")
WORDS = {kind: frozenset(words.split()) for kind, words in _TABLE.items()}
