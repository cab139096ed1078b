"""arXiv, Crossref, DBLP and GitHub on loopback, which answer in the shapes of the real services."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit
from xml.sax.saxutils import escape

import pytest

from support.service import ReceivedRequest, RequestHandler, Response, Service, serve


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
