"""`taxonomy/section-parent` and `taxonomy/section-order`."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from shelfread.checks.taxonomy.section_place import section_order, section_parent
from shelfread.cli import group
from shelfread.taxonomy.load import load
from support.project import LIST, read_project, run
from support.taxonomies import ENTRY, write_taxonomy
from support.work import executed_lines

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


def test_the_work_for_a_large_taxonomy_grows_with_its_sections(tmp_path: Path) -> None:
    def lines(count: int) -> int:
        concepts = "".join(f"  c{number}: {{prefLabel: Subject {number}x}}\n" for number in range(count))
        taxonomy = write_taxonomy(tmp_path, f"title: Large\nconcepts:\n{concepts}")
        numbers = [*range(1, count), 0]
        text = "# S\n\n" + "".join(f"## Subject {number}x\n\n{ENTRY}\n" for number in numbers)
        documents, context = read_project(text, taxonomy)
        (place,) = section_order(documents[LIST], context)
        assert (place.message, place.values["other"]) == ("before", "Subject 1x")
        assert list(section_parent(documents[LIST], context)) == []
        documents, context = read_project(text, taxonomy)
        checks = (section_order, section_parent)
        return executed_lines(lambda: [list(check(documents[LIST], context)) for check in checks])

    assert lines(160) < 5 * lines(40)


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
