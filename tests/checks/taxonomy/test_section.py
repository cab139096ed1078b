"""`taxonomy/section` and `taxonomy/section-alias`."""

from __future__ import annotations

import pytest

from shelfread.checks.taxonomy.sections import section, section_alias
from shelfread.core.diagnostics import Severity
from shelfread.taxonomy.load import load
from shelfread.taxonomy.taxonomy import Taxonomy
from support.project import run
from support.taxonomies import ENTRY


def test_nothing_is_reported_without_a_taxonomy() -> None:
    assert run(section, f"## Gardening\n\n{ENTRY}") == []
    assert run(section_alias, f"## Gardening\n\n{ENTRY}") == []


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
        ("# Systems\n\n## Inference and Cluster Schedulers", []),
        ("# Systems\n\n## Survey of Inference (12)", []),
        ("# Systems\n\n## Heterogeneous Cluster Scheduling", ["Heterogeneous Cluster Scheduling"]),
    ],
)
def test_headings_of_subjects_are_concepts(headings: str, found: list[str], taxonomy: Taxonomy) -> None:
    assert [diagnostic.text for diagnostic in run(section, f"{headings}\n\n{ENTRY}", taxonomy)] == found


def test_a_heading_is_renamed_with_the_links_to_it(taxonomy: Taxonomy) -> None:
    text = "# S\n\n- [x](#2-cluster-schedling-)\n\n## 2. Cluster Schedling 🚀\n\n"
    (found,) = run(section, text + ENTRY, taxonomy)
    assert found.fixed == "# S\n\n- [x](#2-cluster-scheduling-)\n\n## 2. Cluster Scheduling 🚀\n\n" + ENTRY


def test_a_heading_that_another_file_links_to_is_not_renamed(taxonomy: Taxonomy) -> None:
    texts = {"my jobs.md": f"## Allocation\n\n{ENTRY}", "index.md": "[a](my%20jobs.md#allocation)\n"}
    (found,) = run(section_alias, texts, taxonomy)
    assert found.text == "Allocation" and not found.place.edits


def test_a_distant_suggestion_has_no_fix(taxonomy: Taxonomy) -> None:
    (found,) = run(section, f"## Inferrance\n\n{ENTRY}", taxonomy)
    assert (found.place.message, found.place.values["suggestion"]) == ("similar", "Inference")
    assert not found.place.edits


def test_an_alias_is_info_and_a_hidden_label_a_warning(taxonomy: Taxonomy) -> None:
    found = run(section_alias, f"## Serving\n\n{ENTRY}\n## Allocation\n\n{ENTRY}", taxonomy)
    assert [(diagnostic.text, diagnostic.place.severity) for diagnostic in found] == [
        ("Serving", Severity.INFO),
        ("Allocation", Severity.WARNING),
    ]
    assert "## Cluster Scheduling" in found[1].fixed


def test_two_names_of_a_concept_in_a_file_have_no_fix(taxonomy: Taxonomy) -> None:
    found = run(section_alias, f"## Allocation\n\n{ENTRY}\n## Resource Scheduling\n\n{ENTRY}", taxonomy)
    assert [diagnostic.place.edits for diagnostic in found] == [(), ()]


def test_only_a_whole_heading_is_another_name(taxonomy: Taxonomy) -> None:
    def aliases(heading: str) -> list[str]:
        return [each.text for each in run(section_alias, f"# Systems\n\n## {heading}\n\n{ENTRY}", taxonomy)]

    assert aliases("Serving") == ["Serving"]
    assert aliases("Serving (12)") == ["Serving (12)"]
    assert aliases("Papers on Serving") == aliases("Serving and Scheduling") == []


def test_forms_may_have_any_of_their_names() -> None:
    taxonomy = load("ml-systems")
    for heading in ("Others", "Survey Papers", "Weight-Only Quantization"):
        assert run(section_alias, f"# Systems\n\n## {heading}\n\n{ENTRY}", taxonomy) == []
