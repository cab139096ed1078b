"""Words that tell titles, people, organisations and venues apart: those of `words.yaml`, by their kind."""

from __future__ import annotations

from pathlib import Path

from shelfread.core.support.yaml_cache import load_table

WORDS = {
    kind: frozenset(words.split()) for kind, words in load_table(Path(__file__).with_suffix(".yaml")).items()
}
