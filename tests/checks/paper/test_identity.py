"""What makes two entries one thing, and what the places of one thing are to agree on."""

from __future__ import annotations

import pytest

from shelfread.checks.entry.duplicate import duplicate
from support.project import run

TITLE = "Scheduling the Jobs of Many Tenants on Few Machines"
LINE = "- {} ({}) [[Paper]({})]\n"
ARXIV = "https://arxiv.org/abs/2001.00001"
USENIX = "https://www.usenix.org/conference/osdi20/presentation/doe"


def paper(cited: str, url: str = ARXIV, title: str = TITLE) -> str:
    return LINE.format(title, cited, url)


def severities(text: str | dict[str, str]) -> list[str]:
    return [one.place.severity.label for one in run(duplicate, text)]


@pytest.mark.parametrize(
    ("second", "found"),
    [
        (paper("OSDI 2020", USENIX), ["warning"]),
        (paper("arXiv 2020", USENIX, TITLE.replace("Many Tenants", "Many-Tenants")), ["warning"]),
        (paper("TPDS 2021", "https://doi.org/10.1109/TPDS.2021.1"), ["info"]),
        (paper("OSDI 2020 Poster", "https://example.org/poster.pdf"), ["info"]),
        (paper("OSDI 2020", USENIX, TITLE.replace("Machines", "Machine")), ["info"]),
        (paper("OSDI 2020", USENIX, TITLE.replace("Tenants", "Tennants")), ["warning"]),
        (paper("SOSP 2021", USENIX, TITLE.replace("Tenants", "Tennants")), ["info"]),
        (paper("OSDI 2020", USENIX, f"Foo: {TITLE}"), ["info"]),
        (paper("OSDI 2020", USENIX, f"{TITLE}++"), []),
        (paper("OSDI 2020", USENIX, f"{TITLE}, Part 2"), []),
        (f"  {paper('OSDI 2020 poster', USENIX)}", []),
    ],
)
def test_companions_are_no_duplicates(second: str, found: list[str]) -> None:
    assert severities(paper("OSDI 2020") + second) == found


def test_a_page_of_many_papers_is_no_identity() -> None:
    page = "https://example.org/accepted.html"
    text = paper("SOSP 2023", page) + paper("SOSP 2023", page, "Another Way to Share a Page of Papers")
    assert severities(text) == []
    assert severities(text + paper("SOSP 2023", page, "Scheduling")) == ["warning"]


def test_a_volume_is_no_identity() -> None:
    book = "https://doi.org/10.1007/978-3-030-12345-6"
    assert severities(paper("ECCV 2020", book) + paper("ECCV 2020", book, "Quite Another Thing")) == []


def test_a_published_paper_keeps_its_title() -> None:
    other = "Fusing Models beyond Any Measure"
    text = "## A\n\n" + paper("OSDI 2020", USENIX) + "\n## B\n\n"
    assert severities(text + paper("OSDI 2020", USENIX, other)) == ["warning"]
    assert severities(text.replace(USENIX, ARXIV) + paper("arXiv 2020", ARXIV, other)) == ["info"]
    assert severities(text + paper("OSDI 2020", USENIX, "Tetris")) == ["info"]


def test_a_proceedings_hash_is_of_its_year() -> None:
    address = "https://proceedings.mlsys.org/paper/{}/hash/f0f9e98bc2e2f0abc3e315eaa0d808fc-Abstract.html"
    text = (
        f"- Learning to Place Operators on Machines (MLSys 2021) [[Paper]({address.format(2021)})]\n"
        f"- A Compiler of Sparse Tensors for Everybody (MLSys 2022) [[Paper]({address.format(2022)})]\n"
    )
    assert run(duplicate, text) == []
