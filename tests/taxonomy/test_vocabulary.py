"""Lookup of venues and link roles, and the evidence of URLs."""

from __future__ import annotations

import pytest

from shelfread.taxonomy.load import vocabulary

V = vocabulary()


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("OSDI", "osdi"),
        ("osdi", "osdi"),
        ("Usenix ATC", "atc"),
        ("NIPS", "neurips"),
        ("Advances in Neural Information Processing Systems", "neurips"),
        ("S&P", "sp"),
        ("ML Sys", "mlsys"),
        ("ASP-DAC", "aspdac"),
        ("IISWC", "iiswc"),
        ("arxiv preprint", "arxiv"),
        ("OSDI 2020", None),
        ("CVRP", None),
        ("", None),
    ],
)
def test_venue(text: str, id: str | None) -> None:
    venue = V.venue(text)
    assert (venue.id if venue else None) == id


@pytest.mark.parametrize(
    ("id", "year", "held"),
    [
        ("osdi", 2019, False),
        ("osdi", 2020, True),
        ("osdi", 2023, True),
        ("osdi", 1995, False),
        ("sosp", 2018, False),
        ("sosp", 2024, True),
        ("iclr", 2012, False),
        ("iccv", 2020, False),
        ("naacl", 2017, False),
        ("naacl", 2027, None),  # beyond what is known
        ("icml", 1986, None),
        ("hotcloud", 2022, False),
        ("popl", 1990, None),  # medium confidence
        ("osr", 2000, None),  # no rule
    ],
)
def test_held_in(id: str, year: int, held: bool | None) -> None:
    assert V.venues[id].held_in(year) is held


@pytest.mark.parametrize(
    ("id", "year", "label"),
    [
        ("neurips", 2017, "NIPS"),
        ("neurips", 2018, "NeurIPS"),
        ("mlsys", 2019, "SysML"),
        ("mlsys", 2020, "MLSys"),
        ("eurosys", 2019, "EuroSys"),
    ],
)
def test_label_in(id: str, year: int, label: str) -> None:
    assert V.venues[id].label_in(year) == label


@pytest.mark.parametrize(
    ("label", "url", "id"),
    [
        ("Paper", "https://github.com/a/b", "paper"),
        ("`PDF`", "", "paper"),
        ("📄 arXiv", "", "paper"),
        ("Official Code", "", "code"),
        ("PyTorch", "", "code"),
        ("Personal Notes", "https://github.com/a/b/c.md", "notes"),
        ("Reading Note", "", "notes"),
        ("Project Page", "", "project"),
        ("zhihu", "", "blog"),
        ("BibTeX", "", "citation"),
        ("", "https://www.usenix.org/conference/osdi20/presentation/x", "paper"),
        ("BytePS", "https://github.com/bytedance/byteps", "code"),
        ("", "https://foo.github.io/bar", "project"),
        ("", "https://huggingface.co/spaces/a/b", "demo"),
        ("", "https://huggingface.co/datasets/a/b", "dataset"),
        ("", "https://huggingface.co/a/b", "model"),
        ("", "https://m.youtube.com/watch?v=1", "video"),
        ("", "https://notgithub.com/a", None),
        ("x", "", None),
        ("", "/local/file.md", None),
    ],
)
def test_role(label: str, url: str, id: str | None) -> None:
    role = V.role(label, url)
    assert (role.id if role else None) == id


def test_roles_are_in_their_usual_order() -> None:
    roles = list(V.roles)
    assert roles.index("paper") < roles.index("code") < roles.index("slides") < roles.index("video")


@pytest.mark.parametrize(
    ("url", "venue", "year"),
    [
        ("https://doi.org/10.1145/3302424.3303953", "eurosys", 2019),
        ("http://dx.doi.org/10.1145/3342195.3387555", "eurosys", 2020),
        ("https://dl.acm.org/doi/abs/10.1145/3582016.3582018", "asplos", 2023),
        ("https://dl.acm.org/citation.cfm?id=2741948.2741964", "eurosys", 2015),
        ("10.1145/3477132.3483553", "sosp", 2021),
        ("https://dl.acm.org/doi/10.5555/3433701.3433796", None, None),
        ("https://doi.org/10.1145/3428284", None, None),
        ("https://www.usenix.org/conference/osdi20/presentation/jiang", "osdi", 2020),
        ("https://www.usenix.org/system/files/nsdi19-gu.pdf", "nsdi", 2019),
        ("https://www.usenix.org/system/files/conference/atc16/atc16_paper-cui.pdf", "atc", 2016),
        ("https://www.usenix.org/system/files/sec21fall-carlini-extracting.pdf", "usenixsecurity", 2021),
        ("https://www.usenix.org/legacy/events/osdi99/x.pdf", "osdi", 1999),
        ("https://www.usenix.org/publications/login/fall20", None, None),
        ("http://proceedings.mlr.press/v139/liu23am.html", "icml", 2021),
        ("https://proceedings.mlr.press/v9999/a20.html", None, None),
        ("http://www.jmlr.org/proceedings/papers/v28/sutskever13.html", "icml", 2013),
        ("https://www.jmlr.org/papers/v15/srivastava14a.html", "jmlr", None),
        ("https://doi.org/10.1109/ISCA45697.2020.00010", "isca", 2020),
        ("https://doi.org/10.1109/TPDS.2021.3094364", "tpds", None),
        ("https://doi.org/10.1109/CVPRW.2020.00001", None, None),
        ("https://doi.org/10.23919/DATE48585.2020.9116442", "date", 2020),
        ("https://proceedings.neurips.cc/paper_files/paper/2022/hash/x-Abstract.html", "neurips", 2022),
        ("https://papers.nips.cc/paper/4824-imagenet-classification", "neurips", None),
        ("https://proceedings.mlsys.org/paper/2020/hash/x-Abstract.html", "mlsys", 2020),
        ("https://openaccess.thecvf.com/content/CVPR2021/html/X_CVPR_2021_paper.html", "cvpr", 2021),
        ("https://openaccess.thecvf.com/content_ICCV_2019/papers/X.pdf", "iccv", 2019),
        ("https://openaccess.thecvf.com/content_ECCV_2018/papers/X.pdf", "eccv", 2018),
        (
            "https://www.cv-foundation.org/openaccess/content_cvpr_2016/html/X_CVPR_2016_paper.html",
            "cvpr",
            2016,
        ),
        ("https://openaccess.thecvf.com/content/CVPR2021W/AI/html/X.html", None, None),
        ("https://openaccess.thecvf.com/content_cvpr_2017_workshops/w1/html/X.html", None, None),
        ("https://aclanthology.org/2020.acl-main.1/", "acl", 2020),
        ("https://aclanthology.org/2020.findings-emnlp.139.pdf", "emnlp", 2020),
        ("https://www.aclweb.org/anthology/P19-1001/", "acl", 2019),
        ("https://doi.org/10.18653/v1/D19-1410", "emnlp", 2019),
        ("https://aclanthology.org/D19-5601", None, None),  # a workshop's volume
        ("https://aclanthology.org/W18-5446", None, None),
        ("https://aclanthology.org/Q17-1010/", "tacl", None),
        ("https://www.ijcai.org/proceedings/2020/0123.pdf", "ijcai", 2020),
        ("https://doi.org/10.24963/ijcai.2019/123", "ijcai", 2019),
        ("https://ojs.aaai.org/index.php/AAAI/article/view/5784", "aaai", None),
        ("https://doi.org/10.1609/aaai.v34i04.5784", "aaai", None),
        ("https://doi.org/10.14722/ndss.2018.23198", "ndss", 2018),
        ("https://www.ndss-symposium.org/ndss-paper/x/", "ndss", None),
        ("https://www.vldb.org/pvldb/vol13/p3005-li.pdf", "pvldb", None),
        ("https://doi.org/10.14778/3415478.3415530", "pvldb", None),
        ("https://arxiv.org/abs/1404.5997", None, None),
        ("https://doi.org/10.48550/arXiv.2309.08125", None, None),
        ("https://example.com/", None, None),
        ("", None, None),
    ],
)
def test_evidence(url: str, venue: str | None, year: int | None) -> None:
    proven = V.evidence(url)
    assert (proven and (proven.venue and proven.venue.id, proven.year)) == ((venue, year) if venue else None)


def test_conference_and_its_journal_are_equivalent() -> None:
    assert V.are_equivalent(V.venues["vldb"], V.venues["pvldb"])
    assert V.are_equivalent(V.venues["pacmpl"], V.venues["oopsla"])
    assert not V.are_equivalent(V.venues["oopsla"], V.venues["popl"])


@pytest.mark.parametrize(
    ("url", "role"),
    [
        ("https://github.com/stone/shelf", "code"),
        ("https://github.com/stone/shelf/tree/main/projects", "code"),
        ("https://github.com/stone/shelf/blob/main/sort.py", "code"),
        ("https://github.com/stone/shelf/wiki/Home", "docs"),
        ("https://github.com/stone/shelf/issues/7", None),
        ("https://github.com/stone/shelf/pull/7", None),
        ("https://github.com/stone/shelf/discussions", None),
        ("https://github.com/stone/shelf/blob/main/docs/README.md?raw=true", None),
        ("https://github.com/stone/shelf/blob/main/paper.pdf", None),
        ("https://github.com/search?q=shelf", None),
        ("https://github.com/stone", None),
        ("https://github.com/orgs/stone/repositories", None),
        ("https://gist.github.com/stone/0123456789abcdef", None),
        ("https://docs.github.com/en/actions", "docs"),
        ("https://gitlab.com/stone/group/shelf", "code"),
        ("https://gitlab.com/stone/group/shelf/-/issues/7", None),
        ("https://about.gitlab.com/blog/shelf", None),
        ("https://huggingface.co/stone/shelf-7b", "model"),
        ("https://huggingface.co/stone", None),
        ("https://huggingface.co/datasets/stone/shelf", "dataset"),
        ("https://huggingface.co/spaces/stone/shelf", "demo"),
        ("https://huggingface.co/papers/2101.00001", "paper"),
        ("https://huggingface.co/docs/shelf/index", "docs"),
        ("https://www.kaggle.com/code/stone/shelf", "code"),
        ("https://www.kaggle.com/stone/shelf", "dataset"),
        ("https://www.kaggle.com/c/shelves", None),
        ("https://www.youtube.com/watch?v=abcdefghijk", "video"),
        ("https://www.youtube.com/@stone", None),
        ("https://www.youtube.com/channel/UC0123", None),
        ("https://arxiv.org/abs/2101.00001", "paper"),
        ("https://arxiv.org/list/cs.DB/recent", None),
        ("https://sourceforge.net/projects/shelf", "code"),
        ("https://shelf.sourceforge.net", "project"),
        ("https://medium.com/stone/shelf", "blog"),
        ("https://stone.github.io/shelf", "project"),
        ("https://stone.github.io/shelf/paper.pdf", None),
    ],
)
def test_role_of_a_host_and_path(url: str, role: str | None) -> None:
    found = V.role("", url)
    assert (found.id if found else None) == role
