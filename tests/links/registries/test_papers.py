"""DOIs and papers at arXiv."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest

from shelfread.links.exchange import Endpoints
from shelfread.links.registry import Arxiv, Doi, read_feed
from support.links import ALIVE, DEAD, NOW, look_up, verdicts
from support.service import ReceivedRequest, Response, handles, serve
from support.work import ends


def test_existing_and_missing_dois() -> None:
    odd = "10.1002/(sici)1097(19980815/30)17:15<1661::aid>3.0.co;2-2"
    with serve(handles({"10.1145/1", odd})) as service:
        doi = Doi(Endpoints(doi=service.root), 0)
        found = look_up(
            doi, "10.1145/1", odd, "10.1145/2", "page:10.1145/1", "page:10.1145/2", "10.1145/3.", "10.1145/1"
        )
        requests = service.paths
    assert verdicts(found) == {
        "10.1145/1": ALIVE,
        odd: ALIVE,
        "10.1145/2": DEAD,
        "page:10.1145/1": ALIVE,
        "page:10.1145/2": None,
        "10.1145/3.": None,
    }
    assert requests.count("/api/handles/10.1145/2") == 3  # twice for the DOI, once for the publisher's page
    assert requests.count("/api/handles/10.1145/1") == 2
    gone = found["10.1145/2"]
    assert gone is not None
    assert (gone.reason, gone.source, gone.checked_at) == (
        "doi.org does not know this DOI, checked twice",
        "doi.org",
        NOW,
    )


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


def test_expanding_xml_is_refused() -> None:
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    bomb = (
        f'<!DOCTYPE feed [<!ENTITY l0 "ha">{laughs}]><feed xmlns="http://www.w3.org/2005/Atom">&l11;</feed>'
    )
    outside = '<!DOCTYPE feed SYSTEM "file:///etc/passwd"><feed xmlns="http://www.w3.org/2005/Atom"/>'
    deep = '<feed xmlns="http://www.w3.org/2005/Atom">' + "<a>" * 100_000
    with ends():
        assert [read_feed(text.encode()) for text in (bomb, outside, deep)] == [None] * 3
    assert read_feed(b"") is None
    assert read_feed(b"<?xml version='1.0' encoding='no-such'?><feed/>") is None
