"""Papers that are looked up: each service once, until it fails."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from urllib.parse import urlsplit

from shelfread.imports.look_up import Paper, Services, look_up
from shelfread.links.exchange import Endpoints, Reply, Request

FOUND = {"result": {"hits": {"hit": [{"info": {"title": "Tidy Shelves", "venue": "OSDI", "year": "2021"}}]}}}


def test_a_service_that_fails_is_not_asked_again_and_the_others_are() -> None:
    asked: Counter[str] = Counter()

    async def fetch(request: Request) -> Reply:
        host = urlsplit(request.url).hostname or ""
        asked[host] += 1
        return Reply(request.url, 500 if "crossref" in host else 200, {}, json.dumps(FOUND).encode())

    services = Services(fetch, Endpoints())
    papers = [
        Paper("Tidy Shelves", title_key="title:tidyshelves"),
        Paper("Warm Ovens", title_key="title:warmovens"),
    ]
    works = asyncio.run(look_up(papers, services, lambda known: False))
    assert asked == {"api.crossref.org": 1, "dblp.org": 2}
    assert list(services.failures) == ["Crossref"]
    assert {key: [work.source for work in found] for key, found in works.items()} == {
        "title:tidyshelves": ["DBLP"],
        "title:warmovens": ["DBLP"],
    }


def test_titles_are_looked_for_only_where_identifiers_do_not_tell_enough() -> None:
    asked: list[str] = []
    item = {"type": "journal-article", "title": ["Tidy Shelves"], "DOI": "10.1145/1"}

    async def fetch(request: Request) -> Reply:
        asked.append(request.url)
        return Reply(request.url, 200, {}, json.dumps({"message": {"items": [item]}}).encode())

    paper = Paper("Tidy Shelves", doi="10.1145/1", title_key="title:tidyshelves")
    works = asyncio.run(look_up([paper], Services(fetch, Endpoints()), bool))
    assert list(works) == ["doi:10.1145/1"] and len(asked) == 1
