"""Where an entry belongs if nothing names its section: where the entries with its words stand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.command_line import shelfread

WORDS = "Tails Heads Jobs Tasks Hosts Racks Queues Slots Shards Pools Trees Rings".split()


@pytest.fixture(autouse=True)
def papers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    subjects = {
        "Quantization": "Quantizing",
        "Pruning": "Pruning",
        "Scheduling": "Scheduling",
        "Knowledge Distillation": "Distilling",
    }
    sections = (
        f"## {title}\n\n"
        + "".join(
            f"- {verb} {word} with Care [[Paper](https://example.org/{verb}{word}.pdf)]\n" for word in WORDS
        )
        for title, verb in subjects.items()
    )
    (tmp_path / "list.md").write_text("# Papers\n\n" + "\n".join(sections))
    (tmp_path / ".shelfread.yaml").write_text("taxonomy: ml-systems\n")
    return tmp_path


def import_into(title: str) -> tuple[int, str]:
    item = {"type": "article", "id": "x", "title": title, "URL": "https://example.org/new.pdf"}
    Path("new.json").write_text(json.dumps([item]))
    done = shelfread("import", "new.json", "--into", "list.md")
    return done.exit_code, done.stderr


def test_a_telling_word(papers: Path) -> None:
    status, said = import_into("Pruning Everything at Once")
    assert status == 0, said
    assert "in 'Pruning', because 'pruning' says so" in said
    text = (papers / "list.md").read_text()
    assert "Pruning Everything at Once" in text.partition("## Pruning")[2] and "# New" not in text


@pytest.mark.parametrize("title", ["Baking Bread in Cold Ovens", "Pruning and Quantizing Shards"])
def test_no_telling_word(papers: Path, title: str) -> None:
    """None, or words of two sections: the user has to say where."""
    before = (papers / "list.md").read_text()
    status, said = import_into(title)
    assert status == 1 and "--section" in said and said.count(" %)") == 3
    assert (papers / "list.md").read_text() == before


def test_without_a_taxonomy(papers: Path) -> None:
    (papers / ".shelfread.yaml").write_text("")
    assert import_into("Pruning Everything at Once")[0] == 0


def test_most_entries_are_no_reason(papers: Path) -> None:
    items = "".join(f"- Quantizing {word} with Care {number}\n" for number in range(9) for word in WORDS)
    (papers / "list.md").write_text(
        f"# Papers\n\n## Quantization\n\n{items}\n## Pruning\n\n- Pruning Pools (OSDI 2020)\n"
    )
    status, said = import_into("Baking Bread in Cold Ovens")
    assert status == 1 and "its section is not sure, as its words do not tell: Quantization (" in said, said


def test_a_title_that_has_the_whole_heading_is_there_for_that(papers: Path) -> None:
    status, said = import_into("Distilling Knowledge: Planned Knowledge Distillation")
    assert status == 0 and "in 'Knowledge Distillation', because 'Knowledge Distillation' says so" in said, (
        said
    )


def test_the_only_section_of_papers_has_a_paper(papers: Path) -> None:
    """Though its words tell nothing; a data set may belong in any."""
    sets = "".join(f"- [Set of {word}](https://example.org/{word}) - Has {word}.\n" for word in WORDS)
    listed = "".join(f"- {word} with Care (OSDI 2019)\n" for word in WORDS)
    Path("list.md").write_text(f"# Shelves\n\n## Reading\n\n{listed}\n## Sets\n\n{sets}")
    for fields, status in (("booktitle={SOSP}, year={2021}", 0), ("url={https://example.net/}", 1)):
        Path("new.bib").write_text(f"@misc{{x, title={{Baking Bread in Cold Ovens}}, {fields}}}")
        done = shelfread("import", "new.bib", "--into", "list.md", "--diff")
        assert done.exit_code == status, done.stderr
        assert ("in 'Reading', because it is the section of papers" in done.stderr) == (not status)


def test_a_year_below_one_of_two_subjects_says_little(papers: Path) -> None:
    text = "# Papers\n\n## Pruning\n\n### 2019\n\n- Pruning Pools (OSDI 2019)\n\n### 2020\n\n- Pruning Heads (OSDI 2020)\n"
    other = "\n## Talks\n\n### 2021\n\n- Pruning, Told (OSDI 2021)\n"
    for written, status in ((text.replace("2020", "2021"), 0), (text + other, 1)):
        (papers / "list.md").write_text(written)
        item = {
            "type": "article",
            "id": "x",
            "title": "Baking Bread in Ovens",
            "issued": {"date-parts": [[2021]]},
        }
        Path("new.json").write_text(json.dumps([item]))
        done = shelfread("import", "new.json", "--into", "list.md", "--diff")
        assert done.exit_code == status, done.stderr


def test_a_misspelt_path_means_the_section_below_the_title_that_it_names() -> None:
    Path("tools.md").write_text(
        "# Tools\n\n## General\n\n### Links\n\n- [Shelf](https://shelf.example.org) - Sorts books.\n\n"
        "## Flying\n\n### Links\n\n- [Kite](https://kite.example.org) - Flies kites.\n"
    )
    Path("new.md").write_text("- [Rack](https://rack.example.org) - Keeps wine.\n")
    for section, meant in (("Genral > Links", "'General > Links'"), ("Flying > Linke", "'Flying > Links'")):
        done = shelfread("import", "new.md", "--into", "tools.md", "--section", section)
        assert f"no section is called '{section}', did you mean {meant}?" in done.stderr
    Path("tools.md").write_text(
        Path("tools.md").read_text().replace("## Flying", "## Fying of Kites\n\n## Flying")
    )
    for section, meant in (("Flyng", "'Flying'"), ("Kites", "'Fying of Kites'")):
        done = shelfread("import", "new.md", "--into", "tools.md", "--section", section)
        assert f"did you mean {meant}?" in done.stderr
    done = shelfread("import", "new.md", "--into", "tools.md", "--section", "Nonsense")
    assert "'General > Links', 'Fying of Kites', 'Flying'" in done.stderr


def test_a_subject_and_a_year_name_the_year_below_the_subject() -> None:
    years = "### 2023\n\n- {0} Loaves (CVPR 2023)\n\n### 2021\n\n- {0} Rye (CVPR 2021)\n\n"
    Path("list.md").write_text(
        f"# P\n\n## Kneading\n\n{years.format('Old')}## Baking\n\n{years.format('New')}"
    )
    for year, section, status, said in (
        (2023, "", 0, "in '2023', because its section is called 'Baking' and its year is 2023"),
        (2021, "Kneading", 0, "in '2021', because it was named and its year is 2021"),
        (2019, "Kneading", 2, "name one of those below it: Kneading > 2023, Kneading > 2021"),
    ):
        Path("new.md").write_text(f"# P\n\n## Baking\n\n- Signs in Words (ACL {year})\n")
        named = ("--section", section) if section else ()
        done = shelfread("import", "new.md", "--into", "list.md", "--diff", *named)
        assert done.exit_code == status and said in done.stderr, done.stderr
        assert "-### 2023" not in done.stdout
        if not status:
            parts = done.stdout.partition("\n+- Signs in Words")
            assert f" - {'New' if year == 2023 else 'Old'} " in parts[0][-60:]
