"""Entries in the formats of other programs, read by those programs' libraries."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import bibtexparser
import pytest
import rispy
from bibtexparser.middlewares import SeparateCoAuthors, SplitNameParts
from jsonschema import Draft7Validator

from support.command_line import shelfread
from support.exported import HOSTILE, PAPER, TOOL, exported, written
from support.paths import DATA

CSL = Draft7Validator(json.loads((DATA / "schemas" / "csl-data.schema.json").read_text(encoding="utf-8")))


def bibtex(*entries: dict[str, Any]) -> list[dict[str, str]]:
    library = bibtexparser.parse_string(written("bibtex", entries))
    assert not library.failed_blocks
    return [
        {"type": entry.entry_type, "key": entry.key, **{field.key: field.value for field in entry.fields}}
        for entry in library.entries
    ]


# --------------------------------------------------------------------------------------------- BibTeX
def test_bibtex_of_a_paper() -> None:
    assert bibtex(PAPER) == [
        {
            "type": "inproceedings",
            "key": "huang2019gpipe",
            "author": r"Huang, Yanping and van den Oord, A{\"{a}}ron and {NVIDIA}",
            "title": "{GPipe}: Efficient Training of Giant Neural Networks",
            "booktitle": "Conference on Neural Information Processing Systems",
            "year": "2019",
            "doi": "10.1145/3302424.3303953",
            "eprint": "1811.06965",
            "archivePrefix": "arXiv",
            "url": "https://arxiv.org/abs/1811.06965",
            "keywords": "Parallelism",
            "annote": "code: https://github.com/a/b",
        }
    ]


@pytest.mark.parametrize(
    ("written_venue", "identifiers"),
    [
        ("EMNLP 2021", {"acl": "2021.findings-emnlp.99"}),
        ("Findings of EMNLP 2021", {}),
        ("EMNLP Findings 2021", {}),
    ],
)
def test_findings_are_no_proceedings(written_venue: str, identifiers: dict[str, str]) -> None:
    paper = exported(
        title="Tidy Shelves", venue="EMNLP", venue_text=written_venue, year=2021, identifiers=identifiers
    )
    (found,) = bibtex(paper)
    assert found["booktitle"] == "Findings of the Association for Computational Linguistics: EMNLP 2021"


@pytest.mark.parametrize(
    ("fields", "kind", "place"),
    [
        (
            {"venue": "TPDS", "venue_text": "TPDS 2020"},
            "article",
            {"journal": "IEEE Transactions on Parallel and Distributed Systems"},
        ),
        ({"venue": "arXiv", "venue_text": "arXiv 2020"}, "misc", {"publisher": "arXiv"}),
        (
            {"venue": "HotOS", "venue_text": "HotOS'21"},
            "inproceedings",
            {"booktitle": "Workshop on Hot Topics in Operating Systems"},
        ),
        ({"venue": "Thesis", "venue_text": "PhD Thesis"}, "misc", {"howpublished": "Thesis"}),
        ({"venue_text": "Journal of Shelves 2020"}, "article", {"journal": "Journal of Shelves"}),
        ({"venue_text": "Shelf Workshop '20"}, "inproceedings", {"booktitle": "Shelf Workshop"}),
        ({"venue_text": "SHELFW, 2022"}, "inproceedings", {"booktitle": "SHELFW"}),
        ({"venue_text": "Shelf 2020"}, "misc", {"howpublished": "Shelf"}),
        ({}, "misc", {}),
    ],
)
def test_the_type_is_that_of_the_venue(fields: dict[str, Any], kind: str, place: dict[str, str]) -> None:
    (entry,) = bibtex(exported(**fields))
    assert entry["type"] == kind
    places = ("booktitle", "journal", "publisher", "howpublished")
    assert {name: entry[name] for name in places if name in entry} == place


def test_identifiers_without_a_link_are_kept() -> None:
    identifiers = {"github": "a/b", "acl": "2020.acl-main.1", "arxiv": "1811.06965"}
    assert bibtex(exported(identifiers=identifiers))[0]["annote"] == "github: a/b; acl: 2020.acl-main.1"
    assert "annote" not in bibtex({**PAPER, "links": PAPER["links"][1:]})[0]


def test_names_and_others() -> None:
    authors = ["Ken Stone Jr.", "Ada and Bo Team", "王小明"]
    text = written("bibtex", [exported(authors=authors, et_al=True)])
    assert "author = {Stone, Jr., Ken and {Ada and Bo Team} and {王小明} and others}," in text
    library = bibtexparser.parse_string(text, append_middleware=[SeparateCoAuthors(), SplitNameParts()])
    assert [" ".join(name.last) for name in library.entries[0]["author"]] == [
        "Stone", "{Ada and Bo Team}", "{王小明}", "others",
    ]  # fmt: skip


def test_an_address_is_as_it_is_but_for_what_no_address_has() -> None:
    links = [{"label": "Paper", "role": "paper", "url": "https://x.org/a_b%20c?d=1&e=#f~g/{h}\\write18^ü"}]
    (entry,) = bibtex(exported(links=links))
    assert entry["url"] == "https://x.org/a_b%20c?d=1&e=#f~g/%7Bh%7D%5Cwrite18%5E%C3%BC"


def test_what_is_uncertain_is_no_note_of_who_cites_it() -> None:
    entry = exported(uncertain=["title", "year"], year=2020)
    assert "annote" not in bibtex(entry)[0]
    assert "notes" not in rispy.loads(written("ris", [entry]))[0]
    (item,) = json.loads(written("csl-json", [entry]))
    assert "annote" not in item
    assert item["issued"] == {"date-parts": [[2020]], "circa": True}
    assert "uncertain: title, year" not in written("markdown", [entry])
    (row,) = csv.DictReader(io.StringIO(written("csv", [entry]), newline=""))
    assert row["uncertain"] == "title; year"


# ------------------------------------------------------------------------------------------- CSL-JSON
def test_csl_json_of_a_paper_and_a_tool() -> None:
    paper, tool = json.loads(written("csl-json", [PAPER, TOOL]))
    assert paper == {
        "id": "huang2019gpipe",
        "type": "paper-conference",
        "title": "GPipe: Efficient Training of Giant Neural Networks",
        "title-short": "GPipe",
        "author": [
            {"family": "Huang", "given": "Yanping"},
            {"family": "Oord", "given": "Aäron", "non-dropping-particle": "van den"},
            {"literal": "NVIDIA"},
        ],
        "container-title": "Conference on Neural Information Processing Systems",
        "issued": {"date-parts": [[2019]]},
        "DOI": "10.1145/3302424.3303953",
        "archive": "arXiv",
        "archive_location": "1811.06965",
        "URL": "https://arxiv.org/abs/1811.06965",
        "keyword": "Parallelism",
        "annote": "code: https://github.com/a/b",
        "source": "list.md:3",
    }
    assert (tool["type"], tool["URL"], tool["abstract"]) == (
        "software", "https://github.com/sharkdp/fd", "Finds files, fast.",
    )  # fmt: skip


def test_a_classic_entry_is_what_its_first_link_leads_to() -> None:
    kinds = {}
    for url in ("https://x.org", "https://github.com/a/b", "https://arxiv.org/abs/1811.06965", "a.md"):
        links = [
            {"label": "fd", "role": None, "url": url},
            {"label": "Paper", "role": "paper", "url": "https://y.org"},
        ]
        (item,) = json.loads(written("csl-json", [{**TOOL, "links": links}]))
        kinds[url] = item["type"], item["URL"]
    assert kinds == {
        "https://x.org": ("webpage", "https://x.org"),
        "https://github.com/a/b": ("software", "https://github.com/a/b"),
        "https://arxiv.org/abs/1811.06965": ("article", "https://arxiv.org/abs/1811.06965"),
        "a.md": ("webpage", "https://y.org"),
    }


def test_citeproc_sets_what_is_written() -> None:
    from citeproc import Citation, CitationItem, CitationStylesBibliography, CitationStylesStyle, formatter
    from citeproc.source.json import CiteProcJSON

    entries = [
        PAPER,
        TOOL,
        exported(year=2020, uncertain=["year"]),
        *(exported(title=title) for title in HOSTILE),
    ]
    items = json.loads(written("csl-json", entries))
    assert not list(CSL.iter_errors(items))
    style = CitationStylesStyle("harvard-cite-them-right", validate=False)
    bibliography = CitationStylesBibliography(style, CiteProcJSON(items), formatter.plain)
    for item in items:
        bibliography.register(Citation([CitationItem(item["id"])]))
    first, *others = map(str, bibliography.bibliography())
    assert first.startswith("Huang, Y., van den Oord, A. and NVIDIA (2019) “GPipe: Efficient Training")
    assert first.endswith("NeurIPS.") or "doi" in first.lower() or "arxiv" in first.lower()
    assert len(others) == len(items) - 1


# ------------------------------------------------------------------------------------------------ RIS
def test_ris_of_a_paper() -> None:
    (record,) = rispy.loads(written("ris", [PAPER]))
    assert record == {
        "type_of_reference": "CONF",
        "title": "GPipe: Efficient Training of Giant Neural Networks",
        "short_title": "GPipe",
        "authors": ["Huang, Yanping", "van den Oord, Aäron", "NVIDIA"],
        "secondary_title": "Conference on Neural Information Processing Systems",
        "year": "2019",
        "doi": "10.1145/3302424.3303953",
        "accession_number": "arXiv:1811.06965",
        "urls": ["https://arxiv.org/abs/1811.06965"],
        "keywords": ["Parallelism"],
        "notes": ["code: https://github.com/a/b"],
        "name_of_database": "list.md:3",
    }


# ------------------------------------------------------------------------------------------------ CSV
def test_csv_of_a_paper() -> None:
    text = written("csv", [PAPER, TOOL])
    assert text.count("\r\n") == text.count("\n") == 3
    paper, tool = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    assert paper["authors"] == "Yanping Huang; Aäron van den Oord; NVIDIA"
    assert paper["links"] == "paper=https://arxiv.org/abs/1811.06965 code=https://github.com/a/b"
    assert (paper["doi"], paper["arxiv"], paper["year"]) == ("10.1145/3302424.3303953", "1811.06965", "2019")
    assert (tool["description"], tool["section"], tool["line"]) == ("Finds files, fast.", "Tools", "3")


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r\n=1", "＝1", "'=1", " =1"])
def test_no_cell_is_a_formula(text: str) -> None:
    fields = {
        "title": text,
        "name": text,
        "description": text,
        "venue_text": text,
        "authors": [text],
        "notes": [text],
    }
    data = written("csv", [exported(**fields, section=[text], path=text)])
    (row,) = csv.DictReader(io.StringIO(data, newline=""))
    assert row["title"] == "'" + text.strip()
    assert not [cell for cell in row.values() if cell[:1] in ("=", "+", "-", "@", "\t", "\r", "＝")]


# ------------------------------------------------------------------------------------- hostile titles
@pytest.mark.parametrize("form", ["bibtex", "csl-json", "ris", "csv", "markdown"])
def test_a_title_stays_in_its_field(form: str) -> None:
    for title in HOSTILE:
        fields = {
            "name": title,
            "description": title,
            "venue_text": title,
            "authors": [title],
            "section": [title],
        }
        entries = [exported(title=title, **fields), PAPER]
        text = written(form, entries)
        assert not any(ord(char) < 32 and char not in "\r\n" for char in text), title
        assert not any(char in text for char in "\x7f\x9b\u2028\u202e\u200f\ufeff"), title
        if form == "bibtex":
            assert [entry["key"] for entry in bibtex(*entries)][1] == "huang2019gpipe", title
            for command in ("write18", "input"):
                assert f"\\{command}" not in text.replace("\\textbackslash{}", ""), title
        elif form == "csl-json":
            assert not list(CSL.iter_errors(json.loads(text))), title
        elif form == "ris":
            assert [record["type_of_reference"] for record in rispy.loads(text)][1:] == ["CONF"], title
        elif form == "csv":
            assert len(list(csv.DictReader(io.StringIO(text, newline=""), strict=True))) == 2, title


@pytest.mark.parametrize("form", ["bibtex", "csl-json", "ris", "csv", "markdown"])
def test_no_line_is_a_command_to_a_runner(form: str) -> None:
    title = "::error::x ##[error]y"
    links = [{"label": title, "role": "paper", "url": "https://x.org/##[error]"}]
    fields = {"name": title, "description": title, "venue_text": title, "authors": [title], "notes": [title]}
    text = written(form, [exported(title=title, links=links, section=[title], path=title, **fields)])
    assert "##[" not in text
    assert not [line for line in text.splitlines() if line.lstrip().startswith("::")]


def test_entries_of_one_kind_are_works_of_one_kind(tmp_path: Path) -> None:
    """Also if one of them is read with a short name."""
    names = ("[Kit - Toolkit for Shelves](https://kit.org/)", "[Box - Shelves](https://www.box.org/)")
    text = "# Shelves\n\n## Kits\n\n" + "".join(f"### {name}\n\nReads pictures.\n\n" for name in names)
    (tmp_path / "list.md").write_text(text)
    path = str(tmp_path / "list.md")
    assert shelfread("export", "--format", "ris", path).stdout.count("TY  - ELEC\n") == 2
    assert '"kind"' not in shelfread("export", "--format", "json", path).stdout


def test_what_people_wrote_and_a_shop_sells_is_a_book() -> None:
    links = [{"label": "Bread", "role": "book", "url": "https://books.example.org/bread"}]
    book = {
        **TOOL,
        "title": "Bread",
        "name": "Bread",
        "authors": ["Ada Stone"],
        "links": links,
        "identifiers": {},
    }
    assert "@book{" in written("bibtex", [book]) and "TY  - BOOK\n" in written("ris", [book])
    assert json.loads(written("csl-json", [book]))[0]["type"] == "book"
