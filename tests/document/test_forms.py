"""Papers are read in every form that lists write them in: also those with venues and people that nobody knows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from shelfread.core.source import Source
from shelfread.core.yaml_files import load_table
from shelfread.document.entry_data import entry_data
from shelfread.document.read import read
from support.project import BARE

FORMS: Mapping[str, Any] = load_table(Path(__file__).parents[1] / "data" / "forms.yaml")


_URL = re.compile(r"https?://[^\s()\[\]<>\"|]+")


class Paper(NamedTuple):
    title: str
    authors: tuple[str, ...]
    venue: str
    year: int


PAPERS = (
    Paper("Sparse Orchards: Pruning Trees for Fast Inference", ("Ada Stone", "Ben Field"), "ICML", 2019),
    Paper(
        "Learning to Sort Laundry with Weak Supervision",
        ("Chen Wei Lin", "Dora Marsh", "Elif Kaya"),
        "NeurIPS",
        2020,
    ),
    Paper("Why Do Teapots Whistle? A Study of Steam", ("Felix Brandt",), "Journal of Kitchen Physics", 2018),
    Paper(
        "GlueNet: Bridging Sparse and Dense Matching",
        ("Hana Sato", "Igor Petrov", "Jun Ho Park"),
        "CVPR",
        2021,
    ),
    Paper("On the Convergence of Lazy Gardeners", ("Klara Novak", "Liang Zhou"), "ACGS", 2017),
    Paper(
        "A Survey of Methods for Counting Sheep, Goats, and Cows",
        ("Maria Lopez", "Nikhil Rao"),
        "ACM Computing Surveys",
        2022,
    ),
    Paper(
        "Towards Robust Bicycle Detection in Rain",
        ("Omar Haddad", "Petra Vogel", "Qing Yu", "Rosa Diaz"),
        "WinterVision",
        2016,
    ),
    Paper("Attention over Attics: Retrieval in Old Houses", ("Sven Olsen", "Tara Mills"), "EMNLP", 2020),
    Paper("Deep Pancakes", ("Uma Iyer", "Viktor Hahn"), "AAAI", 2015),
    Paper(
        "Efficient Transformers for Whale Song Recognition",
        ("Wen Jie Li", "Xavier Roy", "Yara Costa"),
        "Bioacoustic Letters",
        2021,
    ),
    Paper("Fast and Frugal Federated Fishing", ("Zoe Adams", "Amir Khan"), "MLSys", 2022),
    Paper("The Unreasonable Usefulness of Spoons", ("Boris Kern", "Cleo Dumas"), "ICLR", 2018),
)


# Where a form is `unlisted`, its papers have no venue that the vocabulary has.
MADE_UP = {
    "ICML": "Bakery Conference",
    "NeurIPS": "KITCH",
    "CVPR": "Pan Symposium",
    "EMNLP": "Journal of Stoves",
    "AAAI": "ACGS",
    "MLSys": "Soup and Society",
    "ICLR": "WinterVision",
    "ACM Computing Surveys": "Oven Reviews",
}
UNLISTED = tuple(paper._replace(venue=MADE_UP.get(paper.venue, paper.venue)) for paper in PAPERS)

NAMES = (
    "Orch LaundryNet KETTLE GlueX LazyG FlockCount RainBike AtticAtt PanNet WhaleT FishFed SpoonNet".split()
)


def apa(name: str) -> str:
    *given, family = name.split()
    return f"{family}, {' '.join(part[0] + '.' for part in given)}"


def ieee(name: str) -> str:
    *given, family = name.split()
    return f"{' '.join(part[0] + '.' for part in given)} {family}"


def family(name: str) -> str:
    return name.split()[-1]


def bibtex(name: str) -> str:
    *given, family = name.split()
    return f"{family}, {' '.join(given)}"


def line(template: str, number: int, paper: Paper) -> str:
    """Return a paper as a form writes it."""
    *others, last = paper.authors
    preprint = f"{paper.year % 100:02d}{number:02d}.{number * 37 + 11:05d}"
    return template.format(
        title=paper.title.partition(": ")[2] or paper.title if "{name}" in template else paper.title,
        name=NAMES[number - 1],
        word=paper.title.split()[0].lower(),
        authors=", ".join(paper.authors),
        authors_and=f"{', '.join(others)} and {last}" if others else last,
        authors_apa=", ".join(map(apa, paper.authors)),
        authors_bibtex=" and ".join(map(bibtex, paper.authors)),
        authors_ieee=", ".join(map(ieee, paper.authors)),
        first=paper.authors[0],
        family=family(paper.authors[0]),
        families=", ".join(map(family, paper.authors)),
        venue=paper.venue,
        venue_=paper.venue.replace(" ", "_"),
        year=paper.year,
        yy=f"{paper.year % 100:02d}",
        number=number,
        preprint=preprint,
        arxiv=f"https://arxiv.org/abs/{preprint}",
        pdf=f"https://example.org/p{number}.pdf",
        code=f"https://github.com/lab{number}/code{number}",
    )


def papers_of(form: Mapping[str, Any]) -> tuple[Paper, ...]:
    return UNLISTED if form.get("unlisted") else PAPERS


def name_of(paper: Paper) -> str:
    return NAMES[[other.title for other in PAPERS].index(paper.title)]


def list_of(form: Mapping[str, Any]) -> str:
    """Return a list of two sections with all papers in a form."""
    header = form.get("header")
    head = [header, "|" + "---|" * (header.count("|") - 1)] if header else []
    sections = ["# Awesome Things", "A list of things."]
    for title, first in (("Theory", 0), ("Practice", 6)):
        papers = papers_of(form)[first : first + 6]
        lines = (line(form["line"], first + i, paper) for i, paper in enumerate(papers, 1))
        sections += [f"## {title}", "\n".join([*head, *lines])]
    return "\n\n".join(sections) + "\n"


def fold(text: object) -> str:
    return re.sub(r"\W+", " ", str(text or "")).casefold().strip()


def titles_of(paper: Paper) -> set[str]:
    """Return the title as forms write it: whole, or behind the short name of the form."""
    rest = paper.title.partition(": ")[2] or paper.title
    return {fold(paper.title), fold(rest), fold(f"{name_of(paper)} {rest}")}


def is_right(entry: Mapping[str, Any], paper: Paper, form: Mapping[str, Any]) -> bool:
    """Return whether an entry states what its paper states."""
    venues = {fold(paper.venue)} | {
        fold(text) for year in (paper.year, f"{paper.year % 100:02d}") for text in (f"{paper.venue} {year}",)
    }
    right = {
        "title": fold(entry["title"]) in titles_of(paper),
        "name": fold(entry["name"]) == fold(name_of(paper)),
        "venue": bool({fold(entry["venue"]), fold(entry["venue_text"])} & venues)
        or fold(entry["venue_text"]) == fold(f"{paper.year} {paper.venue}"),
        "year": entry["year"] == paper.year,
        "authors": list(map(fold, entry["authors"]))
        in [[fold(write(name)) for name in paper.authors] for write in (str, apa, ieee, bibtex, family)],
    }
    written = line(form["line"], NAMES.index(name_of(paper)) + 1, paper)
    right["links"] = set(_URL.findall(written)) <= {link["url"] for link in entry["links"]}
    return all(right[field] for field in form["fields"])


@pytest.mark.parametrize("name", FORMS)
def test_a_form_is_read(name: str) -> None:
    form = FORMS[name]
    document = read(Source(list_of(form), "list.md"), BARE.vocabulary)
    entries = [entry_data(entry, document, BARE) for entry in document.entries]
    by_title = {fold(entry["title"]): entry for entry in entries}
    read_right = [
        paper.title
        for paper in papers_of(form)
        if (entry := next((by_title[title] for title in titles_of(paper) if title in by_title), None))
        and is_right(entry, paper, form)
    ]
    assert len(read_right) >= form.get("least", len(PAPERS)), read_right
    assert len(entries) <= len(PAPERS)
