"""`paper/venue-form`."""

from __future__ import annotations

from shelfread.checks.paper.venue_form import venue_form
from shelfread.core.diagnostics import Severity
from support.lists import cited_papers
from support.project import run


def test_the_fix_keeps_the_year() -> None:
    found = run(venue_form, cited_papers(*["OSDI'20"] * 40, "SOSP 2019", "NSDI22"))
    assert [diagnostic.place.values["after"] for diagnostic in found] == ["SOSP'19", "NSDI'22"]


def test_one_of_two_in_an_entry_is_not_changed_alone() -> None:
    odd = cited_papers("SOSP 2019").rstrip("\n") + "{}\n"
    for more, safe in (("", True), (", also SOSP 2019", False)):
        (found,) = run(venue_form, cited_papers(*["OSDI'20"] * 40) + odd.format(more))
        assert found.place.safe is safe


def test_full_names_are_info() -> None:
    found = run(venue_form, cited_papers(*["Pattern Recognition 2020"] * 40, "Pattern Recognition, 2021"))
    assert [diagnostic.place.severity for diagnostic in found] == [Severity.INFO]


def test_a_publisher_before_the_venue_is_in_its_brackets() -> None:
    papers = [
        f"- A Study of Jobs {number} [[OSDI 2020]](https://example.org/{number})\n" for number in range(120)
    ]
    odd = "- A Study of Clocks [[{}]](https://example.org/clocks)\n"
    assert run(venue_form, "".join(papers) + odd.format("IEEE TMI 2020")) == []
    (found,) = run(venue_form, "".join(papers) + odd.format("IEEE TMI, 2020"))
    assert found.place.values["after"] == "TMI 2020"


def test_a_heading_keeps_its_anchor() -> None:
    papers = [
        f"### A Study of Jobs {number} (OSDI'20)\n\n- [Paper](https://example.org/{number}.pdf)\n- [Code](https://github.com/a/j{number})\n\n"
        for number in range(60)
    ]
    odd = "### A Study of Clocks (SOSP 2019)\n\n- [Paper](https://example.org/c.pdf)\n- [Code](https://github.com/a/c)\n"
    assert run(venue_form, "".join(papers) + odd) == []
