"""`paper/authors-form`."""

from __future__ import annotations

import pytest

from shelfread.checks.paper.title_text import authors_form
from shelfread.core.diagnostics import Severity
from support.lists import credited_papers
from support.project import run


def test_every_separator_is_fixed() -> None:
    text = credited_papers("Ann Lee, Bob Ray, Cy Fox, Di Orr", 20) + credited_papers(
        "Ann Lee and Bob Ray and Cy Fox and Di Orr"
    )
    found = run(authors_form, text)
    assert [len(diagnostic.place.edits) for diagnostic in found] == [3]
    assert not any(diagnostic.place.safe for diagnostic in found)


def test_family_names_first_are_accepted() -> None:
    text = credited_papers("Ann Lee, Bob Ray, Cy Fox", 20) + credited_papers("Lee, Ann, Bob Ray, and Cy Fox")
    assert run(authors_form, text) == []


@pytest.mark.parametrize(
    ("people", "severity"),
    [
        ("Ann Lee, Bob Ray, and Cy Fox", None),
        ("Ann Lee, Bob Ray and Cy Fox", None),
        ("Ann Lee, Bob Ray & Cy Fox", None),
        ("Ann Lee,Bob Ray, and Cy Fox", Severity.WARNING),
        ("Ann Lee,Bob Ray,Cy Fox", Severity.WARNING),
        ("Ann Lee and Bob Ray and Cy Fox", Severity.WARNING),
        ("Ann Lee and Bob Ray and Cy Fox and Di Orr", Severity.WARNING),
        ("Ann Lee, Bob Ray,Cy Fox", Severity.WARNING),
    ],
)
def test_an_and_is_good_english(people: str, severity: Severity | None) -> None:
    found = run(authors_form, credited_papers("Ann Lee, Bob Ray, Cy Fox", 20) + credited_papers(people))
    assert [diagnostic.place.severity for diagnostic in found] == ([severity] if severity else [])


def test_one_list_of_authors_is_fixed_whole() -> None:
    text = credited_papers("Ann Lee, Bob Ray, Cy Fox, Di Orr", 20)
    (found,) = run(authors_form, text + credited_papers("Ann Lee,Bob Ray,Cy Fox,Di Orr"))
    assert found.fixed == text + credited_papers("Ann Lee, Bob Ray, Cy Fox, Di Orr")


@pytest.mark.parametrize(
    ("usual", "other", "severities"),
    [
        ("Ann Lee et al", "Ann Lee et al.", []),
        ("Ann Lee et al.", "Ann Lee et. al.", [Severity.WARNING]),
        ("Ann Lee et al.", "Ann Lee, et al.", []),
        ("Ann Lee, Bob Ray, et al.", "Ann Lee, Bob Ray et al.", []),
    ],
)
def test_the_form_of_et_al(usual: str, other: str, severities: list[Severity]) -> None:
    found = run(authors_form, credited_papers(usual, 20) + credited_papers(other))
    assert [diagnostic.place.severity for diagnostic in found] == severities
