"""Where new entries stand in lists that are sorted loosely, and at the ends of lists."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import shelfread.imports.insert_entries as insert_module
from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.imports.import_entries import read_import
from shelfread.imports.insert_entries import insert_entries
from shelfread.imports.target_section import Target
from shelfread.taxonomy.load import load

TAXONOMY = load()
WORDS = "Jobs Tasks Threads Requests Queries Batches Flows Streams Pages Racks".split()


def insert(text: str, years: Sequence[int]) -> list[str]:
    """The lines of a list with a paper of each year, without those that are empty."""
    bibtex = "".join(
        f"@inproceedings{{k{year}, title={{New Shelves of {year}}}, booktitle={{OSDI}}, year={{{year}}}, url={{https://example.org/new{year}.pdf}}}}\n"
        for year in years
    )
    entries = read_import(Source(bibtex, "new.bib"), "bibtex", TAXONOMY).entries
    document = read(Source(text, "list.md"), TAXONOMY.vocabulary)
    target = Target(document.entries[0].section, "it was named")
    done = insert_entries(document, [(entry, target) for entry in entries], TAXONOMY)
    assert not done.left_out
    return [line for line in done.text.splitlines() if line]


def paper(word: str, year: int, number: int) -> str:
    return f"[Scheduling {word} of Various Lengths](https://example.org/{number}.pdf) (OSDI {year})"


def listed(years: Sequence[int], form: str) -> str:
    return "# Papers\n\n" + "".join(
        form.format(paper(word, year, number))
        for number, (word, year) in enumerate(zip(WORDS, years, strict=False))
    )


def order(lines: Sequence[str]) -> list[int]:
    return [int(line.partition("(OSDI ")[2][:4]) for line in lines if "(OSDI " in line]


@pytest.mark.parametrize("form", ["- {}\n", "{}\n\n"])
def test_newest_first_with_an_exception(form: str) -> None:
    text = listed([2024, 2023, 2024, 2023, 2022, 2021, 2022, 2020, 2019, 2018], form)
    assert order(insert(text, [2025, 2021])) == [
        2025, 2024, 2023, 2024, 2023, 2022, 2021, 2022, 2021, 2020, 2019, 2018,
    ]  # fmt: skip


def test_oldest_first() -> None:
    assert order(insert(listed([2018, 2019, 2020], "- {}\n"), [2021, 2019])) == [2018, 2019, 2019, 2020, 2021]


def test_months_at_the_beginnings_of_lines() -> None:
    months = ["2024/05", "2024/02", "2023/09", "2023/04"]
    text = "# Papers\n\n## Shelves\n\n" + "".join(
        f"* [{month}] **Scheduling {word} of Various Lengths.** *Stone et al. arXiv.* "
        f"[[paper](https://arxiv.org/abs/{month[2:].replace('/', '')}.0000{number})]\n"
        for number, (month, word) in enumerate(zip(months, WORDS, strict=False))
    )
    new = (
        "@misc{a, title={New Shelves for Old Books}, author={Field, Lin and Wu, Ada}, year={2024}, "
        "url={https://arxiv.org/abs/2403.01001}}"
    )
    entries = read_import(Source(new, "new.bib"), "bibtex", TAXONOMY).entries
    document = read(Source(text, "list.md"), TAXONOMY.vocabulary)
    done = insert_entries(
        document, [(entries[0], Target(document.entries[0].section, "it was named"))], TAXONOMY
    )
    dates = [line[3:10] for line in done.text.splitlines() if line.startswith("* ")]
    assert dates == sorted([*months, "2024/03"], reverse=True)


def test_no_order() -> None:
    """Then new entries stand at the end, as they are given."""
    years = [2020, 2018, 2024, 2019, 2023, 2018, 2022, 2017, 2021, 2019]
    assert order(insert(listed(years, "- {}\n"), [2025, 2016])) == [*years, 2025, 2016]


def test_a_short_section_follows_the_other_ones() -> None:
    long = "".join(
        f"- {paper(word, year, year)}\n" for word, year in zip(WORDS, range(2024, 2014, -1), strict=True)
    )
    text = f"# Papers\n\n## Short\n\n- {paper('Books', 2020, 1)}\n\n## Long\n\n{long}"
    assert order(insert(text, [2021]))[:2] == [2021, 2020]


def test_numbers_that_are_all_the_same() -> None:
    """As Markdown allows; a first number that differs is no sequence."""
    text = listed([2020, 2018, 2024, 2019], "1. {}\n").replace("1.", "0.", 1)
    assert [line[:2] for line in insert(text, [2017]) if "(OSDI" in line] == ["0.", "1.", "1.", "1.", "1."]


def test_a_fold_stays_closed_behind_the_entries() -> None:
    text = (
        "# Papers\n\n<details>\n<summary>All</summary>\n\n"
        + "".join(
            f"1. {paper(word, 2020, number)}\n\n\t*Ada Stone.*\n\n" for number, word in enumerate(WORDS[:4])
        )
        + "     </details>\n\n## Others\n\nText.\n"
    )
    lines = insert(text, [2020])
    new = next(index for index, line in enumerate(lines) if "New Shelves" in line)
    assert lines[new + 1].strip() == "</details>"


def test_hundreds_of_entries_are_read_back_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Source] = []

    def counted(source: Source, vocabulary: Any) -> Document:
        calls.append(source)
        return read(source, vocabulary)

    monkeypatch.setattr(insert_module, "read", counted)
    text = "".join(f"- {paper(word, 2020, number)}\n" for number, word in enumerate(WORDS))
    entries = "".join(
        f"@misc{{k{n}, title={{New Shelves {n}}}, year={{2020}}, url={{https://example.org/n{n}.pdf}}}}\n"
        for n in range(200)
    )
    found = read_import(Source(entries, "new.bib"), "bibtex", TAXONOMY).entries
    document = read(Source(f"# P\n\n{text}", "list.md"), TAXONOMY.vocabulary)
    done = insert_entries(document, [(entry, Target(0, "it was named")) for entry in found], TAXONOMY)
    assert len(done.inserted) == 200 and len(calls) <= 4
    assert Path(calls[0].path).name == "list.md"


@pytest.mark.parametrize(
    ("others", "last"), [("Wood Tree Leaf Bark Root", True), ("Ash Bay Elm Fir Oak", False)]
)
def test_five_names_in_order_among_lists_in_none_are_so_by_chance(others: str, last: bool) -> None:
    def section(names: str) -> str:
        return "".join(f"- [{name} of Shelves](https://{name}.example.org)\n" for name in names.split())

    text = f"## A\n\n{section('Boxes Cases Paths Rows Walls')}" + "".join(
        f"\n## {title}\n\n{section(others)}" for title in "BC"
    )
    lines = insert(text, [2020])
    assert lines.index("- [New Shelves of 2020](https://example.org/new2020.pdf)") == (6 if last else 3)
