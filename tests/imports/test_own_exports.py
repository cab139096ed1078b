"""What `export` writes is imported as the same entries."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.command_line import shelfread

LIST = """\
# Shelves

## Papers

- [Deep Shelves](https://arxiv.org/abs/2101.00001) by Ada Stone, et al. ICML 2021.
- [Wide Shelves of Books](https://arxiv.org/abs/2101.00002) by Ada Stone, Ben Field, et al. ICML 2020.
  - Affiliations: University of Oslo; MIT
- [All Shelves](https://arxiv.org/abs/2101.00003) by Ada Stone and Ben Field. ICML 2020.
- Steep Shelves (OSDI 2020) [[Paper](https://example.net/get;id=42?doi=10.1,a)] [[Code](https://github.com/ada/steep)] [[Talk](https://talk.net/1)]

## Tools

- [Entrez Direct: utilities on the command line](https://www.ncbi.nlm.nih.gov/books/NBK179288/) - Accesses databases.
- [Foo](https://foo.net) - @ada wrote it.
- [Foo -- the Bar](https://bar.net) - Sorts bars.

| Name | Price | API | Description |
|---|---|---|---|
| [Rye](https://rye.net) | free | yes | Weighs flour. |
| [Oat](https://oat.net) | paid | no | Sifts flour. |
"""
X = "https://arxiv.org/abs/2001.00001"
FORMATS = ("json", "jsonl", "csv", "markdown", "bibtex", "ris", "csl-json")
REFERENCES = frozenset(("bibtex", "ris", "csl-json"))  # they keep what is cited


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "list.md").write_text(LIST)
    return tmp_path


def facts(entry: dict[str, Any], form: str) -> dict[str, Any]:
    """What all formats keep; names as most lists write them."""
    names = [" ".join(reversed(name.split(", "))) for name in entry["authors"]]
    kept = {field: entry[field] for field in ("title", "year", "description")}
    if form not in REFERENCES:
        kept |= {field: entry[field] for field in ("section", "venue", "notes", "affiliations")}
    urls = [link["url"] for link in entry["links"]]
    return {**kept, "authors": names, "et_al": entry.get("et_al"), "urls": urls}


@pytest.mark.parametrize("form", FORMATS)
def test_the_entries_stay_the_same(folder: Path, form: str) -> None:
    before = json.loads(shelfread("export", "list.md").stdout)
    (folder / "out").write_text(shelfread("export", "--format", form, "list.md").stdout)
    after = json.loads(shelfread("import", "out", "--format", "json").stdout)
    assert [facts(entry, form) for entry in after] == [facts(entry, form) for entry in before]


@pytest.mark.parametrize("form", ["json", "jsonl", "csv", "markdown"])
def test_their_sections_are_known(folder: Path, form: str) -> None:
    out = shelfread("export", "--format", form, "list.md").stdout
    (folder / "list.md").write_text(
        "# S\n\n## Papers\n\n- [A](https://a.org/1) - Is.\n\n## Tools\n\n- [B](https://b.org/1) - Is.\n"
    )
    (folder / "out").write_text(out)
    done = shelfread("import", "out", "--into", "list.md")
    assert "not sure" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("form", "written"),
    [
        ("bibtex", "author = {Stone, Ada and others}"),
        ("csl-json", '{"family": "Stone", "given": "Ada"}, {"literal": "others"}]'),
        ("ris", "AU  - Stone, Ada\nAU  - others\n"),
        ("csv", ",Ada Stone; et al.,"),
        ("markdown", "  - Authors: Ada Stone et al.\n"),
        ("json", '"authors": [\n      "Ada Stone"\n    ]'),
    ],
)
def test_the_authors_that_are_not_named_are_not_forgotten(form: str, written: str) -> None:
    assert written in shelfread("export", "--format", form, "list.md").stdout.replace(
        '"Ada Stone; et al."', "Ada Stone; et al."
    )


def test_a_page_says_et_al() -> None:
    page = shelfread("page", "list.md").stdout
    assert page.count('"others":true') == 2


@pytest.mark.parametrize(
    "line",
    [
        "- Deep Shelves of Books. Ada Stone*, Ben Field (MIT), et al. OSDI 2020. [[pdf]](https://example.org/1.pdf)",
        "- Deep Shelves of Books. *Ada Stone, Ben Field et al.* OSDI 2020. [[pdf]](https://example.org/1.pdf)",
        "- [Deep Shelves of Books](https://example.org/1.pdf) by Ada Stone, Ben Field, ... OSDI 2020.",
        "- Stone et al. Deep Shelves of Books. OSDI 2020. [[pdf]](https://example.org/1.pdf)",
    ],
)
def test_others_however_they_are_written(folder: Path, line: str) -> None:
    (folder / "list.md").write_text(f"# Papers\n\n{line}\n{line.replace('Deep', 'Wide')}\n")
    entries = json.loads(shelfread("export", "list.md").stdout)
    assert [entry.get("et_al") for entry in entries] == [True, True]
    assert "et al" not in str([entry["authors"] for entry in entries])


@pytest.mark.parametrize("form", FORMATS)
def test_a_paper_of_a_workshop_is_none_of_the_conference(folder: Path, form: str) -> None:
    """And a venue that stands twice is no note."""
    url = "https://doi.org/10.1145/3302424.3303953"
    (folder / "list.md").write_text(
        f"# S\n\n- Deep Shelves (CVPR Workshop 2020) [[PDF]({X})]\n- Tall Shelves (OSDI 20) [[OSDI 20]({url})]\n"
    )
    (folder / "out").write_text(shelfread("export", "--format", form, "list.md").stdout)
    lines = [
        line for line in shelfread("import", "out").stdout.splitlines() if "Shelves" in line or "OSDI" in line
    ]
    assert len(lines) == 2 and "(CVPR Workshop 2020)" in lines[0] and "(OSDI 2020)" in lines[1]
    (folder / "list.md").write_text(f"# S\n\n- Old Shelves (OSDI 2019) [[PDF]({X}1)]\n")
    done = shelfread("import", "out", "--into", "list.md", "--diff")
    assert "+- Deep Shelves (CVPR Workshop 2020) [[PDF](" in done.stdout


def test_links_of_csv_without_a_label_are_kept_beside_others() -> None:
    table = "title,links\nBread,code=https://github.com/ada/bread https://bread.net\n"
    done = shelfread("import", "-", "--format", "json", input=table)
    urls = [link["url"] for link in json.loads(done.stdout)[0]["links"]]
    assert urls == ["https://github.com/ada/bread", "https://bread.net"]


def test_the_links_of_a_cell_have_their_own_labels(folder: Path) -> None:
    (folder / "list.md").write_text(
        "# A\n\n- [Foo](https://foo.net/) - Is. ([Source](https://github.com/a/foo))\n"
    )
    (folder / "out").write_text(shelfread("export", "--format", "csv", "list.md").stdout)
    (entry,) = json.loads(shelfread("import", "out", "--format", "json").stdout)
    assert [link["label"] for link in entry["links"]] == ["Link", "code"] and not entry["notes"]


@pytest.mark.parametrize(
    "said",
    [
        "Moves `*.epub` files with [rsync](https://rsync.net) and **never** loses *one*.",
        r"Costs \$5 \*and\* more, see <https://fir.net/a_b> for ``x`y``.",
        "Weighs `a | b` for **bakers, _old_ ones**.",
        "Weighs flour :wheat: by `gram`.",
    ],
)
def test_a_description_keeps_its_markup(folder: Path, said: str) -> None:
    line = f"- [Fir](https://fir.net) - {said}\n"
    (folder / "new.md").write_text(line)
    assert line in shelfread("export", "--format", "markdown", "new.md").stdout
    assert line in shelfread("import", "new.md").stdout
    (folder / "rows.md").write_text(
        "| Name | Description |\n|---|---|\n"
        + "".join(f"| [{n}](https://{n}.net) | Sifts. |\n" for n in ("A", "B", "C"))
    )
    assert shelfread("import", "new.md", "--into", "rows.md").exit_code == 0
    assert (
        f"| [Fir](https://fir.net) | {said.replace('|', chr(92) + '|')} |" in (folder / "rows.md").read_text()
    )


def test_a_link_that_ends_a_description_stays_in_it(folder: Path) -> None:
    line = "- [Fir](https://fir.net) - Sifts flour as [sieve](https://sieve.net)\n"
    (folder / "new.md").write_text(line)
    assert line in shelfread("export", "--format", "markdown", "new.md").stdout


def test_tags_of_a_description_are_left_out(folder: Path) -> None:
    (folder / "new.md").write_text("- [Fir](https://fir.net) - Moves `epub` <kbd>files</kbd> fast.\n")
    (entry,) = json.loads(shelfread("export", "new.md").stdout)
    assert entry["description"] == "Moves epub files fast."
    assert entry["description_markdown"] == "Moves `epub` files fast."


@pytest.mark.parametrize("form", ["bibtex", "ris", "csl-json"])
def test_venues_stay(folder: Path, form: str) -> None:
    (folder / "list.md").write_text(
        "## Papers\n\n"
        "* Sorting Shelves at Night, **Pacific Shelving, 2024**. [[Paper](https://arxiv.org/abs/2408.00001)]\n"
        "* Sorting Boards at Night, **ECCV, 2024**. [[Paper](https://arxiv.org/abs/2408.00002)]\n"
        "* Sorting Books at Night, *arXiv*. [[Paper](https://arxiv.org/abs/2408.00003)]\n"
    )
    (folder / "out").write_text(shelfread("export", "--format", form, "list.md").stdout)
    after = json.loads(shelfread("import", "out", "--format", "json").stdout)
    venues = [entry["venue_text"] or "" for entry in after]
    assert [venue.partition(" 2024")[0].rstrip(",") for venue in venues[::2]] == ["Pacific Shelving", "arXiv"]
    assert after[1]["venue"] == "ECCV"
