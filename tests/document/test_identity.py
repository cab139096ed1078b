"""Identifiers of papers, and URLs that lead to the same page."""

from __future__ import annotations

import pytest

from shelfread.document.identity import fold_url, identify


@pytest.mark.parametrize(
    ("url", "kind", "value"),
    [
        ("https://arxiv.org/pdf/2001.00001v2.pdf#page=3", "arxiv", "2001.00001"),
        ("https://arxiv.org/html/2001.00001v1", "arxiv", "2001.00001"),
        ("https://arxiv.org/abs/cs.LG/0112017v1", "arxiv", "cs.LG/0112017"),
        ("http://xxx.lanl.gov/abs/hep-th/9901001", "arxiv", "hep-th/9901001"),
        ("http://cn.arxiv.org/abs/2001.00001", "arxiv", "2001.00001"),
        ("https://browse.arxiv.org/pdf/2001.00001", "arxiv", "2001.00001"),
        ("https://ar5iv.labs.arxiv.org/html/2001.00001", "arxiv", "2001.00001"),
        ("https://www.alphaxiv.org/overview/2001.00001v1", "arxiv", "2001.00001"),
        ("https://huggingface.co/papers/2001.00001", "arxiv", "2001.00001"),
        ("https://doi.org/10.48550/arXiv.2001.00001", "arxiv", "2001.00001"),
        ("https://openreview.net/pdf?id=abc-1", "openreview", "abc-1"),
        ("https://openreview.net/forum?noteId=x&id=abc-1", "openreview", "abc-1"),
        ("https://www.aclweb.org/anthology/P19-1001.pdf", "acl", "P19-1001"),
        ("https://aclweb.org/anthology/papers/P/P19/P19-1001/", "acl", "P19-1001"),
        ("https://aclanthology.org/2020.acl-main.1.pdf", "acl", "2020.acl-main.1"),
        ("https://www.usenix.org/system/files/osdi20-doe.pdf", "usenix", "osdi20/doe"),
        ("https://www.usenix.org/system/files/conference/osdi16/osdi16-doe.pdf", "usenix", "osdi16/doe"),
        ("http://jmlr.org/proceedings/papers/v37/doe15.html", "pmlr", "v37/doe15"),
        ("http://proceedings.mlr.press/v119/doe20a/doe20a.pdf", "pmlr", "v119/doe20a"),
        (
            "https://shelfbiology.biomedcentral.com/articles/10.1186/s13059-024-1",
            "doi",
            "10.1186/s13059-024-1",
        ),
        (
            "https://academic.oup.com/bib/article/doi/10.1093/bib/bbae001/7600001",
            "doi",
            "10.1093/bib/bbae001",
        ),
        (
            "https://www.biorxiv.org/content/10.1101/2020.06.19.150001v2.abstract",
            "doi",
            "10.1101/2020.06.19.150001",
        ),
        ("https://dx.plos.org/10.1371/journal.pcbi.1010001", "doi", "10.1371/journal.pcbi.1010001"),
    ],
)
def test_an_identifier_has_many_urls(url: str, kind: str, value: str) -> None:
    assert identify(url) == {kind: value}


@pytest.mark.parametrize(
    "url",
    [
        "https://openreview.net/group?id=ICLR.cc/2023/Workshop",
        "https://openreview.net/references/pdf?id=abc",
        "https://www.usenix.org/system/files/osdi20_slides_doe.pdf",
        "https://jmlr.org/papers/v21/20-074.html",
        "https://arxiv.org/a/doe_j_1",
    ],
)
def test_other_pages_have_no_identifier(url: str) -> None:
    assert identify(url) == {}


@pytest.mark.parametrize(
    ("url", "other", "same"),
    [
        ("https://github.com/A/b", "http://www.github.com/a/b.git", True),
        ("https://github.com/a/b", "https://github.com/a/b/tree/master/", True),
        ("https://github.com/a/b", "https://github.com/a/b/tree/main/c", False),
        ("https://x.org/A", "https://x.org/a", False),
        ("https://x.org/index.html", "http://x.org/#top", True),
        (
            "https://ieeexplore.ieee.org/abstract/document/123/",
            "http://ieeexplore.ieee.org/stamp/stamp.jsp?tp=&arnumber=123",
            True,
        ),
        ("https://ieeexplore.ieee.org/document/123", "https://ieeexplore.ieee.org/document/124", False),
        (
            "http://openaccess.thecvf.com/content_CVPR_2019/papers/Doe_A_CVPR_2019_paper.pdf",
            "https://openaccess.thecvf.com/content_CVPR_2019/html/Doe_A_CVPR_2019_paper.html",
            True,
        ),
    ],
)
def test_urls_of_the_same_page_are_folded(url: str, other: str, same: bool) -> None:
    assert (fold_url(url) == fold_url(other)) is same
