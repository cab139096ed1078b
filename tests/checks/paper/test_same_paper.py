"""`paper/same-paper-differs` and `paper/two-titles`."""

from __future__ import annotations

import pickle

import pytest

from shelfread.checks.paper.same_paper import same_paper_differs, two_titles
from shelfread.core.source import Source
from shelfread.document.read import read
from shelfread.index.facts import facts
from support.lists import ARXIV, TITLE, USENIX, paper
from support.project import read_project, run


def differing(one: str, other: str) -> list[tuple[object, str]]:
    found = run(same_paper_differs, {"a.md": one, "b.md": other})
    assert {diagnostic.path for diagnostic in found} <= {"b.md"}
    assert {diagnostic.place.values["where"] for diagnostic in found} <= {"a.md:1"}
    return [(diagnostic.place.values["field"], diagnostic.place.severity.label) for diagnostic in found]


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        (paper("OSDI 2020"), paper("OSDI'20"), []),
        (paper("OSDI 2020"), paper("OSDI 2021"), [("year", "warning")]),
        (paper("OSDI 2020"), paper("SOSP 2021"), [("venue", "warning")]),
        (paper("OSDI 2020"), paper("SOSP 2021", USENIX), [("venue", "warning")]),
        (paper("OSDI 2020"), paper("TPDS 2021"), []),
        (paper("OSDI 2020"), paper("arXiv 2020"), []),
        (paper("arXiv 2020"), paper("arXiv 2021"), []),
        (paper("NeurIPS 2020"), paper("NeurIPS 2020 Workshop"), []),
        (paper("OSDI 2020"), paper("applies the OSDI 2019 paper"), []),
        (paper("PVLDB 2020"), paper("VLDB 2021"), []),
        (
            paper("OSDI 2020"),
            paper("OSDI 2020", title=TITLE.replace("Machines", "Machine")),
            [("title", "error")],
        ),
        (paper("OSDI 2020"), paper("OSDI 2020", title=f"Foo: {TITLE}"), []),
        (paper("OSDI 2020"), paper("OSDI 2020", title="Foo"), []),
        (paper("OSDI 2020"), paper("OSDI 2020", title=f"{TITLE} at Scale beyond Any Measure"), []),
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


@pytest.mark.slow
def test_each_listing_is_compared_with_the_first_one() -> None:
    text = "".join(paper(f"OSDI {1990 + n % 20}") for n in range(600))
    found = run(same_paper_differs, text)
    assert len(found) == 599 - 29  # those that agree with the first
    assert {one.place.values["where"] for one in found} == {"list.md:1"}


def test_the_venue_of_a_heading_is_info() -> None:
    found = run(
        same_paper_differs, f"# OSDI 2020\n\n- [{TITLE}]({ARXIV})\n\n# SOSP 2021\n\n- [{TITLE}]({ARXIV})\n"
    )
    assert [(one.text, one.place.severity.label) for one in found] == [(TITLE, "info")]


def test_a_fixed_venue_is_not_compared_with_the_text_before_the_fix() -> None:
    first, second = paper("OSDI 2018"), paper("OSDI 2020")
    _, context = read_project(first + second)
    document = read(Source(second + second, "list.md"), context.vocabulary)
    assert list(same_paper_differs(document, context.with_files(facts(document)))) == []


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


def test_facts_can_be_pickled() -> None:
    _, context = read_project(paper("OSDI 2020") + paper("arXiv 2020"))
    known = context.project.facts["list.md"]
    assert pickle.loads(pickle.dumps(known)) == known


def test_a_word_with_several_papers_is_no_publication() -> None:
    row = (
        f"- Conferences: [[OSDI'20]({USENIX})] [[SOSP'21]({ARXIV})] [[ATC'21](https://example.org/atc.pdf)]\n"
    )
    assert differing(row, paper("NSDI 2022", USENIX)) == []
    assert differing(paper("NSDI 2022", USENIX), row) == []
