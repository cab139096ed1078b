"""The rule `heading/title-case`, in what its page is too short to show."""

from __future__ import annotations

import pytest

from shelfread.checks.heading.structure import title_case
from support.project import run

WORDS = "Alpha Bravo Charlie Delta Echo Foxtrot Golf Hotel India Juliett Kilo Lima".split()


def test_capitals_follow_the_list() -> None:
    text = "".join(f"## Section Number{n % 3} of Papers\n\n" for n in range(11)) + "## Another section here\n"
    (found,) = run(
        title_case, text.replace("Number0", "Alpha").replace("Number1", "Beta").replace("Number2", "Gamma")
    )
    assert found.text == "Another section here"
    assert found.fixed.endswith("## Another Section Here\n")
    assert not run(title_case, text, style="learned")[0].place.safe


@pytest.mark.parametrize(
    ("heading", "fixed"),
    [
        ("The Fréchet inception Distance", "The Fréchet Inception Distance"),
        ("The Schrödinger bridges", "The Schrödinger Bridges"),
        ("The Scho\u0308ner brücke Tables", "The Scho\u0308ner Brücke Tables"),
        ("The scho\u0308ner Bridge", "The Scho\u0308ner Bridge"),
        ("The ångström Scale", "The Ångström Scale"),
        ("Its naïve Bayes", "Its Naïve Bayes"),
    ],
)
def test_accents_are_part_of_a_word(heading: str, fixed: str) -> None:
    text = "".join(f"## Section Number {word}\n\n" for word in WORDS) + f"## {heading}\n"
    (found,) = run(title_case, text)
    assert found.fixed.endswith(f"## {fixed}\n")


@pytest.mark.parametrize("heading", ["The 注意力 Words", "The Fréchet Distance", "The ßtrange Words"])
def test_what_has_no_other_case_stays(heading: str) -> None:
    text = "".join(f"## Section Number {word}\n\n" for word in WORDS) + f"## {heading}\n"
    assert run(title_case, text) == []
