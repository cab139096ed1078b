"""What all registries have in common: invalid answers, failures, confirmation."""

from __future__ import annotations

import pytest

from shelfread.links.network_settings import Endpoints
from shelfread.links.registries.papers import Arxiv, Doi
from shelfread.links.registries.repositories import GitHub
from shelfread.links.registries.videos import YouTube
from support.links import look_up
from support.service import ReceivedRequest, Response, handles, serve

GARBAGE: list[Response | None] = [
    None,
    Response(403, b"no robots"),
    Response(429, b"", {"Retry-After": "3600"}),
    Response(500, b"{}"),
    Response(301, b"", {"Location": "http://127.0.0.1/"}),
    Response(200, b""),
    Response(200, b"<html>Welcome to the hotel's network</html>", {"Content-Type": "text/html"}),
    Response(200, b"[" * 100_000),
    Response(200, b"[]"),
    Response(200, b'{"responseCode": "1"}'),
    Response(200, b'{"responseCode": true}'),
    Response(200, b'{"responseCode": 1, "handle": "10.1000/other"}'),
    Response(404, b'{"responseCode": 1}'),
    Response(200, b'{"responseCode": 100}'),
    Response(404, b"<html>Not Found</html>"),
    Response(200, b'{"responseCode": 200, "handle": "10.1000/1"}'),
    Response(200, b'{"responseCode": ' + b"1" * 10_000 + b"}"),
    Response(200, b'\xff\xfe{"data": null}'),
    Response(200, b'{"data": null, "errors": [{"type": "RATE_LIMITED"}]}'),
    Response(200, b'{"data": {"r0": null}, "errors": [{"type": "RATE_LIMIT", "path": ["r0"]}]}'),
    Response(200, b'{"data": {"r0": null}, "errors": [{"type": "FORBIDDEN", "path": ["r0"]}]}'),
    Response(200, b'{"data": {"r0": null}}'),
    Response(200, b'{"data": {"r0": [1]}, "errors": {"r0": "x"}}'),
    Response(200, b'{"data": {"r0": {"nameWithOwner": 5, "isPrivate": false}}}'),
    Response(200, b'{"data": {"r0": {"nameWithOwner": "owner/name", "isPrivate": true}}}'),
    Response(200, b'{"data": {"r0": {"nameWithOwner": "a/b/../../evil", "isPrivate": false}}}'),
    Response(200, b"<feed></feed>"),
    Response(200, b'<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>http://arxiv.org/abs/1706.'),
    Response(
        200,
        b'<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>http://arxiv.org/api/errors#incorrect_id_format_for_x</id></entry></feed>',
    ),
]


@pytest.mark.parametrize("response", GARBAGE, ids=range(len(GARBAGE)))
def test_invalid_answers_prove_nothing(response: Response | None) -> None:
    with serve(lambda _: response) as service:
        for registry, key in (
            (Doi(Endpoints(doi=service.root), 0), "10.1000/1"),
            (Arxiv(Endpoints(arxiv=service.root), 0), "1706.03762"),
            (GitHub(Endpoints(github_api=service.root, github=service.root), "token"), "owner/name"),
        ):
            assert look_up(registry, key) == {key: None}
        # Its 404 is the answer that counts.
        if response is None or response.status != 404:
            assert look_up(YouTube(Endpoints(youtube=service.root), 0), "dQw4w9WgXcQ") == {
                "dQw4w9WgXcQ": None
            }
        assert service.requests


def test_dead_needs_two_answers() -> None:
    times = 0

    def respond(request: ReceivedRequest) -> Response:
        nonlocal times
        times += 1
        return handles(set())(request) if times == 1 else Response(503)

    with serve(respond) as service:
        assert look_up(Doi(Endpoints(doi=service.root), 0), "10.1145/1") == {"10.1145/1": None}


def test_a_registry_that_is_down_gets_few_requests() -> None:
    keys = [f"10.1145/{number}" for number in range(1000)]
    with serve(lambda _: Response(503)) as service:
        found = look_up(Doi(Endpoints(doi=service.root), 0), *keys)
        assert set(found) == set(keys)
        assert not any(found.values())
        assert len(service.requests) < 100
