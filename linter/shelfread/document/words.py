"""Words that tell titles, people, organisations and venues apart: those of `words.yaml`, by their kind."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from shelfread.core.errors import UserError
from shelfread.core.support.yaml_cache import load_cached


def _load() -> Mapping[str, frozenset[str]]:
    def parse(path: Path) -> Mapping[str, str]:
        from shelfread.core.support.strict_yaml import read

        data: Mapping[str, str] = read(path, UserError).data
        return data

    file = Path(__file__).with_suffix(".yaml")
    kinds = load_cached(file.parent, [file], parse)[file.name]
    return {kind: frozenset(words.split()) for kind, words in kinds.items()}


WORDS = _load()
