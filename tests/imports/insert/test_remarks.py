"""What is said of entries beside that they are inserted, and why one is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.command_line import shelfread

PAPER = "@inproceedings{a, title={Sharing Pages of Attention}, author={Ada Stone}, booktitle={SOSP}, year={2023}, url={https://example.org/a.pdf}}\n"
YEARS = "# Papers\n\n" + "\n".join(
    f"## {year}\n\n| Title | Venue | Type |\n|---|---|---|\n"
    + "".join(
        f"| [Shelf {word} of {year}](https://example.org/{year}{word}.pdf) | OSDI | `W` |\n"
        for word in "One Two Three".split()
    )
    for year in (2023, 2022)
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "new.bib").write_text(PAPER)
    return tmp_path


def import_into(text: str, *arguments: str) -> tuple[int, str, str]:
    Path("list.md").write_text(text)
    done = shelfread("import", "new.bib", "--into", "list.md", "--isolated", *arguments)
    return done.exit_code, done.stderr, Path("list.md").read_text()


def test_a_section_of_another_year() -> None:
    """The user named it, so the entry stands there; that it is of another year is said, and where it would fit."""
    status, said, text = import_into(YEARS, "--section", "2022")
    assert status == 0
    assert text == YEARS + "| [Sharing Pages of Attention](https://example.org/a.pdf) | SOSP |  |\n"
    assert "note: its year is 2023, but it is below '2022'; the section '2023' would fit" in said


def test_a_section_of_the_same_year() -> None:
    status, said, text = import_into(YEARS)
    assert status == 0 and "because its year is 2023" in said and "but it is below" not in said
    assert "Sharing Pages" in text.partition("## 2022")[0]


def test_a_section_of_another_venue() -> None:
    lines = "".join(f"- [Shelf {word}](https://example.org/{word}.pdf)\n" for word in "One Two Three".split())
    status, said, text = import_into(f"# Papers\n\n## CCS 2023\n\n{lines}", "--section", "CCS 2023")
    assert status == 0 and text.endswith("- [Sharing Pages of Attention](https://example.org/a.pdf)\n")
    assert "note: its venue is SOSP, but it is below 'CCS 2023'" in said


def test_columns_that_are_empty() -> None:
    assert "note: its columns are empty: Type" in import_into(YEARS)[1]


def test_a_note_stands_in_the_column_of_its_name(folder: Path) -> None:
    head = "| Name | Price | Text | Description |\n|---|---|---|---|\n"
    rows = [
        f"| [Shelf {word}](https://{word}.example.org) | free | no | Sorts {word} books. |\n"
        for word in ("old", "new", "red", "odd")
    ]
    (folder / "new.md").write_text(head + rows[3].replace("free", "4 \\| 5"))
    text = f"# Shelves\n\n{head}{''.join(rows[:3])}"
    (folder / "list.md").write_text(text)
    done = shelfread("import", "new.md", "--into", "list.md", "--isolated")
    assert (folder / "list.md").read_text() == text + rows[3].replace("free", "4 \\| 5")
    assert "note:" not in done.stderr


@pytest.mark.parametrize("tags", ["`MIT` `Go`", ""])
def test_tags_stand_where_others_have_some_or_are_named(folder: Path, tags: str) -> None:
    lines = [
        f"- [{name}](https://{name}.org) - Sorts books. {tags}".rstrip() for name in ("Oak", "Elm", "Fir")
    ]
    (folder / "list.md").write_text("# Shelves\n\n" + "".join(f"{line}\n" for line in lines))
    new = "- [Yew](https://yew.org) - Sorts maps. `GPL` `C` `Rust`"
    done = shelfread("import", "-", "--into", "list.md", "--isolated", input=f"{new}\n")
    last = (folder / "list.md").read_text().splitlines()[-1]
    assert last == (new if tags else new.partition(" `")[0])
    assert ("no place for its note '`GPL`'" in done.stderr) is not bool(tags)


def test_a_tool_that_is_called_as_another_one(folder: Path) -> None:
    """Names are no identity, so it is inserted, and who has listed it under an address of before hears of it."""
    (folder / "new.md").write_text("- [Rye](https://rye.example.org/new) - Weighs the flour.\n")
    (folder / "list.md").write_text(
        "# Bread\n\n## A\n\n- [Rye](https://rye.example.net) - Weighs flour.\n- [Oat](https://oat.example.org) - Sifts.\n"
    )
    done = shelfread("import", "new.md", "--into", "list.md", "--isolated")
    assert "list.md:7: note: line 5 lists another one with this title" in done.stderr


def test_the_code_of_what_is_called_so_is_listed(folder: Path) -> None:
    (folder / "new.md").write_text("- [rye](https://github.com/a/rye)\n- [oat](https://github.com/a/rye)\n")
    (folder / "list.md").write_text(
        "# Bread\n\n- [Rye](https://rye.example.net) [[code]](https://github.com/a/rye)\n"
        "- [Bun](https://bun.example.net) [[code]](https://github.com/a/bun)\n"
    )
    done = shelfread("import", "new.md", "--into", "list.md", "--isolated")
    assert "skipped 'rye': list.md:3 lists it" in done.stderr and "inserted 'oat'" in done.stderr


def test_a_link_without_a_place() -> None:
    lines = "".join(
        f"- *Shelf {word} with Racks and Books* (OSDI20)\n" for word in "One Two Three Four Five Six".split()
    )
    status, said, text = import_into(f"# Papers\n\n{lines}")
    assert status == 0 and "- *Sharing Pages of Attention* (SOSP23)\n" in text
    assert "note: the list has no place for its link https://example.org/a.pdf" in said


def test_a_venue_and_a_year_without_a_place() -> None:
    lines = "".join(f"- [Shelf {word}](https://example.org/{word}.pdf)\n" for word in "One Two Three".split())
    status, said, _ = import_into(f"# Papers\n\n{lines}")
    assert status == 0 and "note: the list has no place for its venue SOSP and its year 2023" in said


def test_the_field_that_is_read_differently_is_named() -> None:
    """A title that no form can mark in a table whose cells have plain titles."""
    Path("new.bib").write_text(PAPER.replace("Sharing Pages of Attention", "![x](y.png)"))
    before = "# P\n\n- [Shelf One](https://example.org/1.pdf)\n- [Shelf Two](https://example.org/2.pdf)\n"
    status, said, text = import_into(before)
    if status:  # it may be written as text
        assert text == before and "would be read as" in said and "add it by hand" in said
    else:
        assert "png" in text


HEADINGS = "# Tools\n\n## Files\n\n" + "".join(
    f"### [{name}](https://github.com/x/{name})\n\nShows what is in {name}.\n\n"
    for name in ("bat", "eza", "fzf", "lf")
)
HTML = (
    "# Tools\n\n## Files\n\n<table>\n"
    + "".join(f"<tr><td><a href=\"https://example.org/{n}.pdf\">Shelf {n} with Racks</a></td><td>OSDI 2020</td></tr>\n" for n in range(5))
    + "</table>\n"
)  # fmt: skip


@pytest.mark.parametrize(("text", "kind"), [(HEADINGS, "headings"), (HTML, "rows of an HTML table")])
def test_entries_that_only_a_person_can_add(text: str, kind: str) -> None:
    status, said, after = import_into(text, "--section", "Files")
    assert (status, after) == (2, text)
    assert f"the entries of 'Files' are {kind} (line " in said and "without --into" in said
    assert len(said.splitlines()) == 1


def test_such_a_section_is_no_obstacle_for_others() -> None:
    text = (
        HTML.replace("## Files", "## 2023")
        + "\n## 2022\n\n- [Shelf One](https://example.org/1.pdf)\n- [Shelf Two](https://example.org/2.pdf)\n"
    )
    Path("new.bib").write_text(
        PAPER
        + PAPER.replace("{a,", "{b,")
        .replace("Sharing", "Sorting")
        .replace("2023", "2022")
        .replace("/a.", "/b.")
    )
    status, said, after = import_into(text)
    assert status == 1 and "left out 'Sharing Pages of Attention': the entries of '2023' are rows" in said
    assert after == text + "- [Sorting Pages of Attention](https://example.org/b.pdf)\n"


def test_no_link_where_others_have_one(folder: Path) -> None:
    (folder / "new.bib").write_text(
        PAPER.replace("url={https://example.org/a.pdf}", "doi={10.5555/3737916.3740000}")
    )
    tools = "".join(
        f"- **[{name}](https://{name}.example.org)**: Does it.\n" for name in "bat eza fzf".split()
    )
    _, said, text = import_into(f"# Tools\n\n{tools}")
    assert "Sharing Pages" in text and "list.md:6: note: it has no link\n" in said
    assert "new.bib:1: left out: the DOI 10.5555/3737916.3740000: it is none" in said
    assert (
        "no link"
        not in import_into("# Papers\n\n- A Shelf of Books (OSDI 2020)\n- A Row of Books (OSDI 2021)\n")[1]
    )


def test_a_doi_without_a_place() -> None:
    """Beside a link that says which paper it is, a further one is no loss."""
    lines = "".join(
        f"- **Shelf {word}.** [[paper](https://example.org/{word}.pdf)]\n" for word in "One Two Three".split()
    )
    Path("new.bib").write_text(PAPER.replace("year=", "doi={10.1145/3600006.3613175}, year="))
    _, said, text = import_into(f"# Papers\n\n{lines}")
    assert "3613175" not in text
    assert "the list has no place for its link https://doi.org/10.1145/3600006.3613175" in said
    Path("new.bib").write_text(
        PAPER.replace("year=", "doi={10.1145/3600006.3613175}, year=").replace(
            "example.org/a.pdf", "arxiv.org/abs/2401.00001"
        )
    )
    assert "no place for its link" not in import_into(f"# Papers\n\n{lines}")[1]


def test_a_heading_that_counts_its_entries() -> None:
    shelves = "- A Shelf of Books (OSDI 2020)\n- A Row of Books (OSDI 2021)\n"
    for title, is_told in (("Pages (2)", True), ("Pages · 2 papers", True), ("Pages (9)", False)):
        status, said, _ = import_into(f"# P\n\n## {title}\n\n{shelves}", "--section", title)
        assert (
            status == 0 and (f"note: the heading '{title}' has 3 entries below it now\n" in said) == is_told
        )
