"""`shelfread import`: what it recognises, prints and refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.command_line import shelfread
from support.docs import PAGES, assert_shown, fences, runs
from support.paths import ROOT

REFERENCE = "[1] Stone, A., and Field, B. Tidy shelves. In OSDI (2020).\n"
BIBTEX = "@inproceedings{stone, title={Tidy Shelves}, author={Stone, Ada}, booktitle={OSDI}, year={2020}}\n"
BROKEN = BIBTEX + "@article{never, title={Never\n"


@pytest.mark.parametrize("example", fences(PAGES["docs/growing.md"], "console"))
def test_the_documentation_shows_what_happens(example: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    ((arguments, shown),) = runs(example)
    assert_shown(shown, shelfread(*arguments).output)


def test_standard_input_is_read_without_a_file() -> None:
    done = shelfread("import", "--format", "json", input=REFERENCE)
    (entry,) = json.loads(done.stdout)
    assert (entry["title"], entry["venue"], entry["year"], entry["path"]) == (
        "Tidy shelves",
        "OSDI",
        2020,
        "<stdin>",
    )
    assert done.stderr == "shelfread: <stdin>: recognised a reference list: 1 entry\n"
    assert done.exit_code == 0


def test_the_kind_can_be_said() -> None:
    done = shelfread(
        "import",
        "--from",
        "markdown",
        "--format",
        "json",
        input="- Tidy Shelves (OSDI 2020)\n- Wide Shelves (SOSP 2019)\n",
    )
    assert [entry["venue"] for entry in json.loads(done.stdout)] == ["OSDI", "SOSP"]
    assert "read as Markdown" in done.stderr


@pytest.mark.parametrize("form", ["json", "jsonl", "csl-json", "bibtex", "ris", "csv"])
def test_every_format_can_be_read_back(form: str, tmp_path: Path) -> None:
    target = tmp_path / "out"
    source = "title,authors,venue,year,url\nTidy Shelves,Ada Stone; Ben de Field,OSDI,2020,https://doi.org/10.1145/3302424.3303953\n"
    assert shelfread("import", "--format", form, "--output-file", str(target), input=source).exit_code == 0
    (entry,) = json.loads(shelfread("import", str(target), "--format", "json").stdout)
    assert (entry["title"], entry["venue"], entry["year"]) == ("Tidy Shelves", "OSDI", 2020)
    assert entry["identifiers"]["doi"] == "10.1145/3302424.3303953"
    assert [
        author.replace("Stone, Ada", "Ada Stone").replace("de Field, Ben", "Ben de Field")
        for author in entry["authors"]
    ] == ["Ada Stone", "Ben de Field"]


def test_good_entries_are_given_and_broken_ones_are_named() -> None:
    done = shelfread("import", "--format", "jsonl", input=BROKEN)
    assert json.loads(done.stdout)["title"] == "Tidy Shelves"
    assert "<stdin>:2: left out: a broken entry: it is not closed" in done.stderr
    assert done.exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "given", "message"),
    [
        ((), "", "nothing to import: it is empty"),
        ((), " \n\t\n", "nothing to import: it is empty"),
        ((), "Just a sentence without any reference in it, as a page has many of them.", "this is no reference (--from says what it is)"),
        (("--from", "bibtex"), REFERENCE, "read as BibTeX, it has no entry"),
        (("--from", "ris"), REFERENCE, "read as RIS, it has no entry"),
        (("--from", "csl-json"), '[{"title": "x"},\n {', "2:3: invalid JSON"),
        (("--from", "csv"), "a,b\n1,2\n", "the first line names no column of titles"),
        (("--from", "scholar"), REFERENCE, "it has no entry"),
        (("missing.bib",), "", "missing.bib: cannot be read"),
    ],
)  # fmt: skip
def test_what_has_no_entry_is_an_error_in_one_line(
    arguments: tuple[str, ...], given: str, message: str, tmp_path: Path
) -> None:
    target = tmp_path / "out.json"
    done = shelfread("import", *arguments, "--output-file", str(target), input=given)
    assert done.exit_code == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
    assert not target.exists()


def test_a_table_with_a_header_in_another_language() -> None:
    table = "Titel;Autor;Año;Beschreibung\nÜber Netze und Graphen;Ada Stone;2021;Ein Überblick\n"
    (entry,) = json.loads(shelfread("import", "--format", "json", input=table).stdout)
    assert (entry["title"], entry["authors"], entry["year"], entry["description"]) == (
        "Über Netze und Graphen", ["Ada Stone"], 2021, "Ein Überblick",
    )  # fmt: skip


def test_a_table_of_markdown_is_no_csv() -> None:
    """Its links are read, and what stands beside them in brackets is what it says of them."""
    table = "| Name | Year |\n|---|---|\n| [Oven](https://oven.example) (free of charge) | 2019 |\n"
    done = shelfread("import", "--format", "json", input=table)
    (entry,) = json.loads(done.stdout)
    assert "recognised Markdown: 1 entry" in done.stderr
    assert entry["title"] == "Oven" and entry["description"] == "free of charge"


def test_a_link_in_brackets_is_no_note() -> None:
    links = "[Ovens at home](https://example.com/h), [Ovens tested on wheat](https://example.net/t)"
    listed = (
        f"- [Ovens](https://oven.example) - Bakes bread. ({links})\n- [Rye](https://rye.example) - Rye.\n"
    )
    entry, _ = json.loads(shelfread("import", "--format", "json", input=listed).stdout)
    assert not entry["notes"] and entry["links"][2]["label"] == "Ovens tested on wheat"


def test_columns_of_csv_that_no_field_holds_are_named() -> None:
    table = 'title,author,year,Stars,dialect\nOvens for All,"Stone, Ada",2019,1.2k,csv\n'
    done = shelfread("import", "--format", "json", input=table)
    assert done.exit_code == 0
    assert "<stdin>:1: left out: what no field holds: Stars\n" in done.stderr
    assert json.loads(done.stdout)[0]["authors"] == ["Stone, Ada"]  # one person


def test_words_in_a_column_of_csv_that_is_called_as_links_are_become_notes() -> None:
    table = "name,url,API,Docs,Code\nRye,https://rye.example.org,yes,-,https://github.com/openshelf/rye\n"
    (entry,) = json.loads(shelfread("import", "--format", "json", input=table).stdout)
    assert entry["notes"] == ["API: yes"]
    assert [link["role"] for link in entry["links"]] == [None, "code"]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_a_table_with_any_newlines(newline: str) -> None:
    table = newline.join(("", "title,year", "Tidy Shelves,2020", "Wide Shelves,2021", ""))
    done = shelfread("import", "--from", "csv", "--format", "json", input=table)
    assert [(entry["title"], entry["line"]) for entry in json.loads(done.stdout)] == [
        ("Tidy Shelves", 3),
        ("Wide Shelves", 4),
    ]


def test_a_text_that_is_not_utf_8_is_an_error() -> None:
    done = shelfread("import", input=BIBTEX.replace("Tidy", "Ordnung für").encode("latin-1"))
    assert done.exit_code == 2
    assert "not UTF-8 at byte" in done.stderr


def test_a_list_is_not_overwritten(tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("# A list\n")
    done = shelfread("import", "--output-file", str(readme), input=REFERENCE)
    assert done.exit_code == 2
    assert readme.read_text() == "# A list\n"


def test_a_title_cannot_control_the_terminal() -> None:
    done = shelfread(
        "import", "--format", "jsonl", input="[1] Stone, A. Tidy \x1b]0;x\x07shelves\u202e. In OSDI (2020).\n"
    )
    assert "\x1b" not in done.output and "\u202e" not in done.output


# ------------------------------------------------------------------------------------------------------- --into
LIST = """# Papers

## 2019

- Apple: Books (NSDI 2019) [[Paper](https://arxiv.org/abs/1901.00001)]

## 2020

- Beet: Order (SOSP 2020) [[Paper](https://arxiv.org/abs/2001.00002)]
"""
LISTED = "@misc{beet, title={Beet: Order}, year={2020}, eprint={2001.00002}, archiveprefix={arXiv}}\n"


@pytest.fixture
def papers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("papers.md").write_text(LIST)
    return Path("papers.md")


def test_an_entry_goes_into_the_section_of_its_year(papers: Path) -> None:
    done = shelfread("import", "--into", "papers.md", input=BIBTEX + LISTED)
    assert papers.read_text() == LIST + "- Tidy Shelves (OSDI 2020)\n"
    assert done.stderr.splitlines()[1:] == [
        "shelfread: papers.md:10: inserted 'Tidy Shelves' in '2020', because its year is 2020",
        "shelfread: papers.md:10: note: it has no link",
        "shelfread: <stdin>:2: skipped 'Beet: Order': papers.md:9 lists it",
    ]
    assert done.exit_code == 0


def test_a_second_import_changes_nothing(papers: Path) -> None:
    shelfread("import", "--into", "papers.md", input=BIBTEX)
    after = papers.read_text()
    done = shelfread("import", "--into", "papers.md", input=BIBTEX + BIBTEX)
    assert papers.read_text() == after
    assert "skipped 'Tidy Shelves': papers.md:10 lists it" in done.stderr


def test_what_the_input_has_twice_is_inserted_once(papers: Path) -> None:
    done = shelfread("import", "--into", "papers.md", input=BIBTEX + BIBTEX)
    first, *_, second = done.stderr.splitlines()[1:]
    assert "inserted 'Tidy Shelves'" in first
    assert second.endswith("skipped 'Tidy Shelves': it is the same as <stdin>:1")


@pytest.mark.parametrize("others", ["", "- Corn: Rows [[Paper](https://www.nature.com/articles/s41586-1)]\n"])
def test_a_page_of_one_paper_is_listed_under_any_title(papers: Path, others: str) -> None:
    """A page that several entries have is that of none of them alone."""
    papers.write_text(f"{LIST}- Oat: Piles [[Paper](https://www.nature.com/articles/s41586-1)]\n{others}")
    new = "@article{a, title={Piling Oats}, journal={Nature}, year={2023}, url={https://nature.com/articles/s41586-1}}\n"
    done = shelfread("import", "--into", "papers.md", "--section", "2020", input=new)
    assert ("skipped 'Piling Oats': papers.md:10 lists it" in done.stderr) is (not others)
    assert ("Piling Oats" in papers.read_text()) is bool(others)


def test_what_another_file_lists_is_skipped(papers: Path) -> None:
    Path(".shelfread.yaml").write_text("include: ['*.md']\n")
    Path("other.md").write_text(
        "# Others\n\n- Tidy Shelves of Books (OSDI 2020) [[Paper](https://arxiv.org/abs/2009.00001)]\n"
    )
    done = shelfread(
        "import", "--into", "papers.md", input=BIBTEX.replace("Tidy Shelves", "Tidy Shelves of Books")
    )
    assert "other.md:3 lists it" in done.stderr
    assert papers.read_text() == LIST
    Path("other.md").rename("papers.zh.md")  # a translation of the list lists the same
    done = shelfread(
        "import", "--into", "papers.md", input=BIBTEX.replace("Tidy Shelves", "Tidy Shelves of Books")
    )
    assert "papers.md:10: inserted 'Tidy Shelves of Books'" in done.stderr


def test_one_link_where_the_address_states_the_doi() -> None:
    given = "@article{a, title={Tidy Shelves}, journal={Nature}, doi={10.1038/s41586-020-1}, url={%s}}"
    for url, links in (
        ("https://nature.com/articles/s41586-020-1", "[[Paper](https://nature.com/articles/s41586-020-1)]"),
        (
            "https://a.example/1",
            "[[Paper](https://a.example/1)] [[DOI](https://doi.org/10.1038/s41586-020-1)]",
        ),
    ):
        assert f" {links}\n" in shelfread("import", input=given % url).stdout + "\n"


def test_a_diff_changes_nothing(papers: Path) -> None:
    done = shelfread("import", "--into", "papers.md", "--diff", input=BIBTEX)
    assert "+- Tidy Shelves (OSDI 2020)\n" in done.stdout
    assert "would insert 'Tidy Shelves'" in done.stderr
    assert papers.read_text() == LIST


def test_a_section_can_be_named(papers: Path) -> None:
    shelfread("import", "--into", "papers.md", "--section", "papers > 2019", input=BIBTEX)
    assert "- Tidy Shelves (OSDI 2020)\n\n## 2020" in papers.read_text()


@pytest.mark.parametrize(
    ("arguments", "given", "message"),
    [
        (("--section", "2091"), BIBTEX, "papers.md: no section is called '2091', did you mean '2019'?"),
        (("--section", "Shelves"), BIBTEX, "papers.md: no section is called 'Shelves': the sections are 'Papers', '2019', '2020'"),
        (("--section", "Papers > 2091"), BIBTEX, "papers.md: no section is called 'Papers > 2091', did you mean '2019'?"),
        (("--section", "Pages", "--new-section", "Rain"), BIBTEX, "papers.md: no section is called 'Pages', did you mean 'Papers'?"),
        (("--new-section", "2020"), BIBTEX, "papers.md: there is a section '2020' already (line 7): use --section"),
        (("--new-section", "!"), BIBTEX, "papers.md: a new section needs a name with letters or digits"),
        (("--section", "Papers"), BIBTEX.replace("2020", "2021"), "the section 'Papers' has no entries of its own: name one of those below it: 2019, 2020"),
    ],
)  # fmt: skip
def test_a_section_that_is_not_known_is_an_error(
    papers: Path, arguments: tuple[str, ...], given: str, message: str
) -> None:
    done = shelfread("import", "--into", "papers.md", *arguments, input=given)
    assert done.exit_code == 2
    assert message in done.stderr
    assert papers.read_text() == LIST


@pytest.mark.parametrize(
    ("entry", "description"),
    [
        ("@software{a, title={Rack}, url={https://rack.org}, note={Stores {books} \\& more}}", "Stores books & more"),
        ("@online{a, title={Rack}, url={https://rack.org}, abstract={Stores books.}}", "Stores books."),
        ("@misc{a, title={Rack}, url={https://rack.org}, note={Accessed: 2024-01-01}}", None),
        ("@misc{a, title={Rack}, eprint={2401.00001}, note={Stores books}}", None),
        ("@article{a, title={Rack}, journal={JMLR}, year={2020}, note={Stores books}}", None),
    ],
)  # fmt: skip
def test_the_note_of_a_thing_is_its_description(entry: str, description: str | None) -> None:
    (read,) = json.loads(shelfread("import", "--format", "json", input=entry).stdout)
    assert read["description"] == description


@pytest.mark.parametrize(
    ("note", "links", "notes"),
    [
        ("Code: \\url{https://github.com/ada/rack}, accessed 2020", [("Code", "https://github.com/ada/rack")], []),
        ("Best paper", [], ["Best paper"]),
        ("Publisher: Shelf Press", [], []),
    ],
)  # fmt: skip
def test_the_note_of_a_paper_is_kept_with_its_links(
    note: str, links: list[tuple[str, str]], notes: list[str]
) -> None:
    paper = f"@article{{a, title={{Rack}}, journal={{JMLR}}, url={{https://rack.org}}, note={{{note}}}}}"
    (read,) = json.loads(shelfread("import", "--format", "json", input=paper).stdout)
    assert [(link["label"], link["url"]) for link in read["links"][1:]] == links
    assert read["notes"] == notes


def test_a_part_of_a_title_is_no_section_but_may_mean_some(papers: Path) -> None:
    for title in ("Libraries And Frameworks", "Libraries in Rust"):
        papers.write_text(papers.read_text() + f"\n## {title}\n\n- Wide Shelves (OSDI 2021)\n")
    done = shelfread("import", "--into", "papers.md", "--section", "Librares", input=BIBTEX)
    assert "did you mean 'Libraries And Frameworks' or 'Libraries in Rust'?" in done.stderr


@pytest.mark.parametrize(
    ("section", "message"),
    [
        ("Systems", "the section 'Systems' has no entries of its own: name one of those below it: 2019"),
        ("目录", "the section '目录' is a table of contents: name one for entries"),
    ],
)
def test_entries_stand_in_no_section_over_others(papers: Path, section: str, message: str) -> None:
    text = "## 目录\n\n- [Systems](#systems)\n\n## Systems\n\n### Training\n\n#### 2019\n\n- Fd: Finding Files (OSDI 2019)\n"
    papers.write_text(text)
    done = shelfread("import", "--into", "papers.md", "--section", section, input=BIBTEX)
    assert done.exit_code == 2 and message in done.stderr
    assert papers.read_text() == text


@pytest.mark.parametrize(
    "arguments",
    [
        ("--section", "x"),
        ("--new-section", "x"),
        ("--diff",),
        ("--into", "papers.md", "--format", "json"),
        ("--into", "papers.md", "--diff", "--output-file", "rest.md"),
    ],
)
def test_options_that_do_not_go_together(papers: Path, arguments: tuple[str, ...]) -> None:
    assert shelfread("import", *arguments, input=BIBTEX).exit_code == 2


def test_a_new_section_stands_among_those_that_part_most_entries(papers: Path) -> None:
    row = "- Fd: Finding Files {} (OSDI 2019)\n"
    parts = "".join(
        f"### {name}\n\n" + "".join(map(row.format, range(4))) + "\n" for name in ("Apples", "Pears")
    )
    papers.write_text(f"# Sponsor\n\n{row.format(9)}\n# Papers\n\n## Index\n\n{parts}## License\n\nMIT\n")
    done = shelfread("import", "--into", "papers.md", "--new-section", "Plums", input=BIBTEX)
    assert done.exit_code == 0, done.stderr
    assert "### Plums\n\n- Tidy Shelves (OSDI 2020)\n" in papers.read_text().partition("## License")[0]


def test_a_new_section_stands_before_one_that_the_contents_omit(papers: Path) -> None:
    names = ("Apples", "Pears", "Quinces")
    contents = "".join(f"- [{name}](#{name.lower()})\n" for name in names)
    sections = "".join(
        f"\n## {name}\n\n- Fd: Finding {name} (OSDI 2019)\n"
        for name in ("Quinces", "Pears", "Apples", "Goodbye")
    )
    papers.write_text(f"# Papers\n\n## Contents\n\n{contents}{sections}")
    done = shelfread("import", "--into", "papers.md", "--new-section", "Figs", input=BIBTEX)
    assert done.exit_code == 0, done.stderr
    assert "## Figs\n\n- Tidy Shelves (OSDI 2020)\n\n## Goodbye\n" in papers.read_text()


@pytest.mark.parametrize(
    ("titles", "name", "following"),
    [
        (("2023", "2021", "Data"), "2022", "2021"),
        (("2023", "2021", "Data"), "2020", "Data"),
        (("Data", "2019", "2021"), "2020", "2021"),
        (("Wood", "Trees"), "3. Plums", None),
    ],
)
def test_a_new_year_stands_among_the_years(
    papers: Path, titles: tuple[str, ...], name: str, following: str | None
) -> None:
    """And a number needs no backslash behind the marks of a heading."""
    sections = "".join(f"\n## {title}\n\n- Fd: Finding {title[-2:]} (OSDI 2019)\n" for title in titles)
    papers.write_text(f"# Papers\n{sections}")
    done = shelfread("import", "--into", "papers.md", "--new-section", name, input=BIBTEX)
    assert done.exit_code == 0, done.stderr
    end = f"\n## {following}\n" if following else ""
    assert f"\n## {name}\n\n- Tidy Shelves (OSDI 2020)\n{end}" in papers.read_text()


def test_a_new_section_that_is_there_with_a_number(papers: Path) -> None:
    papers.write_text("# P\n\n## 1 Figs\n\n- Fd (OSDI 2019)\n\n## 2 Plums\n\n- Fe (OSDI 2019)\n")
    done = shelfread("import", "--into", "papers.md", "--new-section", "Plums", input=BIBTEX)
    assert done.exit_code == 2 and "there is a section '2 Plums' already (line 7)" in done.stderr


def test_a_named_section_is_the_one_with_entries(papers: Path) -> None:
    papers.write_text("# P\n\n## Catalog\n\n#### [Plums](#plums)\n\n## Plums\n\n- Fe (OSDI 2019)\n")
    done = shelfread("import", "--into", "papers.md", "--section", "Plums", input=BIBTEX)
    assert done.exit_code == 0 and "inserted 'Tidy Shelves' in 'Plums'" in done.stderr


def test_a_new_section_has_the_line_that_parts_the_others(papers: Path) -> None:
    sections = [f"## {name}\n\n- Fd: Finding {name} (OSDI 2019)\n" for name in ("Apples", "Pears", "Quinces")]
    papers.write_text("# Papers\n\n" + "\n----\n\n".join(sections))
    for name in ("Roots", "Figs"):
        shelfread("import", "--into", "papers.md", "--new-section", name, input=BIBTEX.replace("Tidy", name))
    written = papers.read_text()
    assert "\n\n----\n\n## Roots\n\n- Roots Shelves (OSDI 2020)\n" in written
    assert "\n\n----\n\n## Figs\n\n- Figs Shelves (OSDI 2020)\n\n----\n\n## Pears\n" in written


def test_a_new_section_has_the_bullet_of_the_outer_lists(papers: Path) -> None:
    papers.write_text(
        "# Papers\n\n## Apples\n\n- All:\n  + Fd: Finding Files (OSDI 2019)\n  + Fd: Finding Rows (OSDI 2018)\n"
    )
    done = shelfread("import", "--into", "papers.md", "--new-section", "Plums", input=BIBTEX)
    assert done.exit_code == 0, done.stderr
    assert "## Plums\n\n- Tidy Shelves (OSDI 2020)\n" in papers.read_text()


def test_a_blank_line_below_a_new_heading_as_below_the_others(papers: Path) -> None:
    papers.write_text("# Papers\n\n## Apples\n\nWords.\n\n- First words.\n- Fd: Finding Files (OSDI 2019)\n")
    shelfread("import", "--into", "papers.md", "--new-section", "Plums", input=BIBTEX)
    assert "## Plums\n\n- Tidy Shelves (OSDI 2020)\n" in papers.read_text()


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_new_section_is_listed_in_the_contents(papers: Path, newline: str) -> None:
    """Also in those of two sections, which their heading shows to be contents."""
    text = "# Papers\n\n## Contents\n\n- [Apples](#apples)\n- [Pears](#pears)\n\n## Apples\n\n- Fd: Finding Files (OSDI 2018)\n\n## Pears\n\n- Fd: Finding Files (OSDI 2019)\n"
    papers.write_bytes(text.replace("\n", newline).encode())
    done = shelfread("import", "--into", "papers.md", "--new-section", "Plum Trees", input=BIBTEX)
    assert done.exit_code == 0, done.stderr
    after = text.replace("(#pears)\n", "(#pears)\n- [Plum Trees](#plum-trees)\n")
    after += "\n## Plum Trees\n\n- Tidy Shelves (OSDI 2020)\n"
    assert papers.read_bytes().decode() == after.replace("\n", newline)


def test_contents_that_a_tool_writes_are_said_to_lack_a_new_section(papers: Path) -> None:
    names = ("Apples", "Pears", "Quinces")
    contents = "".join(f"- [{name}](#{name.lower()})\n" for name in names)
    sections = "".join(f"\n## {name}\n\n- Fd: Finding {name} (OSDI 2018)\n" for name in names)
    listed = "it is the new section, which the table of contents does not list yet\n"
    for before, behind in (("", ""), ("<!-- TOC depthFrom:2 -->\n\n", "\n<!-- /TOC -->\n")):
        papers.write_text(f"# Papers\n\n## Contents\n\n{before}{contents}{behind}{sections}")
        done = shelfread("import", "--into", "papers.md", "--new-section", "Roots", input=BIBTEX)
        assert done.exit_code == 0 and done.stderr.endswith(listed) == bool(before)
        assert ("- [Roots](#roots)\n" in papers.read_text()) == (not before)


def test_entries_of_a_new_section_stand_as_close_to_its_heading_as_others(papers: Path) -> None:
    lists = "\n\n".join(
        f"## Topic {name}\n- [Paper {name}](https://example.org/{name}) - Shelves." for name in "ABC"
    )
    papers.write_text(f"# Shelf\n\n{lists}\n")
    done = shelfread("import", "--into", "papers.md", "--new-section", "Plums", input=BIBTEX)
    assert done.exit_code == 0
    assert "\n\n## Plums\n- Tidy Shelves (OSDI 2020)\n\n" in papers.read_text()


@pytest.mark.parametrize("above", [(), ("--section", "Apples")])
def test_a_new_section_stands_before_the_break_behind_the_last_one(
    papers: Path, above: tuple[str, ...]
) -> None:
    """It ends a section, or parts the list from the page's closing words."""
    row = "- Fd: Finding Files {} (OSDI 2019)\n"
    end = "\n---\n\n"
    papers.write_text(
        f"# Papers\n\n## Apples\n\n### Red\n\n{row.format(1)}{end}## Pears\n\n{row.format(2)}{end}*Goodbye!*\n"
    )
    done = shelfread("import", "--into", "papers.md", *above, "--new-section", "Plums", input=BIBTEX)
    assert done.exit_code == 0, done.stderr
    level, last = ("###", 1) if above else ("##", 2)
    new = f"{row.format(last)}\n{level} Plums\n\n- Tidy Shelves (OSDI 2020)\n{end}"
    assert new in papers.read_text()


def test_a_new_section_is_no_title_of_a_page_with_two(papers: Path) -> None:
    row = "- Fd: Finding Files {} (OSDI 2019)\n"
    papers.write_text(
        f"# Papers\n\n## Apples\n\n{row.format(1)}{row.format(2)}\n# More\n\n## Pears\n\n{row.format(3)}"
    )
    done = shelfread("import", "--into", "papers.md", "--new-section", "Plums", input=BIBTEX)
    assert done.exit_code == 0, done.stderr
    assert "\n## Plums\n\n- Tidy Shelves (OSDI 2020)\n" in papers.read_text()


def test_a_new_section_has_the_level_of_those_in_html(papers: Path) -> None:
    row = "- Fd: Finding Files {} (OSDI 2019)\n"
    parts = (
        f'<h3 id="{name}">\n{name}\n</h3>\n\n{row.format(number)}\n'
        for number, name in enumerate(("Apples", "Pears", "Quinces"))
    )
    papers.write_text(f"# Papers\n\n{''.join(parts)}")
    done = shelfread("import", "--into", "papers.md", "--new-section", "Plums", input=BIBTEX)
    assert done.exit_code == 0, done.stderr
    assert '2019)\n\n### Plums\n\n- Tidy Shelves (OSDI 2020)\n\n<h3 id="Quinces">' in papers.read_text()


def test_what_a_list_has_no_place_for_is_said(papers: Path) -> None:
    form = "- <[Books of Room {0}](https://arxiv.org/abs/1612.0000{0})> by {1}, 2016.\n"
    bare = "- Rack {0} (2016) [[Paper](https://arxiv.org/abs/1612.0100{0})]\n"
    named = "".join(form.format(*each) for each in enumerate((*PEOPLE, "Ada Stone, Ben Field", "Guy Marsh")))
    papers.write_text(f"# Papers\n\n## Wood\n\n{''.join(map(bare.format, range(3)))}\n## Books\n\n{named}")
    given = "- Tidy Shelves (2019) (best paper) [[Paper](https://arxiv.org/abs/1907.01234)]\n  - Authors: Ada Stone\n"
    done = shelfread("import", "--into", "papers.md", "--section", "Wood", "--diff", input=given)
    assert "note: the list has no place for its authors and its note 'best paper'" in done.stderr
    done = shelfread("import", "--into", "papers.md", "--section", "Books", "--diff", input=given)
    assert "+- <[Tidy Shelves](https://arxiv.org/abs/1907.01234)> by Ada Stone, 2019.\n" in done.stdout
    assert "note: the list has no place for its note 'best paper'" in done.stderr
    papers.write_text(
        "# Papers\n\n" + "".join(f"- [Shelf {number}](https://x{number}.example)\n" for number in range(5))
    )
    given = given.replace("(2019)", "(OSDI 2019)")
    done = shelfread("import", "--into", "papers.md", "--diff", input=given)
    assert "no place for its venue OSDI, its year 2019 and its note 'best paper'" in done.stderr


def test_a_list_that_is_generated_is_said_to_be(papers: Path) -> None:
    papers.write_text("<!-- Generated from data/list.yml, do not edit. -->\n\n" + LIST)
    done = shelfread("import", "--into", "papers.md", "--section", "2020", input=BIBTEX)
    said = "papers.md is generated from data/list.yml, and when it is made anew, this is lost: edit data/list.yml"
    assert done.exit_code == 0 and said in done.stderr


def test_an_identifier_without_a_title_is_left_out(papers: Path) -> None:
    done = shelfread("import", "--into", "papers.md", "--section", "2020", input="arXiv:2005.00001\n")
    assert "<stdin>:1: left out: its title is not known: 'shelfread add'" in done.stderr
    assert done.exit_code == 1
    assert papers.read_text() == LIST


def test_a_file_that_is_no_list_is_not_changed(papers: Path) -> None:
    Path("LICENSE.md").write_text("# MIT License\n\n- Permission is granted\n")
    done = shelfread("import", "--into", "LICENSE.md", "--section", "MIT License", input=BIBTEX)
    assert done.exit_code == 2
    assert shelfread("import", "--into", "missing.md", input=BIBTEX).exit_code == 2


ODD = "@misc{odd, title={Odd Shelves}, author={Stone, Ada}, year={2018}, eprint={1801.00003}, archiveprefix={arXiv}}\n"


def test_what_has_no_sure_section_waits_in_a_file_for_a_choice(papers: Path) -> None:
    arguments = ("--into", "papers.md", "--output-file", "rest.md")
    Path(".shelfread.yaml").touch()  # rest.md is a file of the project
    done = shelfread("import", *arguments, input=BIBTEX + ODD)
    assert "- Tidy Shelves (OSDI 2020)" in papers.read_text() and "Odd Shelves" not in papers.read_text()
    assert "<stdin>:2: left out 'Odd Shelves': its section is not sure: 20" in done.stderr
    assert "rest.md: 1 entry: leave one section of each, and import it again" in done.stderr
    assert done.exit_code == 1
    rest, before = Path("rest.md"), papers.read_text()
    assert "- Odd Shelves (arXiv 2018) [[Paper](https://arxiv.org/abs/1801.00003)]" in rest.read_text()
    assert "Odd Shelves" not in shelfread("export").stdout, "it is no list yet"
    again = shelfread("import", "--into", "papers.md", input=ODD)
    assert "left out 'Odd Shelves'" in again.stderr and "rest.md" not in again.stderr
    assert shelfread("import", "rest.md", *arguments).exit_code == 1, "nothing was chosen"
    assert papers.read_text() == before
    head, _, _ = rest.read_text().rpartition("  <!-- section: ")
    rest.write_text(f"{head}  <!-- section: 2091 -->\n")
    done = shelfread("import", "rest.md", *arguments)
    assert "no section is called '2091', did you mean '2019'?" in done.stderr and done.exit_code == 1
    rest.write_text(f"{head}  <!-- section: Papers > 2019 (47 %) -->\n")
    done = shelfread("import", "rest.md", *arguments)
    assert done.exit_code == 0 and "because it was named" in done.stderr
    assert "Odd Shelves" in papers.read_text().partition("## 2020")[0]
    assert rest.read_text() == "<!-- Exported by shelfread. -->\n"
    assert "rest.md: no entry is left" in done.stderr


def test_a_path_in_the_file_is_one_that_can_be_named(papers: Path) -> None:
    parts = (f"## {name}\n\n### Others\n\n- Fd: Finding {name} (OSDI 2019)\n" for name in ("Files", "Books"))
    papers.write_text("# Papers\n\n" + "\n".join(parts))
    shelfread("import", "--into", "papers.md", "--output-file", "rest.md", input=ODD)
    section = Path("rest.md").read_text().partition("<!-- section: ")[2].partition(" (")[0]
    assert section in ("Files > Others", "Books > Others")
    assert shelfread("import", "--into", "papers.md", "--section", section, input=ODD).exit_code == 0


def test_how_to_choose_is_said_without_a_file(papers: Path) -> None:
    done = shelfread("import", "--into", "papers.md", input=ODD)
    assert "--output-file FILE writes these entries with the likeliest ones" in done.stderr
    assert done.exit_code == 1 and papers.read_text() == LIST and not Path("rest.md").exists()


def test_a_new_section_is_sorted_and_parted_as_the_others(papers: Path) -> None:
    names = "Ant Bee Cat Dog Elk Fox Gnu Hen Ibex Jay".split()
    items = "".join(f"- [{name}](https://{name.lower()}.org) - Sorts.\n" for name in names)
    text = "# Tools\n" + "".join(f"\n\n## {title}\n\n{items}" for title in ("Cups", "Racks", "Boxes"))
    papers.write_text(text)
    new = [f"- [{name}](https://{name.lower()}.net) - Sorts.\n" for name in ("Yak", "Owl")]
    done = shelfread("import", "--into", "papers.md", "--new-section", "Odd", input="".join(new))
    assert done.exit_code == 0, done.stderr
    assert papers.read_text() == f"{text}\n\n## Odd\n\n{new[1]}{new[0]}"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("2018",), "# Papers\n\n## 2018\n\n- Odd"),
        (("2021",), LIST + "\n## 2021\n\n- Odd"),
        (("Odd & [Ends]", "--section", "2019"), "NSDI 2019) [[Paper](https://arxiv.org/abs/1901.00001)]\n\n### Odd & \\[Ends\\]\n\n- Odd"),
    ],
)  # fmt: skip
def test_a_new_section(papers: Path, arguments: tuple[str, ...], expected: str) -> None:
    """The alphabet orders three sections or more, so 2018 stands first."""
    papers.write_text(LIST.replace("## 2020", "## 2019.5\n\n- Chard: Rows (SOSP 2019)\n\n## 2020"))
    expected = expected.replace(LIST, papers.read_text())
    done = shelfread("import", "--into", "papers.md", "--new-section", *arguments, input=ODD)
    assert done.exit_code == 0, done.stderr
    assert "because it is the new section" in done.stderr
    assert expected in papers.read_text()
    without = "\n".join(
        line for line in papers.read_text().split("\n") if "Odd" not in line and line != f"## {arguments[0]}"
    )
    assert (
        without.split()
        == LIST.replace("## 2020", "## 2019.5\n\n- Chard: Rows (SOSP 2019)\n\n## 2020").split()
    )


@pytest.mark.parametrize("end", ["", "\n", "\n\n", "\n\n\n"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_new_section_at_the_end_changes_no_line(papers: Path, end: str, newline: str) -> None:
    text = (LIST.rstrip() + end).replace("\n", newline)
    papers.write_bytes(text.encode())
    done = shelfread("import", "--into", "papers.md", "--new-section", "2021", input=ODD)
    assert done.exit_code == 0, done.stderr
    after = papers.read_bytes().decode()
    assert after.startswith(text) and f"{newline}{newline}## 2021{newline}{newline}- Odd" in after


def test_doubts_are_named_at_their_entries() -> None:
    done = shelfread("import", input="[1] A. Stone, B. Field, et al. Tidy shelves. In OSDI (2020).\n")
    assert done.stdout.endswith("  - Authors: A. Stone, B. Field, et al.\n  <!-- uncertain: authors -->\n")
    again = shelfread("import", "--from", "markdown", "--format", "json", input=done.stdout)
    (entry,) = json.loads(again.stdout)
    assert (entry["title"], entry["authors"], entry["notes"]) == (
        "Tidy shelves",
        ["A. Stone", "B. Field"],
        [],
    )


def test_lines_of_markdown_that_no_entry_holds_are_named() -> None:
    text = "# Shelves\n\n- [Rows](#rows)\n- [Racks](#racks)\n\n## Rows\n\n- [Tidy](https://a.example/tidy) - Keeps books in order.\n"
    done = shelfread(
        "import", input=text + "\n## Racks\n\n- [Wide](https://a.example/wide) - Holds many books.\n"
    )
    assert "<stdin>:3: left out: a table of contents" in done.stderr and done.exit_code == 0
    done = shelfread("import", input=text + "- words alone, without any address at all\n")
    assert "<stdin>:9: left out: words without a link" in done.stderr and done.exit_code == 1


@pytest.mark.parametrize(
    "stated",
    [
        "@misc{a, title={Tidy Shelves}, eprint={9901001}, archivePrefix={arXiv}, primaryClass={hep-th}}",
        "@misc{a, title={Tidy Shelves}, eprint={9901001}, eprinttype={hep-th}}",
        "@misc{a, title={Tidy Shelves}, eprint={arXiv:hep-th/9901001v2}}",
        "@article{a, title={Tidy Shelves}, journal={CoRR}, volume={hep-th/9901001}}",
        "@article{a, title={Tidy Shelves}, journal={SomeConf}, arxiv={hep-th/9901001}}",
        "@misc{a, title={Tidy Shelves}, howpublished={\\url{https://arxiv.org/pdf/hep-th/9901001v1.pdf}}}",
        "[1] A. Stone, B. Field, “Tidy Shelves,” hep-th/9901001, 1999.",
        "[1] A. Stone, B. Field, “Tidy Shelves,” arxiv.org/abs/hep-th/9901001, 1999.",
        "[1] A. Stone, B. Field, “Tidy Shelves,” Shelf Lett. 59 (1999) 1 [hep-th/9901001].",
        "TY  - JOUR\nTI  - Tidy Shelves\nM1  - arXiv:hep-th/9901001\nER  - \n",
        "title,year,arxiv\nTidy Shelves,1999,hep-th/9901001\n",
        "title,year,venue\nTidy Shelves,1999,arxiv.org/abs/hep-th/9901001\n",
        '[{"title": "Tidy Shelves", "note": "arXiv:hep-th/9901001 [hep-th]"}]',
        '[{"title": "Tidy Shelves", "archive": "arXiv", "archive_location": "hep-th/9901001"}]',
        "Tidy Shelves\nA Stone, B Field - arXiv preprint hep-th/9901001, 1999 - arxiv.org\n",
        "• Tidy Shelves (arXiv 1999) [Paper]\n  • arXiv preprint hep-th/9901001 (1999).\n• Wide Shelves (OSDI 2020) [Paper]\n",
    ],
)
def test_an_arxiv_id_is_kept_in_every_form(stated: str) -> None:
    done = shelfread("import", "--format", "json", input=stated)
    first = json.loads(done.stdout)[0]
    assert (first["title"], first["identifiers"]["arxiv"]) == ("Tidy Shelves", "hep-th/9901001"), done.stderr
    assert "arxiv.org/" not in (first["venue_text"] or "")
    assert "https://arxiv.org/" in shelfread("import", input=stated).stdout


@pytest.mark.parametrize(
    "stated",
    [
        "@misc{a, title={Tidy Shelves}, eprint={2003.06307}, eprinttype={jstor}}",
        "[1] A. Stone, B. Field, “Tidy Shelves,” Shelf Lett. 2003.06307, 1999.",
        "[1] A. Stone, B. Field, “Tidy Shelves,” Shelf Lett. no-archive/9901001, 1999.",
    ],
)
def test_another_number_is_no_arxiv_id(stated: str) -> None:
    (entry,) = json.loads(shelfread("import", "--format", "json", input=stated).stdout)
    assert entry["identifiers"]["arxiv"] is None


def test_an_arxiv_id_beside_a_doi_is_a_link_of_its_own() -> None:
    stated = "@misc{a, title={Tidy Shelves}, doi={10.1145/3302424.3303953}, eprint={2003.06307}}"
    printed = shelfread("import", input=stated).stdout
    assert (
        "[[Paper](https://doi.org/10.1145/3302424.3303953)] [[arXiv](https://arxiv.org/abs/2003.06307)]"
        in printed
    )


RECORD = (
    "- **{0}: Books**\n  - Authors: {1}\n  - Venue: NIPS 2016\n  - Link: https://arxiv.org/abs/1612.0000{2}\n"
)
PEOPLE = ("Cy Moor, Dee Lee", "Pat Quill", "Eve Wood")
OWN_FORMS = {
    "records, and a venue that was renamed": (
        "".join(RECORD.format(name, who, number) for number, (name, who) in enumerate(zip("ABC", PEOPLE, strict=True))),
        "- **Tidy Shelves**\n  - Authors: Ada Stone\n  - Venue: NeurIPS 2019\n  - Link: {url}\n",
    ),
    "a place and a year": (
        "".join(f"- [{name}: Books](https://arxiv.org/abs/1612.0000{number}) (NUS 201{number})\n" for number, name in enumerate("ABC")),
        "- [Tidy Shelves]({url}) (NeurIPS 2019)\n",
    ),
    "the first author and a comma": (
        "".join(f"- [Books of Room {number}](https://arxiv.org/abs/1612.0000{number}), {who} et al., SOSP 2019\n" for number, who in enumerate(("Ann Lee", "Bo Ray", "Cy Moe"))),
        "- [Tidy Shelves]({url}), Ada Stone, NeurIPS 2019\n",
    ),
    "a year before the venue": (
        "".join(f"- 1{number}-NSDI-Books of Room {name} [[Paper](https://arxiv.org/abs/1612.0000{number})]\n" for number, name in enumerate("ABC")),
        "- 19-NeurIPS-Tidy Shelves [[Paper]({url})]\n",
    ),
    "marks that tell entries apart": (
        "".join(f"- {mark} Books of Room {number} (OSDI 2020) [[Paper](https://arxiv.org/abs/1612.0000{number})]\n" for number, mark in enumerate("🟢🔴🟢🔴")),
        "- Tidy Shelves (NeurIPS 2019) [[Paper]({url})]\n",
    ),
    "boxes, some of which are ticked": (
        "".join(f"- [{mark}] Books of Room {number} (OSDI 2020) [[Paper](https://arxiv.org/abs/1612.0000{number})]\n" for number, mark in enumerate("x xx")),
        "- [ ] Tidy Shelves (NeurIPS 2019) [[Paper]({url})]\n",
    ),
    "one title in bold": (
        "".join(f"- {title} (OSDI 2020) [[Paper](https://arxiv.org/abs/1612.0000{number})]\n" for number, title in enumerate(("A: Books", "**B: Rows**", "C: Ears"))),
        "- Tidy Shelves (NeurIPS 2019) [[Paper]({url})]\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("form", OWN_FORMS)
def test_a_new_section_has_the_form_of_the_list_and_no_finding(form: str, tmp_path: Path) -> None:
    listed, expected = OWN_FORMS[form]
    url = "https://arxiv.org/abs/1907.01234"
    target = tmp_path / "list.md"
    target.write_text(f"# Papers\n\n## Shelves\n\n{listed}")
    given = f"@inproceedings{{a, title={{Tidy Shelves}}, author={{Stone, Ada}}, booktitle={{NeurIPS}}, year={{2019}}, url={{{url}}}}}"
    before = shelfread("check", str(target), "--output-format", "concise").stdout.count(": warning")
    done = shelfread("import", "--into", str(target), "--new-section", "Rooms", input=given)
    assert done.exit_code == 0 and "note:" not in done.stderr
    assert target.read_text().endswith("## Rooms\n\n" + expected.format(url=url))
    assert shelfread("check", str(target), "--output-format", "concise").stdout.count(": warning") == before
