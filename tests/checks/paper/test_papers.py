"""The checks of papers, in what their pages are too short to show."""

from __future__ import annotations

import pytest

from shelfread.checks.paper.arxiv import arxiv_form, year_agrees
from shelfread.checks.paper.authors import authors_form
from shelfread.checks.paper.canonical_link import canonical_link
from shelfread.checks.paper.incomplete import incomplete
from shelfread.checks.paper.title_end import title_end
from shelfread.checks.paper.venue_form import venue_form
from shelfread.checks.paper.venue_name import venue_unknown
from shelfread.checks.paper.year_section import year_section
from shelfread.core.diagnostics import Applicability, Severity
from support.project import Found, run

TODAY = "2024-06-15"


def link(url: str) -> str:
    return f"- A Study of Jobs in Clusters [[Paper]]({url})\n"


def texts(found: list[Found]) -> list[str]:
    return [one.text for one in found]


# ------------------------------------------------------------------------------------------ arXiv
@pytest.mark.parametrize(
    "id",
    ["0704.0001", "1412.9999v2", "1501.00001", "2406.00001", "2407.00001", "math/0309136", "cs.LG/0703001"],
)
def test_ids_that_can_be(id: str) -> None:
    for url in (
        f"https://arxiv.org/abs/{id}",
        f"http://www.arxiv.org/pdf/{id}.pdf",
        f"https://ar5iv.org/html/{id}",
    ):
        assert run(arxiv_form, link(url), today=TODAY) == []


@pytest.mark.parametrize(
    "id",
    "0703.0001 1400.0001 1412.00001 1501.0001 2408.00001 2305.00000 9912.12345 23051.2345 math/030913 maths/0309136 "
    "cs/0803001 hep-th/9013001".split(),
)
def test_ids_that_cannot_be(id: str) -> None:
    for url in (
        f"https://arxiv.org/abs/{id}v1",
        f"https://arxiv.org/pdf/{id}.pdf",
        f"https://doi.org/10.48550/arXiv.{id}",
    ):
        assert texts(run(arxiv_form, link(url), today=TODAY)) == [id]


def test_an_id_to_come_is_for_information() -> None:
    (found,) = run(arxiv_form, link("https://arxiv.org/abs/2406.xxxxx"), today=TODAY)
    assert found.place.severity is Severity.INFO


def test_the_year_turns_with_the_month() -> None:
    assert run(arxiv_form, link("https://arxiv.org/abs/2501.00001"), today="2024-12-31") == []
    assert len(run(arxiv_form, link("https://arxiv.org/abs/2502.00001"), today="2024-12-31")) == 1


@pytest.mark.parametrize(("stated", "severity"), [(2021, "warning"), (2023, "info"), (2022, None)])
def test_a_later_year_may_be_of_a_version(stated: int, severity: str | None) -> None:
    text = f"- A Study of Jobs (arXiv {stated}) [[Paper](https://arxiv.org/abs/2205.00001)]\n"
    assert [one.place.severity.label for one in run(year_agrees, text)] == ([severity] if severity else [])


# ------------------------------------------------------------------------------------------ links
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("http://arxiv.lanl.gov/abs/cs/0101001", "https://arxiv.org/abs/cs/0101001"),
        ("https://export.arxiv.org/pdf/2301.00001v2", "https://arxiv.org/pdf/2301.00001v2"),
        ("http://aclweb.org/anthology/p19-1001.pdf", "https://aclanthology.org/P19-1001.pdf"),
        ("https://aclanthology.info/papers/P18-1001/p18-1001", "https://aclanthology.org/P18-1001/"),
        (
            "http://jmlr.csail.mit.edu/proceedings/papers/v9/x10.pdf",
            "https://proceedings.mlr.press/v9/x10.pdf",
        ),
    ],
)
def test_old_hosts_are_left_safely(before: str, after: str) -> None:
    (found,) = run(canonical_link, link(before))
    assert found.place.applicability is Applicability.SAFE
    assert found.fixed == link(after)
    assert run(canonical_link, found.fixed) == []


@pytest.mark.parametrize(
    "url",
    [
        "https://arxiv.org/abs/2301.00001v3",
        "https://export.arxiv.org/rss/cs.LG",
        "https://www.aclweb.org/portal/",
        "https://www.aclweb.org/anthology/P19-1001.bib",
        "https://jmlr.org/papers/v9/x08a.html",
        "https://huggingface.co/papers/2301.00001",
        "http://papers.nips.cc/paper/4824-a-study.pdf",
    ],
)
def test_other_addresses_are_left_alone(url: str) -> None:
    assert run(canonical_link, link(url)) == []


def pages_and_pdfs(pages: int, pdfs: int) -> str:
    forms = ["abs"] * pages + ["pdf"] * pdfs
    return "".join(link(f"https://arxiv.org/{form}/2301.{at + 1:05}") for at, form in enumerate(forms))


def test_the_page_or_the_pdf_is_learned() -> None:
    assert run(canonical_link, pages_and_pdfs(8, 1)) == []
    assert run(canonical_link, pages_and_pdfs(80, 20)) == []
    (found,) = run(canonical_link, pages_and_pdfs(20, 1))
    assert found.place.severity is Severity.WARNING
    assert found.place.applicability is Applicability.SAFE
    many = run(canonical_link, pages_and_pdfs(92, 8))
    assert {one.place.applicability for one in many} == {Applicability.UNSAFE}
    (found,) = run(canonical_link, pages_and_pdfs(1, 20))
    assert (found.place.severity, found.place.applicability) == (Severity.INFO, Applicability.UNSAFE)
    assert run(canonical_link, pages_and_pdfs(20, 1), arxiv="keep") == []


# ------------------------------------------------------------------------------------------ venues
def cited(*venues: str) -> str:
    return "".join(
        f"- Study {at} of Jobs in Clusters [[{venue}]](https://example.org/{at})\n"
        for at, venue in enumerate(venues)
    )


def test_a_file_of_its_own_kind_is_left_alone() -> None:
    long = cited(*["OSDI 2020"] * 40)
    assert run(venue_form, {"a.md": long, "b.md": cited("OSDI'20", "SOSP'21")}) == []
    assert len(run(venue_form, {"a.md": long + cited("OSDI'20", "SOSP'21")})) == 2


def test_the_form_is_mended_with_the_year_kept() -> None:
    found = run(venue_form, cited(*["OSDI'20"] * 40, "SOSP 2019", "NSDI22"))
    assert [one.place.values["after"] for one in found] == ["SOSP'19", "NSDI'22"]


def test_what_a_list_has_often_is_meant() -> None:
    text = cited(*["CVPR 2020"] * 9, *["CVRP 2020"] * 3)
    assert run(venue_unknown, text) == []
    assert texts(run(venue_unknown, cited(*["CVPR 2020"] * 9, "CVRP 2020", "CVPRW 2020", "CVPRs 2020"))) == [
        "CVRP"
    ]


def test_a_link_that_proves_the_venue_makes_sure() -> None:
    text = cited(*["CVPR 2020"] * 9)
    proof = "- A Study of Roads [[CVPX 2020]](https://openaccess.thecvf.com/content_CVPR_2020/papers/x.pdf)\n"
    assert texts(run(venue_unknown, text + proof)) == ["CVPX"]
    assert run(venue_unknown, text + cited("CVPX 2020")) == []


# --------------------------------------------------------------------------------- titles, authors
def titled(end: str, count: int) -> str:
    return "".join(
        f"- **Study {at} of Jobs{end} [[Paper](https://example.org/{at})]\r\n" for at in range(count)
    )


def test_a_full_stop_goes_or_comes_in_crlf_too() -> None:
    (found,) = run(
        title_end,
        titled("**", 20)
        + "- **A Study of Locks.**\r\n  *Ann Lee, Bob Ray* [[Paper](https://example.org/x)]\r\n",
    )
    assert found.fixed.endswith(
        "- **A Study of Locks**\r\n  *Ann Lee, Bob Ray* [[Paper](https://example.org/x)]\r\n"
    )
    (found,) = run(
        title_end,
        titled(".**", 20)
        + "- **A Study of Locks**\r\n  *Ann Lee, Bob Ray* [[Paper](https://example.org/x)]\r\n",
    )
    assert found.fixed.endswith(
        "- **A Study of Locks.**\r\n  *Ann Lee, Bob Ray* [[Paper](https://example.org/x)]\r\n"
    )


@pytest.mark.parametrize(
    "title", ["**Building Safe A.I.**", "**A Study of Example Inc.**", "**A Study.** It ends."]
)
def test_a_full_stop_that_is_meant(title: str) -> None:
    assert run(title_end, titled("**", 20) + f"- {title} [[Paper](https://example.org/x)]\n") == []


def test_a_full_stop_apart_is_one() -> None:
    assert (
        run(title_end, titled(".**", 20) + "- **A Study of Locks** . [[Paper](https://example.org/x)]\n")
        == []
    )


def credited(people: str, count: int = 1) -> str:
    return "".join(
        f"- **Study {at} of Jobs**. *{people}*. [[Paper](https://example.org/{at})]\n" for at in range(count)
    )


def test_every_joint_is_mended() -> None:
    text = credited("Ann Lee, Bob Ray, Cy Fox, Di Orr", 20) + credited(
        "Ann Lee and Bob Ray and Cy Fox and Di Orr"
    )
    found = run(authors_form, text)
    assert [len(one.place.edits) for one in found] == [2, 1]
    assert {one.place.applicability for one in found} == {Applicability.UNSAFE}


def test_family_names_first_are_left_alone() -> None:
    text = credited("Ann Lee, Bob Ray, Cy Fox", 20) + credited("Lee, Ann, Bob Ray, and Cy Fox")
    assert run(authors_form, text) == []


# ----------------------------------------------------------------------------------------- sections
def test_years_of_headings_that_mean_something_else() -> None:
    some = "".join(
        f"- Study {at} of Jobs (OSDI 2020) [[Paper](https://example.org/{at})]\n" for at in range(4)
    )
    late = "- A Study of Locks (OSDI 2018) [[Paper](https://example.org/x)]\n"
    assert texts(run(year_section, f"## 2020\n\n{some}{late}")) == ["2018"]
    assert run(year_section, f"## 2020\n\n{some}{late}{late}") == []
    assert run(year_section, f"## 2018-2020\n\n{some}{late}") == []


def test_a_section_of_bare_titles_is_meant() -> None:
    full = "".join(
        f"- Study {at} of Jobs (OSDI 2020) [[Paper](https://example.org/{at})]\n" for at in range(40)
    )
    bare = "- A Study of Locks (OSDI 2018)\n- A Study of Clocks (SOSP 2019)\n"
    assert run(incomplete, f"## Full\n\n{full}\n## Bare\n\n{bare}") == []
    assert texts(run(incomplete, f"## Full\n\n{full}{bare}")) == ["A Study of Locks", "A Study of Clocks"]


# ------------------------------------------------------------------------------------------ hostile
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
    )
    for hostile in (
        link("https://arxiv.org/abs/" + "1" * 20_000),
        link("https://arxiv.org/pdf/1v" + "1v" * 20_000),
        link("https://www.aclweb.org/anthology/" + "a-" * 20_000),
        "- A Study " + "arxiv " * 10_000 + "[[Paper](https://example.org)]\n",
        "- **A Study" + "." * 20_000 + "** [[Paper](https://example.org)]\n",
        credited(", ".join(["Ann Lee"] * 5_000)),
    ):
        for check in checks:
            assert len(run(check, hostile)) <= 2
