"""`paper/venue-unknown`."""

from __future__ import annotations

from shelfread.checks.paper.venue_name import venue_unknown
from support.lists import cited_papers, texts
from support.project import run


def test_a_frequent_name_is_accepted() -> None:
    text = cited_papers(*["CVPR 2020"] * 9, *["CVRP 2020"] * 3)
    assert run(venue_unknown, text) == []
    assert texts(
        run(venue_unknown, cited_papers(*["CVPR 2020"] * 9, "CVRP 2020", "CVPRW 2020", "CVPRs 2020"))
    ) == ["CVRP"]


def test_a_link_can_prove_the_venue() -> None:
    text = cited_papers(*["CVPR 2020"] * 9)
    proof = "- A Study of Roads [[CVPX 2020]](https://openaccess.thecvf.com/content_CVPR_2020/papers/x.pdf)\n"
    assert texts(run(venue_unknown, text + proof)) == ["CVPX"]
    assert run(venue_unknown, text + cited_papers("CVPX 2020")) == []
