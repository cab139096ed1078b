"""The checks against a taxonomy, in what their pages are too short to show."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from shelfread.checks.taxonomy.entry import entry, link_role
from shelfread.checks.taxonomy.section import section, section_alias
from shelfread.checks.taxonomy.tree import section_order, section_parent, unused
from shelfread.cli import group
from shelfread.core.diagnostics import Severity
from shelfread.taxonomy.load import load
from shelfread.taxonomy.taxonomy import Taxonomy
from support.project import run

ENTRY = "- A Study of Jobs [[Paper](https://arxiv.org/abs/2001.00001)]\n"
CONCEPTS = """
title: Clusters
concepts:
  scheduling:
    prefLabel: Cluster Scheduling
    altLabel: [Resource Scheduling]
    hiddenLabel: [Allocation]
    links: [paper, code]
  inference: {prefLabel: Inference, altLabel: [Serving]}
"""
SCHEMA = """
entry:
  properties:
    year: {type: integer, minimum: 2010, description: 'Give the year, 2010 or later.'}
    links: {minItems: 2, items: {properties: {url: {maxLength: 60, description: Link the short address.}}}}
  required: [title]
  description: An entry has a year.
"""


@pytest.fixture
def taxonomy(tmp_path: Path) -> Taxonomy:
    return written(tmp_path, CONCEPTS)


def written(folder: Path, text: str) -> Taxonomy:
    path = folder / "taxonomy.yaml"
    path.write_text(text, encoding="utf-8")
    return load(str(path))


def test_without_a_taxonomy_nothing_is_said() -> None:
    for check in (section, section_alias, entry, link_role):
        assert run(check, f"## Gardening\n\n{ENTRY}") == []


@pytest.mark.parametrize(
    ("headings", "found"),
    [
        ("## Gardening", ["Gardening"]),
        ("# Gardening\n\n## Inference", []),
        ("# Systems\n\n## 🚀 1.2 CLUSTER SCHEDULING!", []),
        ("# Systems\n\n## Serving", []),
        ("# Systems\n\n## Inference\n\n### 2020", []),
        ("# Systems\n\n## Inference\n\n### Before 2020", []),
        ("# Systems\n\n## Inference\n\n### OSDI'20", []),
        ("# Systems\n\n## Inference\n\n### Papers", []),
        ("# Systems\n\n## Inference\n\n### Others", []),
        ("# Systems\n\n## A", []),
        ("# Systems\n\n## Gardening\n\nNo entries.\n\n## Inference", []),
        ("# Systems\n\n## Gardening\n\n### Inference", ["Gardening"]),
    ],
)
def test_headings_of_subjects_are_concepts(headings: str, found: list[str], taxonomy: Taxonomy) -> None:
    assert [one.text for one in run(section, f"{headings}\n\n{ENTRY}", taxonomy)] == found


def test_a_heading_is_renamed_with_the_links_to_it(taxonomy: Taxonomy) -> None:
    text = "# S\n\n- [x](#2-cluster-schedling-)\n\n## 2. Cluster Schedling 🚀\n\n"
    (found,) = run(section, text + ENTRY, taxonomy)
    assert found.fixed == "# S\n\n- [x](#2-cluster-scheduling-)\n\n## 2. Cluster Scheduling 🚀\n\n" + ENTRY


def test_a_far_guess_is_no_fix(taxonomy: Taxonomy) -> None:
    (found,) = run(section, f"## Cluster Handling\n\n{ENTRY}", taxonomy)
    assert found.place.values["guess"] == ", did you mean 'Cluster Scheduling'?"
    assert not found.place.edits


def test_an_alias_informs_and_a_hidden_name_warns(taxonomy: Taxonomy) -> None:
    found = run(section_alias, f"## Serving\n\n{ENTRY}\n## Allocation\n\n{ENTRY}", taxonomy)
    assert [(one.text, one.place.severity) for one in found] == [
        ("Serving", Severity.INFO),
        ("Allocation", Severity.WARNING),
    ]
    assert "## Cluster Scheduling" in found[1].fixed


def test_two_names_of_one_concept_in_a_file_may_be_meant(taxonomy: Taxonomy) -> None:
    found = run(section_alias, f"## Allocation\n\n{ENTRY}\n## Resource Scheduling\n\n{ENTRY}", taxonomy)
    assert [one.place.edits for one in found] == [(), ()]


def test_a_violation_stands_at_its_part_in_the_schema_s_words(tmp_path: Path) -> None:
    taxonomy = written(tmp_path, CONCEPTS + SCHEMA)
    url = "https://example.org/" + "x" * 60
    text = f"- A Study of Jobs (OSDI 2006) [[Paper]({url})] [[Code](https://github.com/a/b)]\n- A Study [[Paper](u)]\n"
    assert [(one.line, one.text, one.place.values["fault"]) for one in run(entry, text, taxonomy)] == [
        (1, "OSDI 2006", "Give the year, 2010 or later."),
        (1, "Paper", "Link the short address."),
        (2, "A Study", "Give the year, 2010 or later."),
        (2, "A Study", "links is too short"),
    ]


def test_jsonschema_is_imported_only_where_a_schema_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "jsonschema", None)
    assert run(entry, ENTRY) == []
    assert run(section, f"## Inference\n\n{ENTRY}", load("ml-systems")) == []


@pytest.mark.parametrize(
    ("labels", "found"),
    [
        (["Paper", "Code"], {}),
        (["Paper", "Slides"], {"Slides": Severity.ERROR}),
        (["Papre"], {"Papre": Severity.ERROR}),
        (["Our own page"], {"Our own page": Severity.INFO}),
        (["OSDI 2020", "Part 2"], {}),
        (["pdf"], {}),
    ],
)
def test_labels_are_names_of_roles(labels: list[str], found: dict[str, Severity], taxonomy: Taxonomy) -> None:
    links = " ".join(f"[[{label}](https://example.org/{n})]" for n, label in enumerate(labels))
    text = f"## Cluster Scheduling\n\n- A Study of Jobs (OSDI 2020) {links}\n"
    assert {one.text: one.place.severity for one in run(link_role, text, taxonomy)} == found


def test_another_name_follows_the_list(taxonomy: Taxonomy) -> None:
    most = (
        "## Cluster Scheduling\n\n"
        + "- A Study of Jobs (OSDI 2020) [[paper](https://arxiv.org/abs/2001.00001)]\n" * 18
    )
    odd = "- A Study of Jobs (OSDI 2020) [[pdf](https://arxiv.org/abs/2001.00001)]\n"
    telling = "- A Study of Jobs (OSDI 2020) [[arXiv](https://arxiv.org/abs/2001.00001)]\n"
    second = "- A Study of Jobs (OSDI 2020) [[paper](https://example.org/a)] [[PDF](https://example.org/b)]\n"
    assert [one.fixed for one in run(link_role, most + odd, taxonomy)] == [most + odd.replace("pdf", "paper")]
    assert run(link_role, most + telling + second, taxonomy) == []


TREE = """
title: Clusters
concepts:
  a: {prefLabel: Aa}
  b: {prefLabel: Bb}
  c: {prefLabel: Cc, broader: a}
"""


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("end", ["", "\n", "\n\n"])
def test_a_section_moves_whole_wherever_the_text_ends(newline: str, end: str, tmp_path: Path) -> None:
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
def test_sections_of_a_large_taxonomy_are_ordered_in_one_go(tmp_path: Path) -> None:
    concepts = "".join(f"  c{number}: {{prefLabel: Subject {number}x}}\n" for number in range(5000))
    taxonomy = written(tmp_path, f"title: Large\nconcepts:\n{concepts}")
    numbers = [*range(1, 5000), 0]
    text = "# S\n\n" + "".join(f"## Subject {number}x\n\n{ENTRY}\n" for number in numbers)
    (found,) = run(section_order, text, taxonomy)
    assert (found.text, found.place.values["where"], found.place.values["other"]) == (
        "Subject 0x",
        "before",
        "Subject 1x",
    )
    assert run(unused, text, taxonomy) == []
    assert run(section_parent, text, taxonomy) == []
