"""Entries as a Markdown list, which reads back as the same entries."""

from __future__ import annotations

from typing import Any

import pytest

from shelfread.core.source import Source
from shelfread.document.entry_data import exported_entry
from shelfread.document.read import read
from support.exported import HOSTILE, PAPER, TOOL, exported, written
from support.project import BARE

KEPT = (
    "title",
    "name",
    "description",
    "venue",
    "year",
    "authors",
    "affiliations",
    "notes",
    "identifiers",
    "section",
)


def read_back(text: str) -> list[dict[str, Any]]:
    document = read(Source(text, "list.md"), BARE.vocabulary)
    return [exported_entry(entry, document, BARE) for entry in document.entries]


def paper(**fields: Any) -> dict[str, Any]:
    links = [{"label": "Paper", "role": "paper", "url": "https://arxiv.org/abs/1811.06965"}]
    return exported(**{"links": links, "identifiers": {"arxiv": "1811.06965"}, "year": 2018, **fields})


def test_papers_and_tools() -> None:
    assert written("markdown", [PAPER, TOOL]).splitlines() == [
        "<!-- Exported by shelfread. -->",
        "",
        "# Papers",
        "",
        "## Parallelism",
        "",
        "- GPipe: Efficient Training of Giant Neural Networks (NIPS 2019)"
        " [[Paper](https://arxiv.org/abs/1811.06965)] [[Code](https://github.com/a/b)]",
        "  - Authors: Yanping Huang, Aäron van den Oord, NVIDIA",
        "",
        "# Tools",
        "",
        "- [fd](https://github.com/sharkdp/fd) - Finds files, fast.",
    ]


def test_addresses_that_lead_nowhere_from_another_page_are_left_out() -> None:
    urls = ("https://rack.org", "#rack", "???")
    links = [
        {"label": label, "role": None, "url": url} for label, url in zip(("fd", "B", "C"), urls, strict=True)
    ]
    tools = [{**TOOL, "links": links}, {**TOOL, "title": "nd", "name": "nd", "links": links[1:]}]
    assert [line[:24] for line in written("markdown", tools).splitlines()[-2:]] == [
        "- [fd](https://rack.org)",
        "- **nd** - Finds files, ",
    ]
    assert "???" not in written("markdown", tools) and "#rack" not in written("markdown", tools)


@pytest.mark.parametrize(
    ("label", "role", "url", "line"),
    [
        ("Class Notes", None, "https://a.org/1", "- **fd** - Finds files, fast. ([Class Notes](https://a.org/1))"),
        ("Website", "project", "https://a.org/1", "- [fd](https://a.org/1) - Finds files, fast."),
        ("GitHub", "code", "https://github.com/a/b", "- [fd](https://github.com/a/b) - Finds files, fast."),
        ("fd docs", None, "https://a.org/1", "- [fd](https://a.org/1) - Finds files, fast."),
    ],
)  # fmt: skip
def test_a_label_that_says_more_than_the_title_is_kept(
    label: str, role: str | None, url: str, line: str
) -> None:
    tool = {**TOOL, "links": [{"label": label, "role": role, "url": url}]}
    assert written("markdown", [tool]).splitlines()[-1] == line


def test_the_first_link_of_a_paper_is_not_called_like_it() -> None:
    links = [
        {
            "label": "GPipe: Efficient Training of Giant Neural Networks (NIPS19)",
            "role": None,
            "url": "https://a.org/1",
        }
    ]
    assert "[[Link](https://a.org/1)]" in written("markdown", [{**PAPER, "links": links}])


@pytest.mark.parametrize(
    ("venue", "written_venue", "shown"),
    [
        ("ECCV", "European Conference on Computer Vision (ECCV) (2018)", "ECCV 2018"),
        ("arXiv", "ArXiv 1811.06965", "arXiv 2018"),
        ("NeurIPS", "Neural Information Processing Systems (NIPS)", "NeurIPS 2018"),
        ("CVPR", "CVPR Workshop (CVPRW) (2018)", "CVPR Workshop (CVPRW) (2018)"),
        (None, "Talks on Shelves (ToS) 2018", "Talks on Shelves (ToS) 2018"),
    ],
)
def test_a_venue_in_brackets_is_short(venue: str | None, written_venue: str, shown: str) -> None:
    (line,) = written("markdown", [paper(venue=venue, venue_text=written_venue)]).splitlines()[-1:]
    assert f" ({shown}) [[" in line.replace("\\", "")


@pytest.mark.parametrize(
    "entry",
    [
        {**PAPER, "authors": PAPER["authors"][:2], "identifiers": {"arxiv": "1811.06965", "github": "a/b"}},
        TOOL,
        {**TOOL, "year": 2014},
        {**TOOL, "authors": ["Ada Stone"], "description": None},
        paper(title="Shelves (and Books) at Scale", venue="OSDI", venue_text="OSDI'20", year=2020),
        paper(title="Shelves. Books at Scale", venue="OSDI", venue_text="OSDI 2020", year=2020),
        paper(title="Shelves and Books at Scale", name="SHELF"),
        paper(title="A Shelf of [Many] Books* and C_shelves $x$ <b> &amp; \\n"),
        paper(title="Shelves at Scale", affiliations=["Stanford University", "MIT"], notes=["Best *paper*."]),
        paper(title="Shelves at Scale", authors=["Ada B. Stone"]),
        paper(title="Shelves at Scale", authors=["Stone", "Field"]),
        paper(title="Shelves at Scale", authors=["Stone"], affiliations=["Oxford"]),
        paper(title="Shelves at Scale", description="Consumer-grade GPU", affiliations=["MIT"]),
        paper(title="Shelves at Scale", description="OSDI 2019", notes=["vLLM; pagedAttention"]),
        paper(title="Shelves, 50% Faster | Tables", description="Distributed serving"),
        paper(title="Planning Walks With A*", venue="OSDI", venue_text="OSDI 2020", year=2020),
        {
            **TOOL,
            "title": "#1 [x] * tool",
            "name": "#1 [x] * tool",
            "description": "Finds *all* [x](y) files.",
        },
        {**TOOL, "links": [{"label": "fd", "role": None, "url": "https://x.org/a_(b)"}], "identifiers": {}},
    ],
    ids=lambda entry: entry["title"],
)
def test_an_entry_reads_back(entry: dict[str, Any]) -> None:
    entry = exported(**entry)
    (found,) = read_back(written("markdown", [entry]))
    assert {field: found[field] for field in KEPT} == {field: entry[field] for field in KEPT}
    assert [link["url"] for link in found["links"]] == [link["url"] for link in entry["links"]]


@pytest.mark.parametrize(
    ("label", "role", "written_as"),
    [
        ("SHELF:", "paper", "Paper"),
        ("shelves at scale.", "paper", "Paper"),
        ("Shelves", None, "Shelves"),  # what else it leads to is not known
        ("📄", "paper", "📄"),
    ],
)
def test_words_of_the_title_are_no_label(label: str, role: str | None, written_as: str) -> None:
    links = [{"label": label, "role": role, "url": "https://doi.org/10.1145/1"}]
    assert f"[[{written_as}](" in written("markdown", [paper(title="SHELF: Shelves at Scale", links=links)])


def test_a_family_name_before_a_comma_is_turned() -> None:
    (found,) = read_back(written("markdown", [paper(authors=["Stone, Ada B.", "van den Oord, Aäron"])]))
    assert found["authors"] == ["Ada B. Stone", "Aäron van den Oord"]


def test_sections_are_headings_and_return_to_an_outer_one() -> None:
    paths = [["Papers", "A", "B"], ["Papers", "A"], ["Papers", "C"], ["Other"]]
    found = read_back(written("markdown", [{**TOOL, "section": path} for path in paths]))
    assert [entry["section"] for entry in found] == paths


@pytest.mark.parametrize("title", HOSTILE)
def test_a_title_is_no_markup(title: str) -> None:
    text = written("markdown", [{**TOOL, "title": title, "name": title, "description": None}, TOOL])
    found = read_back(text)
    assert found[-1]["title"] == "fd"
    urls = [link["url"] for entry in found for link in entry["links"]]
    assert urls == ["https://github.com/sharkdp/fd"] * 2


def test_a_note_keeps_its_links_and_has_no_tags_and_pictures() -> None:
    note = "See [a](https://a.org) <https://b.org> if 1 <2 <script>evil()</script> <!-- ![b](c.png)"
    assert written("markdown", [{**TOOL, "notes": [note]}]).splitlines()[-1] == (
        "  - See [a](https://a.org) <https://b.org> if 1 <2 \\<script>evil()\\</script> \\<!-- \\![b](c.png)"
    )
