"""`taxonomy/section-parent` and `taxonomy/section-order`."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from shelfread.checks.taxonomy.section_place import section_order, section_parent
from shelfread.cli import group
from shelfread.taxonomy.load import load
from support.project import run
from support.taxonomies import ENTRY, write_taxonomy

TREE = """
title: Clusters
concepts:
  a: {prefLabel: Aa}
  b: {prefLabel: Bb}
  c: {prefLabel: Cc, broader: a}
"""


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("end", ["", "\n", "\n\n"])
def test_a_section_moves_with_all_below_it(newline: str, end: str, tmp_path: Path) -> None:
    text = (
        f"# S\n\n## Aa\n\n{ENTRY}\n## Bb\n\n{ENTRY}\n### Cc\n\n{ENTRY}\n#### Deep\n\n{ENTRY}".rstrip() + end
    )
    right = (
        f"# S\n\n## Aa\n\n{ENTRY}\n### Cc\n\n{ENTRY}\n#### Deep\n\n{ENTRY}\n## Bb\n\n{ENTRY}".rstrip() + end
    )
    path = tmp_path / "list.md"
    path.write_bytes(text.replace("\n", newline).encode())
    (tmp_path / "taxonomy.yaml").write_text(TREE)
    words = [
        "--taxonomy",
        str(tmp_path / "taxonomy.yaml"),
        "--select",
        "taxonomy/section-parent",
        "--unsafe-fixes",
    ]
    done = CliRunner().invoke(group, ["fix", "--isolated", *words, str(path)])
    assert done.exit_code == 0, done.output
    assert path.read_bytes().decode() == right.replace("\n", newline)


@pytest.mark.slow
def test_sections_of_a_large_taxonomy_are_ordered_fast(tmp_path: Path) -> None:
    concepts = "".join(f"  c{number}: {{prefLabel: Subject {number}x}}\n" for number in range(5000))
    taxonomy = write_taxonomy(tmp_path, f"title: Large\nconcepts:\n{concepts}")
    numbers = [*range(1, 5000), 0]
    text = "# S\n\n" + "".join(f"## Subject {number}x\n\n{ENTRY}\n" for number in numbers)
    (found,) = run(section_order, text, taxonomy)
    assert (found.text, found.place.message, found.place.values["other"]) == (
        "Subject 0x",
        "before",
        "Subject 1x",
    )
    assert run(section_parent, text, taxonomy) == []


def test_lists_divide_the_subjects_of_a_bundled_taxonomy_as_they_like() -> None:
    taxonomy = load("ml-systems")
    text = f"# S\n\n## Networking\n\n{ENTRY}\n### Checkpointing\n\n{ENTRY}"
    assert run(section_parent, text, taxonomy) == []
    text += f"\n## Fault Tolerance\n\n{ENTRY}"
    assert [diagnostic.text for diagnostic in run(section_parent, text, taxonomy)] == ["Checkpointing"]


@pytest.mark.parametrize("above", ["Bb and Aa", "Papers on Aa", "Survey", "2024"])
def test_a_section_above_that_names_several_subjects_or_none(above: str, tmp_path: Path) -> None:
    taxonomy = write_taxonomy(tmp_path, TREE)
    text = f"# S\n\n## {above}\n\n{ENTRY}\n### Cc\n\n{ENTRY}"
    assert run(section_parent, text, taxonomy) == []
