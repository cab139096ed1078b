"""The services and the environment variables that replace them."""

from __future__ import annotations

import json

import pytest

from shelfread.core.errors import UserError
from shelfread.index.answers import LinkRecord, Verdict
from shelfread.links.exchange import Endpoints, read_endpoints
from shelfread.links.registry import Arxiv, Doi, Registry, YouTube
from shelfread.links.replacement_search import RepairContext
from shelfread.links.repositories import GitHub
from support.links import chain, look_up, repair
from support.service import ReceivedRequest, Response, fetch, follow_by, followed, serve


def test_the_environment_sets_endpoints() -> None:
    assert read_endpoints({}) == Endpoints()
    given = {"SHELFREAD_ENDPOINT_GITHUB_API": "http://127.0.0.1:8000/", "SHELFREAD_ENDPOINT_DOI": ""}
    assert read_endpoints(given) == Endpoints(github_api="http://127.0.0.1:8000")


@pytest.mark.parametrize(
    "url",
    [
        "127.0.0.1:8000",
        "file:///etc",
        "http://",
        "http://a b",
        "http://u@h",
        "http://h:x",
        "http://h\\x",
        "http://h?x",
    ],
)
def test_an_endpoint_is_the_url_of_a_server(url: str) -> None:
    with pytest.raises(UserError, match="SHELFREAD_ENDPOINT_DOI: give the address of a server"):
        read_endpoints({"SHELFREAD_ENDPOINT_DOI": url})


FEED = b"""<feed xmlns="http://www.w3.org/2005/Atom">
<totalResults xmlns="http://a9.com/-/spec/opensearch/1.1/">1</totalResults>
<entry><id>http://arxiv.org/abs/1706.03762v1</id></entry></feed>"""
GONE = "http://example.org/gone"
FILE = "https://github.com/o/r/blob/master/a.md"
ANSWERS: dict[str, Response] = {
    "/api/handles/10.1145/1": Response(200, b'{"responseCode": 1, "handle": "10.1145/1"}'),
    "/api/query": Response(200, FEED),
    "/graphql": Response(200, b'{"data": {"r0": {"nameWithOwner": "o/r", "isPrivate": false}}}'),
    "/vi/dQw4w9WgXcQ/0.jpg": Response(200, b"", {"Content-Type": "image/jpeg"}),
    "/repos/o/r": Response(
        200, json.dumps({"full_name": "o/r", "default_branch": "main", "private": False}).encode()
    ),
    "/o/r/blob/main/a.md": Response(200),
    f"/web/20190503010203/{GONE}": Response(200),
}


def below_a_path(request: ReceivedRequest) -> Response:
    """Answer as all services do, below `/a/b` of one server."""
    assert request.path.startswith("/a/b/")
    path = request.path.removeprefix("/a/b")
    if path == f"/web/2/{GONE}":
        return Response(302, b"", {"Location": f"/a/b/web/20190503010203/{GONE}"})
    return ANSWERS[path.partition("?")[0]]


def test_an_endpoint_may_have_a_path() -> None:
    with serve(below_a_path) as service:
        root = f"{service.root}/a/b"
        names = [f"SHELFREAD_ENDPOINT_{field.upper()}" for field in Endpoints._fields]
        endpoints = read_endpoints(dict.fromkeys(names, f"{root}/"))
        assert set(endpoints) == {root}
        looked_up: list[tuple[Registry, str]] = [
            (Doi(endpoints, 0), "10.1145/1"),
            (Arxiv(endpoints, 0), "1706.03762"),
            (GitHub(endpoints, "token"), "o/r"),
            (YouTube(endpoints, 0), "dQw4w9WgXcQ"),
        ]
        for registry, key in looked_up:
            found = look_up(registry, key)[key]
            assert found is not None and found.verdict is Verdict.ALIVE
        dead = LinkRecord(GONE, Verdict.DEAD, "", chain(GONE, 404))
        (snapshot,) = repair(dead, RepairContext(followed({}), fetch, endpoints), archive=True)
        assert snapshot.url == f"https://web.archive.org/web/20190503010203/{GONE}"
        moved = LinkRecord(FILE, Verdict.DEAD, "", chain(FILE, 404))
        (file,) = repair(moved, RepairContext(follow_by(fetch), fetch, endpoints))
        assert file.url == "https://github.com/o/r/blob/main/a.md"
