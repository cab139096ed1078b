"""Repositories, looked up at a fake of GitHub's API."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

import pytest

from shelfread.index.answers import LinkRecord
from shelfread.links.exchange import Endpoints, Reply, Request
from shelfread.links.online_check import registries
from shelfread.links.repositories import GitHub, authorization, read_token
from support.links import ALIVE, DEAD, MOVED, NOW, look_up, verdicts
from support.service import ReceivedRequest, Response, fetch, serve


def repositories(known: dict[str, dict[str, object] | None]) -> Callable[[ReceivedRequest], Response]:
    def respond(request: ReceivedRequest) -> Response:
        if request.method == "HEAD":
            return Response(404 if known.get(request.path[1:]) is None else 200)
        variables = json.loads(request.body)["variables"]
        data: dict[str, object] = {}
        errors = []
        for index in range(len(variables) // 2):
            name = f"{variables[f'o{index}']}/{variables[f'n{index}']}"
            data[f"r{index}"] = known.get(name)
            if known.get(name) is None:
                errors.append({"type": "NOT_FOUND", "path": [f"r{index}"], "message": "Could not resolve"})
        return Response(200, json.dumps({"data": data, **({"errors": errors} if errors else {})}).encode())

    return respond


def facts(name: str, archived: bool = False) -> dict[str, object]:
    return {"nameWithOwner": name, "isArchived": archived, "isPrivate": False}


def test_fifty_repositories_are_looked_up_in_one_request() -> None:
    known: dict[str, dict[str, object] | None] = {
        f"o/r{number}": facts(f"O/R{number}") for number in range(60)
    }
    known |= {"o/old": facts("p/new"), "o/done": facts("o/done", archived=True)}
    with serve(repositories(known)) as service:
        endpoints = Endpoints(github_api=service.root, github=service.root)
        found = look_up(GitHub(endpoints, "secret"), *known, "o/gone")
        assert [request.method for request in service.requests] == ["POST", "POST", "HEAD"]
        assert not any("secret" in str(request) for request in service.requests)  # the service is not GitHub
    assert verdicts(found) == {**dict.fromkeys(known, ALIVE), "o/old": MOVED, "o/gone": DEAD}
    archived = {key: record.archived for key, record in found.items() if record and record.archived}
    assert archived == {"o/done": "archived"}
    moved = found["o/old"]
    assert moved is not None
    assert moved.end == "https://github.com/p/new"


def test_a_page_that_looks_like_a_repository_is_not_dead() -> None:
    def respond(request: ReceivedRequest) -> Response:
        return Response(200) if request.method == "HEAD" else repositories({})(request)

    with serve(respond) as service:
        endpoints = Endpoints(github_api=service.root, github=service.root)
        assert look_up(GitHub(endpoints, "t"), "readme/guides") == {"readme/guides": None}


def test_the_query_contains_no_text_of_a_list() -> None:
    seen: list[Request] = []

    async def note(request: Request) -> Reply:
        seen.append(request)
        return Reply(request.url, 200, {}, b'{"data": {}}')

    found = asyncio.run(GitHub(Endpoints(), "t").look_up(["a/b", 'a/b"){x}', "a/b\n"], note, NOW))
    assert found == {"a/b": None}
    body = json.loads(seen[0].body or b"")
    assert body["query"].startswith("query($o0:String!,$n0:String!){r0:repository(owner:$o0,name:$n0){")
    assert body["variables"] == {"o0": "a", "n0": "b"}


@pytest.mark.parametrize(
    ("api", "sent"),
    [
        ("https://api.github.com", True),
        ("http://api.github.com", False),
        ("https://api.github.com.evil.example", False),
        ("https://api.github.com:8443", False),
        ("https://user@api.github.com", False),
        ("http://127.0.0.1:80", False),
    ],
)
def test_the_token_is_sent_to_github_only(api: str, sent: bool) -> None:
    headers = authorization(Endpoints(github_api=api), "secret")
    assert headers == ({"Authorization": "Bearer secret"} if sent else {})


def test_without_a_token_nothing_is_claimed() -> None:
    (github,) = (registry for registry in registries(Endpoints(), "") if registry.host == "github.com")
    assert github.claims("https://github.com/o/r") is None
    assert read_token({"GITHUB_TOKEN": "", "GH_TOKEN": "x"}) == "x"
    assert read_token({"GITHUB_TOKEN": "a\r\nX-Evil: 1"}) == ""


def test_pages_of_an_archived_repository() -> None:
    pages = {
        f"https://github.com/{path}": LinkRecord(f"https://github.com/{path}", verdict, "")
        for path, verdict in (
            ("O/done/blob/main/a.md", ALIVE),
            ("o/new/issues", ALIVE),
            ("o/done/wiki", DEAD),
        )
    }
    pages["https://example.org/o/done"] = LinkRecord("https://example.org/o/done", ALIVE, "")
    with serve(repositories({"o/done": facts("o/done", archived=True), "o/new": facts("o/new")})) as service:
        github = GitHub(Endpoints(github_api=service.root, github=service.root), "t")
        found = asyncio.run(github.describe(pages, fetch, NOW))
        assert len(service.requests) == 1
    assert {url for url, record in found.items() if record.archived} == {
        "https://github.com/O/done/blob/main/a.md"
    }
    assert list(found) == list(pages)
