"""`paper/venue-form`."""

from __future__ import annotations

from shelfread.checks.paper.venue_form import venue_form
from support.papers import cited_papers
from support.project import run


def test_a_file_with_a_form_of_its_own_is_accepted() -> None:
    long = cited_papers(*["OSDI 2020"] * 40)
    assert run(venue_form, {"a.md": long, "b.md": cited_papers("OSDI'20", "SOSP'21")}) == []
    assert len(run(venue_form, {"a.md": long + cited_papers("OSDI'20", "SOSP'21")})) == 2


def test_the_fix_keeps_the_year() -> None:
    found = run(venue_form, cited_papers(*["OSDI'20"] * 40, "SOSP 2019", "NSDI22"))
    assert [diagnostic.place.values["after"] for diagnostic in found] == ["SOSP'19", "NSDI'22"]
