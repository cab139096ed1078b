"""`taxonomy/unused`."""

from __future__ import annotations

from pathlib import Path

from shelfread.checks.taxonomy.sections import unused
from support.project import LIST, read_project
from support.taxonomies import ENTRY, write_taxonomy
from support.work import executed_lines


def test_all_sections_of_a_large_taxonomy_are_used(tmp_path: Path) -> None:
    def lines(count: int) -> int:
        concepts = "".join(f"  c{number}: {{prefLabel: Subject {number}x}}\n" for number in range(count))
        taxonomy = write_taxonomy(tmp_path, f"title: Large\nconcepts:\n{concepts}")
        text = "# S\n\n" + "".join(f"## Subject {number}x\n\n{ENTRY}\n" for number in [*range(1, count), 0])
        documents, context = read_project(text, taxonomy)
        assert list(unused(documents[LIST], context)) == []
        documents, context = read_project(text, taxonomy)
        return executed_lines(lambda: list(unused(documents[LIST], context)))

    assert lines(160) < 5 * lines(40)


def test_a_section_without_entries_is_one(tmp_path: Path) -> None:
    taxonomy = write_taxonomy(
        tmp_path,
        "title: Small\nconcepts:\n  a: {prefLabel: Ovens}\n  b: {prefLabel: Ladders}\n  c: {prefLabel: Lamps}\n",
    )
    documents, context = read_project(f"# S\n\n## Ovens\n\n{ENTRY}\n## Ladders\n\nComing soon.\n", taxonomy)
    (found,) = unused(documents[LIST], context)
    assert found.values["label"] == "Lamps"
