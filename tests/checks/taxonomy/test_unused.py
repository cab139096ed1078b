"""`taxonomy/unused`."""

from __future__ import annotations

from pathlib import Path

import pytest

from shelfread.checks.taxonomy.sections import unused
from support.project import run
from support.taxonomies import ENTRY, write_taxonomy


@pytest.mark.slow
def test_all_sections_of_a_large_taxonomy_are_used(tmp_path: Path) -> None:
    concepts = "".join(f"  c{number}: {{prefLabel: Subject {number}x}}\n" for number in range(5000))
    taxonomy = write_taxonomy(tmp_path, f"title: Large\nconcepts:\n{concepts}")
    text = "# S\n\n" + "".join(f"## Subject {number}x\n\n{ENTRY}\n" for number in [*range(1, 5000), 0])
    assert run(unused, text, taxonomy) == []
