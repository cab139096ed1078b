"""`paper/venue-alias`."""

from __future__ import annotations

import pytest

from shelfread.checks.paper.venue_name import venue_alias
from shelfread.core.diagnostics import Severity
from support.lists import cited_papers, texts
from support.project import run

LINE = '- **{}**: "Tidy Shelves for Many Readers", {}, 2023 (*Acme*). [[Paper](https://arxiv.org/abs/2301.00001)]\n'


@pytest.mark.parametrize(
    "venue", ["NeurIPS (Datasets and Benchmarks)", "NeurIPS Datasets and Benchmarks", "NeurIPS (D&B Track)"]
)
def test_a_track_is_no_other_name(venue: str) -> None:
    usual = "".join(LINE.format(f"Shelf-{number}", "NeurIPS") for number in range(40))
    assert run(venue_alias, usual + LINE.format("Room", venue)) == []


@pytest.mark.parametrize("venue", ["ACL-IJCNLP 2015", "ACL/IJCNLP 2015"])
def test_a_joint_conference_has_its_own_name(venue: str) -> None:
    assert run(venue_alias, cited_papers(*["ACL 2020"] * 40, venue)) == []


def test_an_organiser_is_info() -> None:
    (found,) = run(venue_alias, cited_papers(*["OSDI 2020"] * 40, "USENIX OSDI 2020"))
    assert found.place.severity is Severity.INFO


def test_a_spelling_of_one_entry_is_no_habit() -> None:
    assert run(venue_alias, cited_papers("MLSys 2020", "MLsys 2021")) == []
    found = run(venue_alias, cited_papers("MLSys 2020", "MLSys 2022", "MLsys 2021"))
    assert texts(found) == ["MLsys"]
    assert (found[0].place.values["count"], found[0].place.values["total"]) == (2, 3)


def test_capitals_throughout_need_a_clear_majority() -> None:
    assert run(venue_alias, cited_papers(*["PPoPP 2020"] * 4, "PPOPP 2021")) == []
    assert texts(run(venue_alias, cited_papers(*["PPoPP 2020"] * 20, "PPOPP 2021"))) == ["PPOPP"]
    assert texts(run(venue_alias, cited_papers(*["PPoPP 2020"] * 4, "PPopp 2021"))) == ["PPopp"]


def test_the_official_spelling_is_always_right() -> None:
    assert run(venue_alias, cited_papers(*["arxiv 2020"] * 40, "arXiv 2021")) == []


def test_the_case_of_a_long_name_is_for_information() -> None:
    line = "- A Study of Jobs, {} 2020 [[Paper]](https://example.org/{})\n"
    name = "Advances in Neural Information Processing Systems"
    text = "".join(line.format(name, n) for n in range(6)) + line.format(name.capitalize(), 9)
    assert [each.place.severity.label for each in run(venue_alias, text)] == ["info"]
