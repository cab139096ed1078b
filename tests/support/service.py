"""A service on a loopback address, and a client that reaches nothing else."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

import pytest

from shelfread.index.answers import Hop, Trouble
from shelfread.links.exchange import Attempt, Fetch, FetchError, Follow, Reply, Request
from shelfread.links.request_limits import AddressInfo, open_socket


class ReceivedRequest(NamedTuple):
    """A request as the service received it."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


class Response(NamedTuple):
    """The response of the service."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = {}


RequestHandler = Callable[[ReceivedRequest], Response | None]
"""Returns the response to a request; None closes the connection without one."""


class Service(NamedTuple):
    root: str
    requests: list[ReceivedRequest]

    @property
    def paths(self) -> list[str]:
        return [request.path for request in self.requests]


_numbers = count(2)


@contextmanager
def serve(respond: RequestHandler) -> Iterator[Service]:
    """Run a service on an address of its own until the block ends."""
    requests: list[ReceivedRequest] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _answer(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            headers = {name.lower(): value for name, value in self.headers.items()}
            request = ReceivedRequest(self.command, self.path, headers, self.rfile.read(length))
            requests.append(request)
            response = respond(request)
            self.close_connection = True
            if response is None:
                return
            self.send_response(response.status)
            for name, value in response.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(response.body)))
            self.send_header("Connection", "close")
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(response.body)

        do_GET = do_HEAD = do_POST = _answer  # noqa: N815

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer((f"127.0.9.{next(_numbers)}", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        host, port = server.server_address[:2]
        yield Service(f"http://{host!s}:{port}", requests)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def open_loopback(info: AddressInfo) -> socket.socket:
    """Open a socket behind the guard, to loopback addresses only."""
    if not str(info[4][0]).startswith("127."):
        raise OSError(f"a test would have connected to {info[4][0]}")
    return open_socket(info)


async def fetch(request: Request) -> Reply:
    """Make one request, to loopback addresses only."""
    import aiohttp
    from yarl import URL

    assert (urlsplit(request.url).hostname or "").startswith("127."), request.url
    timeout = aiohttp.ClientTimeout(total=5)
    try:
        async with (
            aiohttp.ClientSession(timeout=timeout, trust_env=False) as session,
            session.request(
                request.method,
                URL(request.url, encoded=True),
                headers=dict(request.headers),
                data=request.body,
                allow_redirects=False,
            ) as response,
        ):
            body = await response.content.read(request.limit)
            headers = {name.lower(): value for name, value in response.headers.items()}
            return Reply(request.url, response.status, headers, body)
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        raise FetchError(Trouble.LOST, type(error).__name__) from None


def followed(pages: Mapping[str, tuple[Hop, ...] | Trouble | int], urls: list[str] | None = None) -> Follow:
    """Return a `Follow` of fake pages: a status, a chain or a trouble by URL, 404 for others; `urls` collects calls."""

    async def follow(url: str) -> Attempt:
        if urls is not None:
            urls.append(url)
        page = pages.get(url, 404)
        if isinstance(page, Trouble):
            return Attempt(url, (), page)
        return Attempt(url, (Hop(url, page),) if isinstance(page, int) else page)

    return follow


def follow_by(fetch: Fetch) -> Follow:
    """Return a `Follow` by HEAD requests, without following redirects."""

    async def follow(url: str) -> Attempt:
        try:
            reply = await fetch(Request(url, "HEAD"))
        except FetchError as error:
            return Attempt(url, (), error.trouble)
        return Attempt(url, (Hop(url, reply.status),))

    return follow


def handles(known: set[str]) -> Callable[[ReceivedRequest], Response]:
    """Respond as doi.org's lookup of handles does, which knows only these DOIs."""

    def respond(request: ReceivedRequest) -> Response:
        doi = unquote(request.path.removeprefix("/api/handles/"))
        if doi in known:
            return Response(200, json.dumps({"responseCode": 1, "handle": doi.upper()}).encode())
        return Response(404, json.dumps({"responseCode": 100, "handle": doi}).encode())

    return respond


class Preprint(NamedTuple):
    """A paper as arXiv has it."""

    title: str
    authors: tuple[str, ...] = ("Ada Lovelace", "Grace Hopper")
    year: int = 2024
    summary: str = "We show that it works."
    comment: str = ""
    journal_ref: str = ""
    doi: str = ""


def arxiv(papers: Mapping[str, Preprint]) -> RequestHandler:
    """Respond as arXiv's API does, with papers by id."""

    def respond(request: ReceivedRequest) -> Response:
        ids = parse_qs(urlsplit(request.path).query)["id_list"][0].split(",")
        entries = "".join(_entry(id, papers[id]) for id in ids if id in papers)
        found = sum(id in papers for id in ids)
        feed = (
            '<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">'
            f'<opensearch:totalResults xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">{found}'
            f"</opensearch:totalResults>{entries}</feed>"
        )
        return Response(200, feed.encode(), {"Content-Type": "application/atom+xml"})

    return respond


def _entry(id: str, paper: Preprint) -> str:
    authors = "".join(f"<author><name>{escape(name)}</name></author>" for name in paper.authors)
    extra = "".join(
        f'<arxiv:{name} xmlns:arxiv="http://arxiv.org/schemas/atom">{escape(text)}</arxiv:{name}>'
        for name, text in (("comment", paper.comment), ("journal_ref", paper.journal_ref), ("doi", paper.doi))
        if text
    )
    title = escape(paper.title).replace(" ", "\n  ", 1)  # arXiv wraps its titles
    return (
        f"<entry><id>http://arxiv.org/abs/{id}v2</id><published>{paper.year}-03-01T17:00:00Z</published>"
        f"<title>{title}</title><summary>{escape(paper.summary)}</summary>{authors}{extra}</entry>"
    )


def crossref_item(doi: str, title: str, venue: str, year: int, **more: Any) -> dict[str, Any]:
    """A work of proceedings, in the shape of Crossref's."""
    return {
        "DOI": doi.upper(),
        "title": [title],
        "container-title": [venue],
        "author": [{"given": "Ada", "family": "Lovelace"}, {"given": "Grace", "family": "Hopper"}],
        "issued": {"date-parts": [[year, 11, 4]]},
        "type": "proceedings-article",
        "URL": f"https://doi.org/{doi}",
        **more,
    }


def crossref(*items: dict[str, Any]) -> RequestHandler:
    """Respond as Crossref's API does to filters by DOI and to searches, which find all items."""

    def respond(request: ReceivedRequest) -> Response:
        query = parse_qs(urlsplit(request.path).query)
        found = list(items)
        if "filter" in query:
            wanted = {part.partition(":")[2].lower() for part in query["filter"][0].split(",")}
            found = [item for item in items if str(item["DOI"]).lower() in wanted]
        body = {
            "status": "ok",
            "message-type": "work-list",
            "message": {"items": found, "total-results": len(found)},
        }
        return Response(200, json.dumps(body).encode(), {"Content-Type": "application/json"})

    return respond


def dblp(*infos: dict[str, Any]) -> RequestHandler:
    """Respond as DBLP's search does, with all papers."""
    hits = {"@total": str(len(infos)), "hit": [{"@score": "5", "info": info} for info in infos]}
    body = json.dumps({"result": {"hits": hits}}).encode()
    return lambda request: Response(200, body, {"Content-Type": "application/json"})


def NO_REPOSITORY(request: ReceivedRequest) -> Response:  # noqa: N802
    """Respond as GitHub does to a repository that it does not have."""
    return Response(404, b'{"message": "Not Found"}')


NO_PREPRINT, NO_ITEM, NO_HIT = arxiv({}), crossref(), dblp()


class Bibliography(NamedTuple):
    """The services, with the requests that each received."""

    arxiv: Service
    crossref: Service
    dblp: Service
    github: Service


@contextmanager
def services(
    monkeypatch: pytest.MonkeyPatch,
    *,
    arxiv: RequestHandler = NO_PREPRINT,
    crossref: RequestHandler = NO_ITEM,
    dblp: RequestHandler = NO_HIT,
    github: RequestHandler = NO_REPOSITORY,
) -> Iterator[Bibliography]:
    """Run the services, and name them in the environment."""
    with ExitStack() as stack:
        running = Bibliography(
            *(stack.enter_context(serve(each)) for each in (arxiv, crossref, dblp, github))
        )
        for name, service in running._asdict().items():
            variable = "GITHUB_API" if name == "github" else name.upper()
            monkeypatch.setenv(f"SHELFREAD_ENDPOINT_{variable}", service.root)
        yield running
