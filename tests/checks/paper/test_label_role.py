"""`paper/label-role`."""

from __future__ import annotations

import pytest

from shelfread.checks.paper.label_role import label_role
from support.lists import texts
from support.project import run

LINE = "- A Study of Jobs in Clusters [[Paper](https://example.org/study.pdf)] [[{}]({})]\n"


@pytest.mark.parametrize(
    "url",
    """https://proceedings.mlr.press/v151/doe22a/doe22a-supp.zip
    https://proceedings.neurips.cc/paper_files/paper/2021/file/0123456789abcdef0123456789abcdef-Supplemental.zip
    https://openaccess.thecvf.com/content/CVPR2021/supplemental/Doe_A_Study_CVPR_2021_supplemental.pdf
    https://aclanthology.org/attachments/2020.acl-main.5.Software.tar.gz
    https://aclanthology.org/2020.acl-main.5.bib
    https://proceedings.mlr.press/v151/doe22a/slides.pdf
    https://github.com/doe/study""".split(),
)
def test_files_beside_a_paper_are_no_papers(url: str) -> None:
    assert run(label_role, LINE.format("Code", url)) == []


@pytest.mark.parametrize(
    "url",
    """https://proceedings.mlr.press/v151/doe22a/doe22a.pdf
    https://proceedings.neurips.cc/paper_files/paper/2021/file/0123456789abcdef0123456789abcdef-Paper.pdf
    https://openaccess.thecvf.com/content/CVPR2021/papers/Doe_Supplying_Codes_CVPR_2021_paper.pdf
    https://aclanthology.org/2020.acl-main.5.pdf
    https://arxiv.org/abs/2001.00001""".split(),
)
def test_a_paper_is_no_code(url: str) -> None:
    assert texts(run(label_role, LINE.format("Code", url))) == ["Code"]


@pytest.mark.parametrize("label", ["Papers", "Paper list", "Code"])
def test_a_repository_may_be_a_list_of_papers(label: str) -> None:
    assert run(label_role, LINE.format(label, "https://github.com/doe/study")) == []
    assert len(run(label_role, LINE.format("Paper", "https://github.com/doe/study"))) == 1


def test_a_link_without_text_or_with_a_broken_url_is_reported_by_other_rules() -> None:
    assert (
        run(label_role, "- A Study of Jobs in Clusters\n  - Code: [](https://arxiv.org/abs/2001.00001)\n")
        == []
    )
    assert (
        run(label_role, LINE.format("Code", "[https://arxiv.org/abs/2001.00001](https://github.com/a/b)"))
        == []
    )
