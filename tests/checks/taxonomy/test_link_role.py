"""`taxonomy/link-role`."""

from __future__ import annotations

import pytest

from shelfread.checks.taxonomy.link_role import link_role
from shelfread.core.diagnostics import Severity
from shelfread.taxonomy.taxonomy import Taxonomy
from support.project import run
from support.taxonomies import ENTRY


def test_nothing_is_reported_without_a_taxonomy() -> None:
    assert run(link_role, f"## Gardening\n\n{ENTRY}") == []


@pytest.mark.parametrize(
    ("labels", "found"),
    [
        (["Paper", "Code"], {}),
        (["Paper", "Slides"], {"Slides": Severity.ERROR}),
        (["Papre"], {"Papre": Severity.ERROR}),
        (["Our own page"], {"Our own page": Severity.INFO}),
        (["OSDI 2020", "Part 2"], {}),
        (["pdf"], {}),
        (["https://example.org/rye", "www.example.org"], {}),
    ],
)
def test_labels_are_names_of_roles(labels: list[str], found: dict[str, Severity], taxonomy: Taxonomy) -> None:
    links = " ".join(f"[[{label}](https://example.org/{n})]" for n, label in enumerate(labels))
    text = f"## Cluster Scheduling\n\n- A Study of Jobs (OSDI 2020) {links}\n"
    assert {
        diagnostic.text: diagnostic.place.severity for diagnostic in run(link_role, text, taxonomy)
    } == found


def test_a_bare_address_has_no_label(taxonomy: Taxonomy) -> None:
    text = "## Cluster Scheduling\n\n- A Study of Jobs: Who Waits https://example.org/jobs (OSDI 2020)\n"
    assert run(link_role, text, taxonomy) == []


def test_another_name_is_reported_if_the_list_has_a_usual_one(taxonomy: Taxonomy) -> None:
    most = (
        "## Cluster Scheduling\n\n"
        + "- A Study of Jobs (OSDI 2020) [[paper](https://arxiv.org/abs/2001.00001)]\n" * 18
    )
    odd = "- A Study of Jobs (OSDI 2020) [[pdf](https://arxiv.org/abs/2001.00001)]\n"
    specific = "- A Study of Jobs (OSDI 2020) [[arXiv](https://arxiv.org/abs/2001.00001)]\n"
    second = "- A Study of Jobs (OSDI 2020) [[paper](https://example.org/a)] [[PDF](https://example.org/b)]\n"
    assert [diagnostic.fixed for diagnostic in run(link_role, most + odd, taxonomy)] == [
        most + odd.replace("pdf", "paper")
    ]
    numbered = second.replace("[paper]", "[paper1]").replace("[PDF]", "[paper2]")
    assert run(link_role, most + specific + second + numbered, taxonomy) == []


@pytest.mark.parametrize("label", ["Code+data", "Unofficial-code", "Code (PyTorch)"])
def test_a_label_that_says_more_is_kept(taxonomy: Taxonomy, label: str) -> None:
    row = "- A Study of Jobs (OSDI 2020) [[Code](https://github.com/a/b)]\n"
    text = "## Cluster Scheduling\n\n" + row * 18 + row.replace("Code", label)
    assert run(link_role, text, taxonomy) == []
