"""Each format keeps title, authors, venue, year and identifiers, whatever they are."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any

import bibtexparser
import pytest
import rispy
from bibtexparser.middlewares import LatexDecodingMiddleware, SeparateCoAuthors, SplitNameParts
from hypothesis import given, settings
from hypothesis import strategies as st

from shelfread.core.source import Source
from shelfread.document.entry_data import exported_entry
from shelfread.document.read import read
from shelfread.document.recognizers.organisations import names_organisation
from shelfread.exports.cited_work import plain
from support.exported import exported, written
from support.project import BARE

pytestmark = pytest.mark.slow

DECODE = LatexDecodingMiddleware()._decoder.latex_to_text
TYPOGRAPHIC = str.maketrans("‘’“”ˆ\xa0", "''\"\"^ ")
VENUES = ("OSDI", "NeurIPS", "TPDS", "arXiv", "HotOS", "Nature")
FULL_NAMES = {
    "OSDI": "USENIX Symposium on Operating Systems Design and Implementation",
    "NeurIPS": "Conference on Neural Information Processing Systems",
    "TPDS": "IEEE Transactions on Parallel and Distributed Systems",
    "HotOS": "Workshop on Hot Topics in Operating Systems",
}
letters = st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs"))
titles = st.text(letters, min_size=1, max_size=60).filter(plain)
words = st.from_regex(r"[A-ZÀÉÖŁ][a-zéüßłñ]{1,9}", fullmatch=True).filter(
    lambda word: not names_organisation(word)
)
names = st.builds(" ".join, st.lists(words, min_size=2, max_size=4))
entries = st.builds(
    lambda title, authors, venue, year, doi, arxiv: exported(
        title=title,
        authors=authors,
        venue=venue,
        venue_text=venue and f"{venue} {year}",
        year=year,
        identifiers={"doi": doi, "arxiv": arxiv},
    ),
    title=titles,
    authors=st.lists(names, max_size=4),
    venue=st.none() | st.sampled_from(VENUES),
    year=st.none() | st.integers(1950, 2099),
    doi=st.none() | st.from_regex(r"10\.[0-9]{4,9}/[A-Za-z0-9_.()-]{1,20}", fullmatch=True),
    arxiv=st.none() | st.from_regex(r"[0-2][0-9](0[1-9]|1[0-2])\.[0-9]{5}", fullmatch=True),
)
several = st.lists(entries, min_size=1, max_size=4)


def folded(text: str) -> str:
    """A text with the quotation marks and dashes that LaTeX sets for others, and no blanks at all."""
    return "".join(plain(text).translate(TYPOGRAPHIC).replace("''", '"').replace("−", "-").split())


def decoded(text: str) -> str:
    return folded(DECODE(text))


def full_name(venue: str | None) -> str | None:
    return FULL_NAMES.get(venue, venue) if venue else None


def number(year: int | None) -> str | None:
    return None if year is None else str(year)


@settings(max_examples=25)
@given(several)
def test_bibtex(entries: list[dict[str, Any]]) -> None:
    text = written("bibtex", entries)
    library = bibtexparser.parse_string(text, append_middleware=[SeparateCoAuthors(), SplitNameParts()])
    assert not library.failed_blocks
    assert len({item.key for item in library.entries}) == len(entries)
    for item, entry in zip(library.entries, entries, strict=True):
        found = {field.key: field.value for field in item.fields}
        assert decoded(found["title"]) == folded(entry["title"])
        places = ("booktitle", "journal", "publisher", "howpublished")
        assert next((found[name] for name in places if name in found), None) == full_name(entry["venue"])
        assert found.get("year") == number(entry["year"])
        assert found.get("doi") == entry["identifiers"]["doi"]
        assert found.get("eprint") == entry["identifiers"]["arxiv"]
        people = [
            " ".join(map(DECODE, (*name.first, *name.von, *name.last, *name.jr)))
            for name in found.get("author", [])
        ]
        assert people == entry["authors"]


@settings(max_examples=25)
@given(several)
def test_ris(entries: list[dict[str, Any]]) -> None:
    for record, entry in zip(rispy.loads(written("ris", entries)), entries, strict=True):
        assert record["title"] == plain(entry["title"])
        assert record.get("secondary_title", record.get("publisher")) == full_name(entry["venue"])
        assert record.get("year") == number(entry["year"])
        assert record.get("doi") == entry["identifiers"]["doi"]
        assert record.get("accession_number", "").removeprefix("arXiv:") == (
            entry["identifiers"]["arxiv"] or ""
        )
        people = [" ".join(reversed(name.split(", "))) for name in record.get("authors", [])]
        assert people == entry["authors"]


@settings(max_examples=25)
@given(several)
def test_csl_json(entries: list[dict[str, Any]]) -> None:
    items = json.loads(written("csl-json", entries))
    assert len({item["id"] for item in items}) == len(entries)
    for item, entry in zip(items, entries, strict=True):
        assert item["title"] == plain(entry["title"])
        assert item.get("container-title", item.get("publisher")) == full_name(entry["venue"])
        assert item.get("issued") == (entry["year"] and {"date-parts": [[entry["year"]]]})
        assert item.get("DOI") == entry["identifiers"]["doi"]
        assert item.get("archive_location") == entry["identifiers"]["arxiv"]
        people = [
            " ".join(filter(None, (name.get("given"), name["family"]))) for name in item.get("author", [])
        ]
        assert people == entry["authors"]


@settings(max_examples=25)
@given(several)
def test_csv(entries: list[dict[str, Any]]) -> None:
    rows = csv.DictReader(io.StringIO(written("csv", entries), newline=""), strict=True)
    for row, entry in zip(rows, entries, strict=True):
        assert re.sub(r"^'(?='*[=+@＝＋－＠-])", "", row["title"]) == plain(entry["title"])
        assert row["authors"] == "; ".join(entry["authors"])
        assert row["venue"] == (entry["venue"] or "")
        assert row["year"] == (number(entry["year"]) or "")
        assert row["doi"] == (entry["identifiers"]["doi"] or "")
        assert row["arxiv"] == (entry["identifiers"]["arxiv"] or "")


title_words = st.from_regex(
    r"[A-Z][a-z]{3,9}|[A-Z]{3,5}|[a-z]{4,9}|[A-Z][a-z]+[*_\[\]<>&$#\\`~][a-z]+", fullmatch=True
)
last_words = title_words | st.from_regex(r"[|-] [A-Z][a-z]{3,9}|[A-Z]\*|_[a-z]{3,9}_", fullmatch=True)
# A few words look like people, organisations or venues.
descriptions = st.none() | st.lists(
    st.from_regex(r"[A-Z][a-z]{2,9}|[A-Z]{2,5}|[a-z]{2,9}|[A-Z][a-z]+-[a-z]+", fullmatch=True),
    min_size=1,
    max_size=7,
).map(" ".join)
papers = st.builds(
    lambda words, last, description, authors, venue, year, arxiv: exported(
        title=" ".join([*words, last]),
        description=description,
        authors=authors,
        venue=venue,
        venue_text=f"{venue} {year}",
        year=year,
        identifiers={"arxiv": arxiv},
        links=[{"label": "Paper", "role": "paper", "url": f"https://arxiv.org/abs/{arxiv}"}],
        section=["Papers"],
    ),
    words=st.lists(title_words, min_size=4, max_size=8),
    last=last_words,
    description=descriptions,
    authors=st.lists(names, min_size=2, max_size=4) | st.lists(words, min_size=1, max_size=2),
    venue=st.sampled_from(("OSDI", "NeurIPS", "HotOS")),
    year=st.integers(2019, 2025).filter(lambda year: year % 2),
    arxiv=st.from_regex(r"(19|2[0-4])(0[1-9]|1[0-2])\.[0-9]{5}", fullmatch=True),
)


@settings(max_examples=25)
@given(st.lists(papers, min_size=1, max_size=3))
def test_markdown(entries: list[dict[str, Any]]) -> None:
    document = read(Source(written("markdown", entries), "list.md"), BARE.vocabulary)
    found = [exported_entry(entry, document, BARE) for entry in document.entries]
    fields = ("title", "description", "authors", "affiliations", "notes", "venue", "year", "section")
    assert [{field: entry[field] for field in fields} for entry in found] == [
        {field: entry[field] for field in fields} for entry in entries
    ]
    assert [entry["identifiers"]["arxiv"] for entry in found] == [
        entry["identifiers"]["arxiv"] for entry in entries
    ]
