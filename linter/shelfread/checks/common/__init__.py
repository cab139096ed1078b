"""What checks of several families share; `WORDS` are those of `known_names.yaml`, by their kind."""

from __future__ import annotations

from typing import Literal, TypeAlias

from shelfread.core.folders import PACKAGE
from shelfread.core.yaml_files import load_table

Capitals: TypeAlias = Literal["learned", "title", "sentence"]

_TABLE = load_table(PACKAGE / "checks" / "common" / "known_names.yaml")
WORDS = {kind: frozenset(words.split()) for kind, words in _TABLE.items()}
