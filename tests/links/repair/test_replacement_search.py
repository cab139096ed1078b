"""Replacements that are searched on the web."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from datetime import date
from urllib.parse import unquote

import pytest

from shelfread.core.diagnostics import Applicability
from shelfread.index.answers import Hop, LinkRecord, Trouble, Verdict
from shelfread.links.attempts import follower
from shelfread.links.client import Client
from shelfread.links.exchange import Attempt, Endpoints, Reply, Request
from shelfread.links.online_check import registries
from shelfread.links.replacement_search import RepairContext, find_replacements
from support.links import SAFE, UNSAFE, chain, redirected, repair
from support.service import ReceivedRequest, Response, fetch, follow_by, followed, open_loopback, serve
from support.web.server import Resolver, quick


def test_https_is_tried_once_for_a_host_without_it() -> None:
    http = {
        name: LinkRecord(f"http://{name}", Verdict.ALIVE, "", chain(f"http://{name}", 200))
        for name in (
            "a.org/x",
            "a.org/y",
            "a.org/z",
            "b.org/1",
            "b.org/2",
            "c.org:8080/",
            "d.org/x",
            "f.org/x",
            "arxiv.org/abs/1706.03762",
        )
    }
    urls: list[str] = []
    web: dict[str, tuple[Hop, ...] | Trouble | int] = {
        "https://a.org/x": 200,
        "https://a.org/y": chain("https://a.org/y", 301, "https://www.a.org/y/", 200),
        "https://a.org/z": chain("https://a.org/z", 301, "https://a.org/", 200),
        "https://b.org/1": Trouble.CERTIFICATE,
        "https://d.org/x": chain("https://d.org/x", 302, "http://d.org/x", 200),
        "https://f.org/x": 403,
    }
    records = {record.url: record for record in http.values()}
    asyncio.run(find_replacements(records, RepairContext(followed(web, urls), fetch)))
    found = {url: record.replacements[0].url for url, record in records.items() if record.replacements}
    assert found == {"http://a.org/x": "https://a.org/x", "http://a.org/y": "https://a.org/y"}
    assert "https://b.org/2" not in urls
    assert "https://arxiv.org/abs/1706.03762" not in urls  # known without asking
    assert all(new.rule == "link/upgradable" for record in records.values() for new in record.replacements)


def test_other_urls_are_not_requested() -> None:
    record = LinkRecord("http://a.org/x", Verdict.ALIVE, "", chain("http://a.org/x", 200))
    urls: list[str] = []
    assert repair(record, RepairContext(followed({}, urls), fetch), urls=()) == ()
    assert urls == []


USENIX = "https://www.usenix.org/conference/osdi20/technical-sessions/presentation/orca"


@pytest.mark.parametrize(
    ("url", "other"),
    [
        (USENIX, "https://www.usenix.org/conference/osdi20/presentation/orca"),
        (
            f"https://proceedings.neurips.cc/paper/2015/hash/{'a' * 32}-Abstract.html",
            f"https://proceedings.neurips.cc/paper_files/paper/2015/hash/{'a' * 32}-Abstract.html",
        ),
        (
            f"http://papers.nips.cc/paper/2015/hash/{'a' * 32}-Abstract.html",
            f"https://proceedings.neurips.cc/paper_files/paper/2015/hash/{'a' * 32}-Abstract.html",
        ),
    ],
)
def test_a_moved_page_must_be_found(url: str, other: str) -> None:
    record = LinkRecord(url, Verdict.DEAD, "", chain(url, 404))
    (replacement,) = repair(record, RepairContext(followed({other: 200}), fetch))
    assert (replacement.rule, replacement.url, replacement.applicability) == ("link/dead", other, SAFE)
    assert repair(record, RepairContext(followed({}), fetch)) == ()
    elsewhere = {other: chain(other, 302, "https://www.usenix.org/", 200)}
    assert repair(record, RepairContext(followed(elsewhere), fetch)) == ()


def test_a_page_that_answers_is_not_replaced() -> None:
    record = LinkRecord(USENIX, Verdict.ALIVE, "", chain(USENIX, 200))
    assert (
        repair(record, RepairContext(followed({USENIX.replace("technical-sessions/", ""): 200}), fetch)) == ()
    )


DEEP = "https://github.com/O/r/blob/master/docs/a%20b.md"


def github(repository: Mapping[str, object], paths: Mapping[str, int], number: str = "") -> object:
    def respond(request: ReceivedRequest) -> Response:
        if request.path.startswith("/repositories/"):
            return Response(200, json.dumps(repository).encode())
        if request.path.startswith("/repos/"):
            assert "authorization" not in request.headers
            if number:
                return Response(301, b"", {"Location": number})
            return Response(200, json.dumps(repository).encode())
        return Response(paths.get(request.path, 404))

    return respond


@pytest.mark.parametrize(
    ("facts", "paths", "replacement"),
    [
        (("o/R", "main"), {"/O/r/blob/main/docs/a%20b.md": 200}, ("O/r/blob/main", SAFE)),
        (("o/R", "main"), {}, None),
        (("o/R", "master"), {"/O/r/blob/master/docs/a%20b.md": 200}, None),
        (("o/R", "../../evil"), {}, None),
        (("o/R", None), {}, None),
        (("o/new", "main"), {"/o/new/blob/main/docs/a%20b.md": 200}, ("o/new/blob/main", SAFE)),
        (("evil/r", "main"), {"/evil/r/blob/main/docs/a%20b.md": 200}, ("evil/r/blob/main", UNSAFE)),
        (("evil/r/../x", "main"), {}, None),
    ],
)
def test_a_dead_file_is_searched_on_the_default_branch(
    facts: tuple[str, str | None], paths: dict[str, int], replacement: tuple[str, Applicability] | None
) -> None:
    repository = {"full_name": facts[0], "default_branch": facts[1], "private": False}
    with serve(github(repository, paths)) as service:  # type: ignore[arg-type]
        endpoints = Endpoints(github=service.root, github_api=service.root)
        context = RepairContext(follow_by(fetch), fetch, endpoints, "secret")
        found = repair(LinkRecord(DEEP, Verdict.DEAD, "", chain(DEEP, 404)), context)
    proposed = [(new.rule, new.url, new.applicability) for new in found]
    expected = (
        [("link/dead", f"https://github.com/{replacement[0]}/docs/a%20b.md", replacement[1])]
        if replacement
        else []
    )
    assert proposed == expected


@pytest.mark.parametrize("sound", [True, False])
def test_a_renamed_repository_is_looked_up_by_its_number(sound: bool) -> None:
    facts = {"full_name": "o/new", "default_branch": "main", "private": False}
    requests: list[str] = []

    async def api(request: Request) -> Reply:
        requests.append(request.url)
        if "/repos/" in request.url:
            host = "https://api.github.com" if sound else "https://evil.example"
            return Reply(request.url, 301, {"location": f"{host}/repositories/42"})
        return Reply(request.url, 200, {}, json.dumps(facts).encode())

    web = {"https://github.com/o/new/blob/main/docs/a%20b.md": 200}
    found = repair(
        LinkRecord(DEEP, Verdict.DEAD, "", chain(DEEP, 404)),
        RepairContext(followed(web), api, token="secret"),
    )
    assert len(found) == sound
    assert all(url.startswith("https://api.github.com/") for url in requests)


OLD, NEW = "https://github.com/o/old", "https://github.com/o/new"


@pytest.mark.parametrize(
    ("hops", "applicability"),
    [
        ((OLD, 301, NEW, 200), SAFE),
        ((OLD, 301, NEW + "/", 200), UNSAFE),
        ((OLD, 302, NEW, 200), UNSAFE),
        ((OLD, 301, NEW, 404), UNSAFE),
        ((OLD, 301, "https://github.com/o/newer", 200), UNSAFE),
        ((OLD, 200), UNSAFE),
        ((OLD, 404), UNSAFE),
    ],
)
def test_a_repository_that_the_api_calls_renamed_is_requested(
    hops: tuple[str | int, ...], applicability: Applicability
) -> None:
    urls: list[str] = []
    record = redirected(OLD, 301, NEW, 200)._replace(source="github.com")
    (found,) = repair(record, RepairContext(followed({OLD: chain(*hops)}, urls), fetch))
    assert urls == [OLD]
    assert (found.url, found.applicability) == (NEW, applicability)


def test_snapshots_of_a_few_dead_pages_only() -> None:
    records = {
        f"http://example.org/{number}": LinkRecord(f"http://example.org/{number}", Verdict.DEAD, "")
        for number in range(60)
    }
    for verdict in set(Verdict) - {Verdict.DEAD}:
        records[f"https://{verdict.value}.example"] = LinkRecord(
            f"https://{verdict.value}.example", verdict, ""
        )
    with serve(lambda _: Response(404)) as service:
        context = RepairContext(followed({}), fetch, Endpoints(wayback=service.root))
        asyncio.run(find_replacements(records, context, archive=True))
        assert service.paths == [f"/web/2/http://example.org/{number}" for number in range(50)]
    with serve(lambda _: Response(429)) as service:
        context = RepairContext(followed({}), fetch, Endpoints(wayback=service.root))
        asyncio.run(find_replacements(records, context, archive=True))
        assert len(service.requests) == 1


def test_replacements_stay_when_the_time_is_up() -> None:
    moved = redirected("https://e.org/a", 301, "https://e.org/a/", 200)
    records = {moved.url: moved, "http://slow.org/": LinkRecord("http://slow.org/", Verdict.ALIVE, "")}

    async def follow(url: str) -> Attempt:
        await asyncio.sleep(60)
        raise AssertionError

    async def run() -> None:
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(find_replacements(records, RepairContext(follow, fetch)), 0.05)

    asyncio.run(run())
    assert [new.url for new in records[moved.url].replacements] == ["https://e.org/a/"]


def test_everything_is_requested_by_the_given_client() -> None:
    """Registries, probes and the archive, by the client that guards and paces the rest."""
    doi = "10.1002/(sici)1097(1998)17:15<1661::aid>3.0.co;2-2"

    def respond(request: ReceivedRequest) -> Response:
        path, _, query = request.path.partition("?")
        if path.startswith("/api/handles/"):
            return Response(200, json.dumps({"responseCode": 1, "handle": unquote(path[13:])}).encode())
        if path == "/graphql":
            facts = {"nameWithOwner": "o/new", "isArchived": True, "isPrivate": False, "pushedAt": None}
            assert json.loads(request.body)["variables"] == {"o0": "o", "n0": "r"}
            return Response(200, json.dumps({"data": {"r0": facts}}).encode())
        if path.startswith("/vi/"):
            return Response(200, b"x", {"Content-Type": "image/jpeg"})
        if path == "/api/query":
            ids = unquote(query).partition("id_list=")[2].partition("&")[0].split(",")
            entries = "".join(
                f"<entry><id>http://arxiv.org/abs/{paper}v1</id>{' ' * 20_000}</entry>" for paper in ids
            )
            total = (
                f"<t:totalResults xmlns:t='http://a9.com/-/spec/opensearch/1.1/'>{len(ids)}</t:totalResults>"
            )
            return Response(
                200, f"<feed xmlns='http://www.w3.org/2005/Atom'>{total}{entries}</feed>".encode()
            )
        if request.path == "/web/20190501/http://example.org/a%20b?c=d%2Fe" and request.method == "GET":
            return Response(302, b"", {"Location": "/web/20190503010203/http://example.org/a%20b?c=d%2Fe"})
        return Response(
            200 if request.path.startswith("/web/20190503010203/http://example.org/a%20b?c=d") else 404
        )

    async def run(root: str) -> tuple[list[Verdict | None], LinkRecord]:
        host = root.removeprefix("http://")
        endpoints = Endpoints(*[root] * len(Endpoints._fields))
        settings = quick(allow_private=frozenset({host}))
        async with Client(settings, opener=open_loopback, resolver=Resolver({})) as client:
            verdicts: list[Verdict | None] = []
            papers = [f"2301.{number:05}" for number in range(100)]
            for registry, keys in zip(
                registries(endpoints, "secret", confirm_after=0),
                ([doi], papers, ["o/r"], ["aaaaaaaaaaa"]),
                strict=True,
            ):
                found = await registry.look_up(keys, client.fetch, 0.0)
                verdicts += {record.verdict if record else None for record in found.values()}
            url = "http://example.org/a%20b?c=d%2Fe"
            gone = {url: LinkRecord(url, Verdict.DEAD, "")}
            tools = RepairContext(follower(client), client.fetch, endpoints, "secret")
            await find_replacements(gone, tools, archive=True, dates={url: date(2019, 5, 1)})
            return verdicts, gone[url]

    with serve(respond) as service:
        verdicts, gone = asyncio.run(run(service.root))
        assert not any("secret" in str(request) for request in service.requests)
    assert verdicts == [Verdict.ALIVE, Verdict.ALIVE, Verdict.MOVED, Verdict.ALIVE]
    assert [new.url for new in gone.replacements] == [
        "https://web.archive.org/web/20190503010203/http://example.org/a%20b?c=d%2Fe"
    ]
