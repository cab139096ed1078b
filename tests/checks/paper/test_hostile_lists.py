"""Hostile lists take no longer than others."""

from __future__ import annotations

from shelfread.checks.paper.arxiv import arxiv_form
from shelfread.checks.paper.canonical import canonical_link
from shelfread.checks.paper.incomplete import incomplete
from shelfread.checks.paper.label_role import label_role
from shelfread.checks.paper.title_text import authors_form, title_end, title_residue
from shelfread.checks.paper.venue_form import venue_form, year_agrees
from shelfread.checks.paper.venue_name import venue_unknown
from support.lists import credited_papers, linked_paper
from support.project import LIST, read_project


def test_hostile_lists_take_no_longer_than_others() -> None:
    checks = (
        arxiv_form,
        year_agrees,
        canonical_link,
        venue_form,
        venue_unknown,
        title_end,
        authors_form,
        incomplete,
        label_role,
        title_residue,
    )
    for hostile in (
        linked_paper("https://arxiv.org/abs/" + "1" * 20_000),
        linked_paper("https://arxiv.org/pdf/1v" + "1v" * 20_000),
        linked_paper("https://www.aclweb.org/anthology/" + "a-" * 20_000),
        "- A Study " + "arxiv " * 10_000 + "[[Paper](https://example.org)]\n",
        "- **A Study" + "." * 20_000 + "** [[Paper](https://example.org)]\n",
        linked_paper("https://arxiv.org/abs/2001.00001" + "v1" * 20_000),
        "- A Study of Jobs [[Code](https://proceedings.mlr.press/v1/" + "supp-" * 20_000 + ")]\n",
        "- A Study of " + "$a {B" * 10_000 + " [[Paper](https://example.org)]\n",
        "- Study (" + "ICML," * 20_000 + "\n",
        credited_papers(", ".join(["Ann Lee"] * 5_000)),
    ):
        documents, context = read_project(hostile)
        for check in checks:
            assert len(list(check(documents[LIST], context))) <= 2
