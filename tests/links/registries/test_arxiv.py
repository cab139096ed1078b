"""Papers, looked up at a fake of arXiv's API."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest

from shelfread.links.network_settings import Endpoints
from shelfread.links.registries.papers import Arxiv
from support.links import ALIVE, DEAD, look_up, verdicts
from support.service import ReceivedRequest, Response, serve


def feed(ids: list[str], total: int | None = None) -> Response:
    entries = "".join(
        f"<entry><id>http://arxiv.org/abs/{paper}</id><title>T&amp;T</title></entry>" for paper in ids
    )
    count = len(ids) if total is None else total
    return Response(
        200,
        f"<?xml version='1.0' encoding='UTF-8'?><feed xmlns='http://www.w3.org/2005/Atom' "
        f"xmlns:opensearch='http://a9.com/-/spec/opensearch/1.1/'><id>http://arxiv.org/api/x</id>"
        f"<opensearch:totalResults>{count}</opensearch:totalResults>{entries}</feed>".encode(),
    )


def papers(known: dict[str, int]) -> Callable[[ReceivedRequest], Response]:
    """An API that, as arXiv's does, answers ten by default, and in an order of its own."""

    def respond(request: ReceivedRequest) -> Response:
        query = parse_qs(urlsplit(request.path).query)
        ids = query["id_list"][0].split(",")
        most = int(query.get("max_results", ["10"])[0])
        return feed(sorted(f"{paper}v{known[paper]}" for paper in ids if paper in known)[:most])

    return respond


def test_a_hundred_papers_are_looked_up_in_one_request() -> None:
    known = {f"2301.{number:05}": 1 for number in range(150)}
    with serve(papers(known)) as service:
        found = look_up(Arxiv(Endpoints(arxiv=service.root), 0), *known, "2301.99999")
        assert len(service.requests) == 3  # a hundred, the rest, and the one that is dead again
    assert verdicts(found) == {**dict.fromkeys(known, ALIVE), "2301.99999": DEAD}


def test_versions_and_old_ids() -> None:
    with serve(papers({"1706.03762": 7, "cs/0112017": 1})) as service:
        keys = ("1706.03762v7", "1706.03762v8", "1706.03762", "cs/0112017v1", "cs/0112018v1", "cs/0112017")
        found = look_up(Arxiv(Endpoints(arxiv=service.root), 0), *keys)
    assert [verdicts(found).get(key) for key in keys] == [ALIVE, None, ALIVE, ALIVE, DEAD, ALIVE]
    assert found["cs/0112018v1"] is not None
    assert found["cs/0112018v1"].url == "https://arxiv.org/abs/cs/0112018v1"


def test_the_answer_to_another_question_proves_nothing() -> None:
    with serve(lambda _: feed(["1706.00009v1", "1706.00001v1"])) as service:
        found = look_up(Arxiv(Endpoints(arxiv=service.root), 0), "1706.00001", "1706.00002")
    assert set(found.values()) == {None}


@pytest.mark.parametrize(
    "response", [feed([]), feed(["1706.00001v1"], total=2), feed(["1706.00001v1"], total=-1)]
)
def test_an_incomplete_feed_proves_nothing(response: Response) -> None:
    with serve(lambda _: response) as service:
        found = look_up(Arxiv(Endpoints(arxiv=service.root), 0), "1706.00001", "1706.00002")
    assert found["1706.00002"] is None
