"""Videos, looked up at a fake YouTube."""

from __future__ import annotations

from shelfread.links.exchange import Endpoints
from shelfread.links.registry import YouTube
from support.links import ALIVE, DEAD, look_up, verdicts
from support.service import ReceivedRequest, Response, serve


def test_existing_videos_have_a_picture() -> None:
    def respond(request: ReceivedRequest) -> Response:
        status = 200 if "/aaaaaaaaaaa/" in request.path else 404
        return Response(status, b"x", {"Content-Type": "image/jpeg"})

    with serve(respond) as service:
        found = look_up(YouTube(Endpoints(youtube=service.root), 0), "aaaaaaaaaaa", "bbbbbbbbbbb")
        requests = ["/vi/aaaaaaaaaaa/0.jpg", "/vi/bbbbbbbbbbb/0.jpg", "/vi/bbbbbbbbbbb/0.jpg"]
        assert sorted(service.paths) == requests, "both at once, and again for what is not there"
    assert verdicts(found) == {"aaaaaaaaaaa": ALIVE, "bbbbbbbbbbb": DEAD}
