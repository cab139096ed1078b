"""A small taxonomy."""

from __future__ import annotations

from pathlib import Path

import pytest

from shelfread.taxonomy.taxonomy import Taxonomy
from support.taxonomies import CONCEPTS, write_taxonomy


@pytest.fixture
def taxonomy(tmp_path: Path) -> Taxonomy:
    return write_taxonomy(tmp_path, CONCEPTS)
