"""What is taken of the answers of Crossref, DBLP and OpenAlex."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from shelfread.imports.paper_services import fetch_published, search_crossref, search_dblp, search_openalex
from shelfread.index.answers import Work
from shelfread.links.exchange import Endpoints, Fetch, Reply, Request


def answering(data: Any, asked: list[str]) -> Fetch:
    """Answer every request with JSON, and note its URL."""

    async def fetch(request: Request) -> Reply:
        asked.append(request.url)
        return Reply(request.url, 200, {}, json.dumps(data).encode())

    return fetch


def crossref(*items: dict[str, Any]) -> dict[str, Any]:
    return {
        "message": {
            "items": [{"type": "proceedings-article", "title": ["Tidy Shelves"], **item} for item in items]
        }
    }


def first_of(*items: dict[str, Any]) -> list[Work]:
    return list(asyncio.run(search_crossref("Tidy Shelves", answering(crossref(*items), []), Endpoints())))


def test_a_posted_paper_is_a_preprint_and_a_data_set_is_no_paper() -> None:
    preprint, published = first_of({"type": "posted-content"}, {"type": "dataset"}, {})
    assert (preprint.is_preprint, published.is_preprint) == (True, False)


def test_what_crossref_says_of_a_paper() -> None:
    (work,) = first_of(
        {
            "subtitle": ["At Scale"],
            "author": [{"given": "Ada", "family": "Stone"}, {"name": "The Shelf Group"}, {}],
            "container-title": ["Lecture Notes", "Shelving 2021"],
            "issued": {"date-parts": [[2021, 4]]},
            "DOI": "10.1145/ABC.1",
        }
    )
    assert work.title == "Tidy Shelves: At Scale"
    assert work.authors == ("Ada Stone", "The Shelf Group")
    assert (work.venue, work.year, work.doi) == ("Shelving 2021", 2021, "10.1145/abc.1")


def test_only_the_dois_that_were_asked_for_are_answers() -> None:
    asked: list[str] = []
    answers = crossref({"DOI": "10.1145/1"}, {"DOI": "10.1145/2"})
    works = asyncio.run(fetch_published(["10.1145/1", "10.1145/3,4"], answering(answers, asked), Endpoints()))
    assert list(works) == ["10.1145/1"]
    assert len(asked) == 1 and "rows=1" in asked[0] and "3%2C4" not in asked[0]
    assert asyncio.run(fetch_published(["10.1145/3,4"], answering(answers, asked), Endpoints())) == {}
    assert len(asked) == 1


def test_what_dblp_says_of_a_paper() -> None:
    info = {
        "title": "Tidy Shelves.",
        "authors": {"author": [{"text": "Ada Stone 0001"}, {"text": "Lin Wu"}]},
        "venue": "CoRR",
        "year": "2021",
    }
    data = {"result": {"hits": {"hit": [{"info": info}, {"info": {"title": "", "venue": "OSDI"}}]}}}
    (work,) = asyncio.run(search_dblp("Tidy Shelves", answering(data, []), Endpoints()))
    assert (work.title, work.authors, work.year) == ("Tidy Shelves", ("Ada Stone", "Lin Wu"), 2021)
    assert work.is_preprint


def test_what_openalex_says_of_a_paper() -> None:
    item = {
        "title": "Tidy Shelves",
        "publication_year": 2021,
        "primary_location": {"source": {"display_name": "Shelving", "type": "conference"}},
        "authorships": [{"author": {"display_name": "Ada Stone"}}],
    }
    asked: list[str] = []
    data = {"results": [item, {**item, "type": "preprint"}, {"title": None}]}
    published, preprint = asyncio.run(
        search_openalex("Tidy, shelves?", answering(data, asked), Endpoints(), "a key")
    )
    assert (published.venue, published.year, published.authors) == ("Shelving", 2021, ("Ada Stone",))
    assert (published.is_preprint, preprint.is_preprint) == (False, True)
    assert "title.search:Tidy%20shelves&" in asked[0] and asked[0].endswith("&api_key=a%20key")
