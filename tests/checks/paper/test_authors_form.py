"""`paper/authors-form`."""

from __future__ import annotations

from shelfread.checks.paper.authors_form import authors_form
from shelfread.core.diagnostics import Applicability
from support.papers import credited_papers
from support.project import run


def test_every_separator_is_fixed() -> None:
    text = credited_papers("Ann Lee, Bob Ray, Cy Fox, Di Orr", 20) + credited_papers(
        "Ann Lee and Bob Ray and Cy Fox and Di Orr"
    )
    found = run(authors_form, text)
    assert [len(diagnostic.place.edits) for diagnostic in found] == [2, 1]
    assert {diagnostic.place.applicability for diagnostic in found} == {Applicability.UNSAFE}


def test_family_names_first_are_accepted() -> None:
    text = credited_papers("Ann Lee, Bob Ray, Cy Fox", 20) + credited_papers("Lee, Ann, Bob Ray, and Cy Fox")
    assert run(authors_form, text) == []
