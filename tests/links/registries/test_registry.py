"""Registries: which URLs they claim, and what their answers prove."""

from __future__ import annotations

import pytest

from shelfread.links.exchange import Endpoints
from shelfread.links.online_check import registries
from shelfread.links.registry import Arxiv, Doi, YouTube
from shelfread.links.repositories import GitHub
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


def claimed(url: str) -> str | None:
    """Who claims an address, and by which key."""
    for registry in registries(Endpoints(), "t"):
        key = registry.claims(url)
        if key is not None:
            return f"{registry.host} {key}"
    return None


@pytest.mark.parametrize(
    ("url", "claim"),
    [
        ("https://doi.org/10.1145/3297858.3304013", "doi.org 10.1145/3297858.3304013"),
        ("http://dx.doi.org/10.1016/S0140-6736(05)67889-4", "doi.org 10.1016/s0140-6736(05)67889-4"),
        ("https://www.doi.org/10.1000%2F1#x", "doi.org 10.1000/1"),
        (
            "https://doi.org/10.1002/(SICI)1097(19980815/30)17:15%3C1661::AID%3E3.0.CO;2-2",
            "doi.org 10.1002/(sici)1097(19980815/30)17:15<1661::aid>3.0.co;2-2",
        ),
        ("https://doi.org/10.48550/arXiv.1706.03762", "doi.org 10.48550/arxiv.1706.03762"),
        ("https://dl.acm.org/doi/abs/10.1145/3297858.3304013", "doi.org page:10.1145/3297858.3304013"),
        (
            "https://link.springer.com/content/pdf/10.1007/978-3-319-46448-0_2.pdf",
            "doi.org page:10.1007/978-3-319-46448-0_2",
        ),
        ("https://onlinelibrary.wiley.com/doi/full/10.1002/cpe.1#s", "doi.org page:10.1002/cpe.1"),
        ("https://dl.acm.org/doi/10.5555/3295222.3295349", None),
        ("https://dl.acm.org/citation.cfm?id=3304013", None),
        ("https://doi.org/", None),
        ("https://doi.org/10.1/x", None),
        ("https://doi.org/10.1000/a%00b", None),
        ("https://doi.org/10.1000/a%FF", None),
        ("https://doi.org/https://doi.org/10.1000/1", None),
        ("https://doi.org@evil.example/10.1000/1", None),
        ("https://doi.org:8443/10.1000/1", None),
        ("https://doi.org:x/10.1000/1", None),
        ("https://doi.org.evil.example/10.1000/1", None),
        ("ftp://doi.org/10.1000/1", None),
        ("https://doi.org/10.1000/" + "a" * 2000, None),
        ("https://arxiv.org/abs/1706.03762", "arxiv.org 1706.03762"),
        ("http://www.arxiv.org/pdf/1706.03762v2.pdf", "arxiv.org 1706.03762v2"),
        ("https://export.arxiv.org/abs/cs/0112017", "arxiv.org cs/0112017"),
        ("https://arxiv.org/pdf/cs%2F0112017v1", "arxiv.org cs/0112017v1"),
        ("https://arxiv.org/abs/math.GT/0309136", "arxiv.org math/0309136"),
        ("https://arxiv.org/format/1706.03762", "arxiv.org 1706.03762"),
        ("https://arxiv.org/html/1706.03762", None),
        ("https://arxiv.org/list/cs.LG/recent", None),
        ("https://arxiv.org/abs/1713.03762", None),
        ("https://arxiv.org/abs/nonsense/0112017", None),
        ("https://arxiv.org/a/hinton_g_1", None),
        ("https://ar5iv.labs.arxiv.org/html/1706.03762", None),
        ("https://github.com/Owner/Name", "github.com owner/name"),
        ("http://www.github.com/owner/name.git/", "github.com owner/name"),
        ("https://github.com/owner/name?tab=readme-ov-file#x", "github.com owner/name"),
        ("https://github.com/owner/name/tree/main/x", None),
        ("https://github.com/owner", None),
        ("https://github.com/topics/linter", None),
        ("https://github.com/owner/..", None),
        ('https://github.com/owner/na"me', None),
        ("https://gist.github.com/owner/0123", None),
        ("https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=1s", "youtube.com dQw4w9WgXcQ"),
        ("https://youtu.be/dQw4w9WgXcQ?si=x", "youtube.com dQw4w9WgXcQ"),
        ("https://www.youtube.com/embed/dQw4w9WgXcQ", "youtube.com dQw4w9WgXcQ"),
        ("https://m.youtube.com/shorts/dQw4w9WgXcQ/", "youtube.com dQw4w9WgXcQ"),
        ("https://www.youtube.com/embed/videoseries?list=x", None),
        ("https://www.youtube.com/playlist?list=PLdQw4w9WgXcQ", None),
        ("https://www.youtube.com/@someone", None),
        ("https://www.youtube.com/watch?v=short", None),
        ("https://www.youtube.com/watch?" + "&".join(["v=dQw4w9WgXcQ"] * 60), None),
    ],
)
def test_claims(url: str, claim: str | None) -> None:
    assert claimed(url) == claim
