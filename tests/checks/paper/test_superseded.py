"""`paper/superseded`."""

from __future__ import annotations

import pytest

from shelfread.checks.paper.same_paper import superseded
from shelfread.core.diagnostics import Severity
from support.lists import ARXIV, TITLE, USENIX, paper
from support.project import run


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


LISTED = "".join(paper("SOSP 2021", f"https://example.org/{n}", f"A Study of {n} Jobs") for n in range(2))


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        (paper("arXiv 2020"), paper("NeurIPS 2020 Workshop"), ["info"]),
        (paper("arXiv 2020"), paper("OSDI 2020", USENIX, f"Foo: {TITLE}"), ["info"]),
        (paper("arXiv 2020"), paper("OSDI 2020", ARXIV, "Quite Another Thing beyond Measure"), []),
        (paper("arXiv 2020, to appear at OSDI"), paper("OSDI 2020"), []),
        (paper("arXiv 2020"), paper("arXiv 2020"), []),
        (f"- {TITLE} [[Paper]({ARXIV})]\n", paper("OSDI 2020"), []),
        (f"- {TITLE} [[Paper]({ARXIV})]\n{LISTED}", paper("OSDI 2020"), ["info"]),
        (f"- {TITLE} [[Paper]({USENIX})]\n", paper("OSDI 2020"), []),
        (paper("arXiv 2020", title="Tetris"), paper("OSDI 2020", USENIX, "Tetris"), []),
    ],
)
def test_a_preprint_is_superseded_by_the_same_paper_only(one: str, other: str, found: list[str]) -> None:
    assert [
        diagnostic.place.severity.label for diagnostic in run(superseded, {"a.md": one, "b.md": other})
    ] == found


def test_the_venue_of_a_label_is_not_replaced() -> None:
    text = f"- {TITLE} [[arXiv 2020]({ARXIV})]\n\n## More\n\n- {TITLE} [[OSDI 2020]({USENIX})]\n"
    assert [(one.line, one.place.edits) for one in run(superseded, text)] == [(1, ())]


def test_two_entries_of_one_section_are_a_duplicate() -> None:
    assert run(superseded, f"- {TITLE} [[arXiv 2020]({ARXIV})]\n- {TITLE} [[OSDI 2020]({USENIX})]\n") == []
