"""What makes two entries one thing, and what the places of one thing are to agree on."""

from __future__ import annotations

import pickle

import pytest

from shelfread.checks.paper.same_paper import same_paper_differs, two_titles
from shelfread.checks.paper.superseded import superseded
from shelfread.core.diagnostics import Severity
from shelfread.core.source import Source
from shelfread.document.identity.identifiers import identify
from shelfread.document.identity.keys import fold_title, fold_url
from shelfread.document.read import read
from shelfread.index.duplicates.near_titles import is_near, is_typo, near_titles
from shelfread.index.facts import facts
from support.project import read_project, run

TITLE = "Scheduling the Jobs of Many Tenants on Few Machines"
LINE = "- {} ({}) [[Paper]({})]\n"
ARXIV = "https://arxiv.org/abs/2001.00001"
USENIX = "https://www.usenix.org/conference/osdi20/presentation/doe"


def paper(cited: str, url: str = ARXIV, title: str = TITLE) -> str:
    return LINE.format(title, cited, url)


# ----------------------------------------------------------------------------------------- identifiers
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
    ],
)
def test_an_identifier_has_many_addresses(url: str, kind: str, value: str) -> None:
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
def test_what_is_no_paper_has_none(url: str) -> None:
    assert identify(url) == {}


@pytest.mark.parametrize(
    ("one", "other", "same"),
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
def test_addresses_fold(one: str, other: str, same: bool) -> None:
    assert (fold_url(one) == fold_url(other)) is same


# ---------------------------------------------------------------------------------------- near titles
@pytest.mark.parametrize(
    ("one", "other", "near"),
    [
        ("Computing on the Machines of Many Tenants", "Compute on the Machines of Many Tenants", True),
        ("A Study of Batching Requests to Models", "Study of Batching Requests to the Models", True),
        ("Paying Attention to Many Pages of Memory", "Paying Atention to Many Pages of Memory", True),
        ("Training the GPT-3 of Small Companies", "Training the GPT-4 of Small Companies", False),
        ("Serving of an LM on Few Machines Fast", "Serving of an LLM on Few Machines Fast", False),
        ("Learning Supervised Models of Many Jobs", "Learning Unsupervised Models of Many Jobs", False),
        ("Online Learning for Models of Many Jobs", "Offline Learning for Models of Many Jobs", False),
        ("A Course on Scheduling Jobs Well, Part I", "A Course on Scheduling Jobs Well, Part II", False),
        ("Learning of Graphs for Many Small Jobs", "Learning of Temporal Graphs for Many Small Jobs", False),
        ("Models of Jobs", "Model of Jobs", False),
    ],
)
def test_nearly_the_same_title_has_all_that_tells_things_apart(one: str, other: str, near: bool) -> None:
    assert is_near(fold_title(one), fold_title(other)) is near
    assert is_near(fold_title(other), fold_title(one)) is near


def test_an_ending_is_no_typo() -> None:
    assert is_typo("attention to pages", "atention to pages")
    assert not is_typo("benchmark of pages", "benchmarks of pages")
    assert not is_typo("attention to pages", "atention to many pages")


def test_what_a_name_before_the_colon_hides_is_found() -> None:
    core = "serving models to many at once"
    assert near_titles({f"orca {core}": "orca", core: ""}) == {
        core: f"orca {core}",
        f"orca {core}": f"orca {core}",
    }
    assert near_titles({f"iss {core}": "iss", f"iss plus plus {core}": "iss plus plus"}) == {}


def test_many_near_titles_are_given_up() -> None:
    titles = {fold_title(f"Paper {n:04} on the Scheduling of Jobs in Clusters"): "" for n in range(10_000)}
    assert near_titles(titles) == {}


def test_a_title_may_be_of_any_length() -> None:
    assert near_titles({f"{'word ' * 100_000}{n}": "" for n in range(10)}) == {}


# -------------------------------------------------------------------------- one paper, different facts
def differing(one: str, other: str) -> list[tuple[object, str]]:
    found = run(same_paper_differs, {"a.md": one, "b.md": other})
    assert {each.path for each in found} <= {"b.md"}
    assert {each.place.values["where"] for each in found} <= {"a.md:1"}
    return [(each.place.values["field"], each.place.severity.label) for each in found]


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        (paper("OSDI 2020"), paper("OSDI'20"), []),
        (paper("OSDI 2020"), paper("OSDI 2021"), [("year", "warning")]),
        (paper("OSDI 2020"), paper("SOSP 2021"), [("venue", "warning")]),
        (paper("OSDI 2020"), paper("SOSP 2021", USENIX), [("venue", "warning")]),
        (paper("OSDI 2020"), paper("TPDS 2021"), [("venue", "info")]),
        (paper("OSDI 2020"), paper("arXiv 2020"), []),
        (paper("arXiv 2020"), paper("arXiv 2021"), [("year", "info")]),
        (paper("NeurIPS 2020"), paper("NeurIPS 2020 Workshop"), []),
        (paper("OSDI 2020"), paper("applies the OSDI 2019 paper"), []),
        (paper("PVLDB 2020"), paper("VLDB 2021"), []),
        (
            paper("OSDI 2020"),
            paper("OSDI 2020", title=TITLE.replace("Tenants", "Tennants")),
            [("title", "warning")],
        ),
        (
            paper("OSDI 2020"),
            paper("OSDI 2020", title=TITLE.replace("Machines", "Machine")),
            [("title", "info")],
        ),
        (paper("OSDI 2020"), paper("OSDI 2020", title=f"Foo: {TITLE}"), []),
        (paper("OSDI 2020"), paper("OSDI 2020", title="Foo"), []),
        (paper("OSDI 2020"), paper("OSDI 2020", ARXIV.replace("00001", "00002")), [("link", "info")]),
        (paper("OSDI 2020"), paper("OSDI 2020", USENIX), []),
        (paper("OSDI 2020"), paper("SOSP 2021", ARXIV, "Quite Another Thing beyond Measure"), []),
        (f"- {TITLE} (OSDI 2020)\n", f"- {TITLE} (OSDI 2018)\n", [("year", "warning")]),
        (
            f"- [{TITLE}](https://example.org/2018) (OSDI 2018)\n",
            f"- [{TITLE}](https://example.org/2020) (OSDI 2020)\n",
            [],
        ),
    ],
)
def test_one_paper_has_one_venue_and_year(one: str, other: str, found: list[tuple[object, str]]) -> None:
    assert differing(one, other) == found


def test_each_place_is_held_against_what_was_said_before() -> None:
    text = "".join(paper(f"OSDI {1990 + n % 20}") for n in range(3000))
    found = run(same_paper_differs, text)
    assert len(found) == 2999 - 149  # those that agree with the first
    assert {one.place.values["where"] for one in found} == {"list.md:1"}


def test_a_heading_s_venue_is_for_information() -> None:
    found = run(
        same_paper_differs, f"# OSDI 2020\n\n- [{TITLE}]({ARXIV})\n\n# SOSP 2021\n\n- [{TITLE}]({ARXIV})\n"
    )
    assert [(one.text, one.place.severity.label) for one in found] == [(TITLE, "info")]


# ----------------------------------------------------------------------------------------- superseded
@pytest.mark.parametrize(
    ("printed", "known", "fixed"),
    [
        ("arXiv 2020", "OSDI 2020", "OSDI 2020"),
        ("arXiv'19", "OSDI 2020", "OSDI'20"),
        ("arXiv, 2019", "USENIX ATC '20", "USENIX ATC, 2020"),
        ("arXiv 2001.00001", "OSDI'20", "OSDI 2020"),
        ("arXiv", "OSDI'20", "OSDI 2020"),
        ("arXiv", "OSDI", "OSDI"),
        ("arXiv 26 Nov 2020", "OSDI 2020", "arXiv 26 Nov 2020"),
    ],
)
def test_a_preprint_takes_the_venue_in_its_own_form(printed: str, known: str, fixed: str) -> None:
    (found,) = run(superseded, {"a.md": paper(printed), "b.md": paper(known, USENIX)})
    assert (found.path, found.place.severity, found.fixed) == ("a.md", Severity.ERROR, paper(fixed))


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        (paper("arXiv 2020"), paper("NeurIPS 2020 Workshop"), ["info"]),
        (paper("arXiv 2020"), paper("OSDI 2020", USENIX, f"Foo: {TITLE}"), ["info"]),
        (paper("arXiv 2020"), paper("OSDI 2020", ARXIV, "Quite Another Thing beyond Measure"), []),
        (paper("arXiv 2020, to appear at OSDI"), paper("OSDI 2020"), []),
        (paper("arXiv 2020"), paper("arXiv 2020"), []),
        (paper("arXiv 2020"), paper("OSDI 2016"), ["info"]),
        (f"- {TITLE} [[Paper]({ARXIV})]\n", paper("OSDI 2020"), ["info"]),
        (f"- {TITLE} [[Paper]({USENIX})]\n", paper("OSDI 2020"), []),
        (paper("arXiv 2020", title="Tetris"), paper("OSDI 2020", USENIX, "Tetris"), []),
    ],
)
def test_a_preprint_is_superseded_by_what_is_surely_the_paper(one: str, other: str, found: list[str]) -> None:
    assert [each.place.severity.label for each in run(superseded, {"a.md": one, "b.md": other})] == found


def test_a_label_s_venue_is_not_replaced() -> None:
    text = f"- {TITLE} [[arXiv 2020]({ARXIV})]\n- {TITLE} [[OSDI 2020]({USENIX})]\n"
    assert [(one.line, one.place.edits) for one in run(superseded, text)] == [(1, ())]


def test_a_mended_venue_is_not_held_against_what_stood_there() -> None:
    first, second = paper("OSDI 2018"), paper("OSDI 2020")
    _, whole = read_project(first + second)
    document = read(Source(second + second, "list.md"), whole.vocabulary)
    assert list(same_paper_differs(document, whole.amended(facts(document)))) == []


# ----------------------------------------------------------------------------------------- two titles
@pytest.mark.parametrize(
    ("other", "count"),
    [
        (paper("arXiv 2020", title="Quite Another Thing beyond Measure"), 1),
        (paper("arXiv 2020", title="Jobs of Few Tenants on Many Machines"), 0),
        (paper("arXiv 2020", title="Tetris"), 0),
        (f"- [Data Sets beyond Any Measure](https://github.com/a/b) [[paper]({ARXIV})]\n", 0),
    ],
)
def test_a_link_under_two_titles_with_nothing_in_common(other: str, count: int) -> None:
    assert len(run(two_titles, paper("arXiv 2020") + other)) == count


def test_what_is_stated_goes_to_other_processes() -> None:
    _, whole = read_project(paper("OSDI 2020") + paper("arXiv 2020"))
    known = whole.project.facts["list.md"]
    assert pickle.loads(pickle.dumps(known)) == known
