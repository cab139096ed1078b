"""A section or list that has another form throughout has a style of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from shelfread.checks.entry.description import description_end, description_start
from shelfread.checks.entry.labels import label_case
from shelfread.checks.entry.separator import glued
from shelfread.checks.paper.title_text import authors_form, title_end
from shelfread.checks.paper.venue_form import venue_form
from shelfread.checks.paper.venue_name import venue_alias
from shelfread.core.diagnostics import RawDiagnostic
from support.project import run

Check = Callable[..., Iterator[RawDiagnostic]]

FORMS = [
    (label_case, "- A Study of Ant {n} [[{form}]](https://example.org/{n})\n", "Paper", "paper"),
    (
        glued,
        "- A Study of Ant {n} [[Paper]](https://example.org/{n}){form}[[Code]](https://x.org/{n})\n",
        " ",
        "",
    ),
    (title_end, "- **A Study of Ant {n}{form}** [[Paper]](https://arxiv.org/abs/2001.{n:05})\n", "", "."),
    (venue_form, "- A Study of Ant {n}. {form} [[Paper]](https://example.org/{n})\n", "OSDI 2020", "OSDI'20"),
    (
        venue_alias,
        "- A Study of Ant {n}. {form} 2020 [[Paper]](https://example.org/{n})\n",
        "SoCC",
        "Symposium on Cloud Computing",
    ),
    (
        authors_form,
        "- **A Study of Ant {n}.** *Ann Lee{form}Bob Ray.* OSDI 2020 [[Paper]](https://example.org/{n})\n",
        ", ",
        "; ",
    ),
    (description_end, "- [Ant {n}](https://example.org/{n}) - Does what it can{form}\n", ".", ""),
    (
        description_start,
        "- [Ant {n}](https://example.org/{n}) - {form} that ants need.\n",
        "Library",
        "library",
    ),
]


@pytest.mark.parametrize(("check", "line", "usual", "other"), FORMS)
def test_a_style_of_its_own_is_left_alone(check: Check, line: str, usual: str, other: str) -> None:
    def lines(first: int, *forms: str) -> str:
        return "".join(line.format(n=first + n, form=form) for n, form in enumerate(forms))

    def severities(*parts: str) -> list[str]:
        return [each.place.severity.label for each in run(check, "\n".join(parts))]

    many = "## Ants\n\n" + lines(1, *[usual] * 60)
    three = lines(100, other, other, other)
    loud = severities(many, "## Bees\n\n" + lines(100, other, usual))
    assert len(loud) == 1
    assert severities(many, f"## Bees\n\n{three}") == [], "a section"
    assert severities(f"{many}\nOthers:\n\n{three}") == [], "a list"
    assert severities(many, "## Bees\n\n" + lines(100, other, other)) == loud * 2, "too few"
    assert severities(many, f"## Bees\n\n{three}{lines(200, usual)}") == loud * 3, "not throughout"


@pytest.mark.slow
@pytest.mark.parametrize(("check", "line", "usual", "other"), FORMS)
def test_a_long_row_is_left_alone(check: Check, line: str, usual: str, other: str) -> None:
    """Wherever its sections begin and end, unless the usual form is far more frequent."""

    def lines(first: int, *forms: str) -> str:
        return "".join(line.format(n=first + n, form=form) for n, form in enumerate(forms))

    def severities(before: int, row: int) -> set[str]:
        text = lines(1, *[usual] * before) + lines(600, *[other] * row) + lines(700, *[usual] * 10)
        return {each.place.severity.label for each in run(check, text)}

    assert severities(190, 10) == set()
    assert severities(190, 7) != set(), "too few"
    assert severities(400, 10) != set(), "too few beside so many"
