"""Registries: what each claims, what it says, and what it makes of garbage; asked as real servers."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from shelfread.core.errors import UserError
from shelfread.core.link_record import Record, Verdict
from shelfread.linkcheck.http.request import Reply, Request
from shelfread.linkcheck.registries.arxiv import Arxiv
from shelfread.linkcheck.registries.atom import read_feed
from shelfread.linkcheck.registries.base import Registry
from shelfread.linkcheck.registries.doi import Doi
from shelfread.linkcheck.registries.endpoints import Endpoints, read_endpoints
from shelfread.linkcheck.registries.github import GitHub, authorization, read_token
from shelfread.linkcheck.registries.known import registries
from shelfread.linkcheck.registries.youtube import YouTube
from support.service import Asked, Said, fetch, serve

NOW = 1_750_000_000.0
ALIVE, DEAD, MOVED = Verdict.ALIVE, Verdict.DEAD, Verdict.MOVED


def ask(registry: Registry, *keys: str) -> dict[str, Record | None]:
    return asyncio.run(registry.ask(keys, fetch, NOW))


def verdicts(found: dict[str, Record | None]) -> dict[str, Verdict | None]:
    return {key: record.verdict if record else None for key, record in found.items()}


def claimed(url: str) -> str | None:
    """Who claims an address, and by which key."""
    for registry in registries(Endpoints(), {"GITHUB_TOKEN": "t"}):
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
def test_each_claims_its_own(url: str, claim: str | None) -> None:
    assert claimed(url) == claim


GARBAGE: list[Said | None] = [
    None,
    Said(403, b"no robots"),
    Said(429, b"", {"Retry-After": "3600"}),
    Said(500, b"{}"),
    Said(301, b"", {"Location": "http://127.0.0.1/"}),
    Said(200, b""),
    Said(200, b"<html>Welcome to the hotel's network</html>", {"Content-Type": "text/html"}),
    Said(200, b"[" * 100_000),
    Said(200, b"[]"),
    Said(200, b'{"responseCode": "1"}'),
    Said(200, b'{"responseCode": true}'),
    Said(200, b'{"responseCode": 1, "handle": "10.1000/other"}'),
    Said(404, b'{"responseCode": 1}'),
    Said(200, b'{"responseCode": 100}'),
    Said(404, b"<html>Not Found</html>"),
    Said(200, b'{"responseCode": 200, "handle": "10.1000/1"}'),
    Said(200, b'{"responseCode": ' + b"1" * 10_000 + b"}"),
    Said(200, b'\xff\xfe{"data": null}'),
    Said(200, b'{"data": null, "errors": [{"type": "RATE_LIMITED"}]}'),
    Said(200, b'{"data": {"r0": null}, "errors": [{"type": "RATE_LIMIT", "path": ["r0"]}]}'),
    Said(200, b'{"data": {"r0": null}, "errors": [{"type": "FORBIDDEN", "path": ["r0"]}]}'),
    Said(200, b'{"data": {"r0": null}}'),
    Said(200, b'{"data": {"r0": [1]}, "errors": {"r0": "x"}}'),
    Said(200, b'{"data": {"r0": {"nameWithOwner": 5, "isPrivate": false}}}'),
    Said(200, b'{"data": {"r0": {"nameWithOwner": "owner/name", "isPrivate": true}}}'),
    Said(200, b'{"data": {"r0": {"nameWithOwner": "a/b/../../evil", "isPrivate": false}}}'),
    Said(200, b"<feed></feed>"),
    Said(200, b'<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>http://arxiv.org/abs/1706.'),
    Said(
        200,
        b'<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>http://arxiv.org/api/errors#incorrect_id_format_for_x</id></entry></feed>',
    ),
]


@pytest.mark.parametrize("said", GARBAGE, ids=range(len(GARBAGE)))
def test_of_garbage_nothing_is_said(said: Said | None) -> None:
    with serve(lambda _: said) as service:
        for registry, key in (
            (Doi(Endpoints(doi=service.root), 0), "10.1000/1"),
            (Arxiv(Endpoints(arxiv=service.root), 0), "1706.03762"),
            (GitHub(Endpoints(github_api=service.root, github=service.root), "token"), "owner/name"),
        ):
            assert ask(registry, key) == {key: None}
        # Its 404 is the answer that counts.
        if said is None or said.status != 404:
            assert ask(YouTube(Endpoints(youtube=service.root), 0), "dQw4w9WgXcQ") == {"dQw4w9WgXcQ": None}
        assert service.asked


# ---------------------------------------------------------------------------------------------- DOI
def handles(known: set[str]) -> Callable[[Asked], Said]:
    def answer(asked: Asked) -> Said:
        doi = unquote(asked.path.removeprefix("/api/handles/"))
        if doi in known:
            return Said(200, json.dumps({"responseCode": 1, "handle": doi.upper()}).encode())
        return Said(404, json.dumps({"responseCode": 100, "handle": doi}).encode())

    return answer


def test_the_registry_tells_dois_that_are_from_those_that_are_not() -> None:
    odd = "10.1002/(sici)1097(19980815/30)17:15<1661::aid>3.0.co;2-2"
    with serve(handles({"10.1145/1", odd})) as service:
        doi = Doi(Endpoints(doi=service.root), 0)
        found = ask(
            doi, "10.1145/1", odd, "10.1145/2", "page:10.1145/1", "page:10.1145/2", "10.1145/3.", "10.1145/1"
        )
        asked = service.paths
    assert verdicts(found) == {
        "10.1145/1": ALIVE,
        odd: ALIVE,
        "10.1145/2": DEAD,
        "page:10.1145/1": ALIVE,
        "page:10.1145/2": None,
        "10.1145/3.": None,
    }
    assert asked.count("/api/handles/10.1145/2") == 3  # twice for the DOI, once for the publisher's page
    assert asked.count("/api/handles/10.1145/1") == 2
    gone = found["10.1145/2"]
    assert gone is not None
    assert (gone.reason, gone.source, gone.checked_at) == (
        "doi.org does not know this DOI, asked twice",
        "doi.org",
        NOW,
    )


def test_what_is_dead_once_only_is_not_dead() -> None:
    times = 0

    def answer(asked: Asked) -> Said:
        nonlocal times
        times += 1
        return handles(set())(asked) if times == 1 else Said(503)

    with serve(answer) as service:
        assert ask(Doi(Endpoints(doi=service.root), 0), "10.1145/1") == {"10.1145/1": None}


def test_a_registry_that_is_down_is_not_asked_a_thousand_times() -> None:
    keys = [f"10.1145/{number}" for number in range(1000)]
    with serve(lambda _: Said(503)) as service:
        found = ask(Doi(Endpoints(doi=service.root), 0), *keys)
        assert set(found) == set(keys)
        assert not any(found.values())
        assert len(service.asked) < 100


# -------------------------------------------------------------------------------------------- arXiv
def feed(ids: list[str], total: int | None = None) -> Said:
    entries = "".join(
        f"<entry><id>http://arxiv.org/abs/{one}</id><title>T&amp;T</title></entry>" for one in ids
    )
    count = len(ids) if total is None else total
    return Said(
        200,
        f"<?xml version='1.0' encoding='UTF-8'?><feed xmlns='http://www.w3.org/2005/Atom' "
        f"xmlns:opensearch='http://a9.com/-/spec/opensearch/1.1/'><id>http://arxiv.org/api/x</id>"
        f"<opensearch:totalResults>{count}</opensearch:totalResults>{entries}</feed>".encode(),
    )


def papers(known: dict[str, int]) -> Callable[[Asked], Said]:
    """An API that, as arXiv's does, answers ten unless told, and in an order of its own."""

    def answer(asked: Asked) -> Said:
        query = parse_qs(urlsplit(asked.path).query)
        ids = query["id_list"][0].split(",")
        most = int(query.get("max_results", ["10"])[0])
        return feed(sorted(f"{one}v{known[one]}" for one in ids if one in known)[:most])

    return answer


def test_papers_are_asked_for_a_hundred_at_a_time() -> None:
    known = {f"2301.{number:05}": 1 for number in range(150)}
    with serve(papers(known)) as service:
        found = ask(Arxiv(Endpoints(arxiv=service.root), 0), *known, "2301.99999")
        assert len(service.asked) == 3  # a hundred, the rest, and the one that is dead again
    assert verdicts(found) == {**dict.fromkeys(known, ALIVE), "2301.99999": DEAD}


def test_versions_and_old_ids() -> None:
    with serve(papers({"1706.03762": 7, "cs/0112017": 1})) as service:
        keys = ("1706.03762v7", "1706.03762v8", "1706.03762", "cs/0112017v1", "cs/0112018v1", "cs/0112017")
        found = ask(Arxiv(Endpoints(arxiv=service.root), 0), *keys)
    assert [verdicts(found).get(key) for key in keys] == [ALIVE, None, ALIVE, ALIVE, DEAD, ALIVE]
    assert found["cs/0112018v1"] is not None
    assert found["cs/0112018v1"].url == "https://arxiv.org/abs/cs/0112018v1"


@pytest.mark.parametrize(
    "said", [feed([]), feed(["1706.00001v1"], total=2), feed(["1706.00001v1"], total=-1)]
)
def test_a_feed_that_came_out_short_is_no_proof(said: Said) -> None:
    with serve(lambda _: said) as service:
        found = ask(Arxiv(Endpoints(arxiv=service.root), 0), "1706.00001", "1706.00002")
    assert found["1706.00002"] is None


def test_xml_that_grows_is_refused() -> None:
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    bomb = (
        f'<!DOCTYPE feed [<!ENTITY l0 "ha">{laughs}]><feed xmlns="http://www.w3.org/2005/Atom">&l11;</feed>'
    )
    outside = '<!DOCTYPE feed SYSTEM "file:///etc/passwd"><feed xmlns="http://www.w3.org/2005/Atom"/>'
    deep = '<feed xmlns="http://www.w3.org/2005/Atom">' + "<a>" * 100_000
    started = time.process_time()
    assert [read_feed(text.encode()) for text in (bomb, outside, deep)] == [None] * 3
    assert time.process_time() - started < 5
    assert read_feed(b"") is None
    assert read_feed(b"<?xml version='1.0' encoding='no-such'?><feed/>") is None


# ------------------------------------------------------------------------------------------- GitHub
def repositories(known: dict[str, dict[str, object] | None]) -> Callable[[Asked], Said]:
    def answer(asked: Asked) -> Said:
        if asked.method == "HEAD":
            return Said(404 if known.get(asked.path[1:]) is None else 200)
        given = json.loads(asked.body)["variables"]
        data: dict[str, object] = {}
        errors = []
        for at in range(len(given) // 2):
            name = f"{given[f'o{at}']}/{given[f'n{at}']}"
            data[f"r{at}"] = known.get(name)
            if known.get(name) is None:
                errors.append({"type": "NOT_FOUND", "path": [f"r{at}"], "message": "Could not resolve"})
        return Said(200, json.dumps({"data": data, **({"errors": errors} if errors else {})}).encode())

    return answer


def facts(name: str, archived: bool = False) -> dict[str, object]:
    return {"nameWithOwner": name, "isArchived": archived, "isPrivate": False}


def test_repositories_are_asked_for_fifty_at_a_time() -> None:
    known: dict[str, dict[str, object] | None] = {
        f"o/r{number}": facts(f"O/R{number}") for number in range(60)
    }
    known |= {"o/old": facts("p/new"), "o/done": facts("o/done", archived=True)}
    with serve(repositories(known)) as service:
        endpoints = Endpoints(github_api=service.root, github=service.root)
        found = ask(GitHub(endpoints, "secret"), *known, "o/gone")
        assert [one.method for one in service.asked] == ["POST", "POST", "HEAD"]
        assert not any("secret" in str(one) for one in service.asked)  # it is not GitHub whom it would tell
    assert verdicts(found) == {**dict.fromkeys(known, ALIVE), "o/old": MOVED, "o/gone": DEAD}
    said = {key: record.archived for key, record in found.items() if record and record.archived}
    assert said == {"o/done": "archived"}
    moved = found["o/old"]
    assert moved is not None
    assert moved.end == "https://github.com/p/new"


def test_what_only_looks_like_a_repository_is_not_dead() -> None:
    def answer(asked: Asked) -> Said:
        return Said(200) if asked.method == "HEAD" else repositories({})(asked)

    with serve(answer) as service:
        endpoints = Endpoints(github_api=service.root, github=service.root)
        assert ask(GitHub(endpoints, "t"), "readme/guides") == {"readme/guides": None}


def test_the_query_is_made_of_nothing_that_a_list_says() -> None:
    seen: list[Request] = []

    async def note(request: Request) -> Reply:
        seen.append(request)
        return Reply(request.url, 200, {}, b'{"data": {}}')

    found = asyncio.run(GitHub(token="t").ask(["a/b", 'a/b"){x}', "a/b\n"], note, NOW))
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
def test_the_token_is_for_github_alone(api: str, sent: bool) -> None:
    headers = authorization(Endpoints(github_api=api), "secret")
    assert headers == ({"Authorization": "Bearer secret"} if sent else {})


def test_without_a_token_the_web_is_asked() -> None:
    (github,) = (one for one in registries(Endpoints(), {}) if one.host == "github.com")
    assert github.claims("https://github.com/o/r") is None
    assert read_token({"GITHUB_TOKEN": "", "GH_TOKEN": "x"}) == "x"
    assert read_token({"GITHUB_TOKEN": "a\r\nX-Evil: 1"}) == ""


def test_a_page_within_a_repository_has_its_facts() -> None:
    pages = {
        f"https://github.com/{path}": Record(f"https://github.com/{path}", verdict, "")
        for path, verdict in (
            ("O/done/blob/main/a.md", ALIVE),
            ("o/new/issues", ALIVE),
            ("o/done/wiki", DEAD),
        )
    }
    pages["https://example.org/o/done"] = Record("https://example.org/o/done", ALIVE, "")
    with serve(repositories({"o/done": facts("o/done", archived=True), "o/new": facts("o/new")})) as service:
        github = GitHub(Endpoints(github_api=service.root, github=service.root), "t")
        found = asyncio.run(github.describe(pages, fetch, NOW))
        assert len(service.asked) == 1
    assert {url for url, record in found.items() if record.archived} == {
        "https://github.com/O/done/blob/main/a.md"
    }
    assert list(found) == list(pages)


# ------------------------------------------------------------------------------------------ YouTube
def test_videos_have_a_picture() -> None:
    def answer(asked: Asked) -> Said:
        status = 200 if "/aaaaaaaaaaa/" in asked.path else 404
        return Said(status, b"x", {"Content-Type": "image/jpeg"})

    with serve(answer) as service:
        found = ask(YouTube(Endpoints(youtube=service.root), 0), "aaaaaaaaaaa", "bbbbbbbbbbb")
        asked = ["/vi/aaaaaaaaaaa/0.jpg", "/vi/bbbbbbbbbbb/0.jpg", "/vi/bbbbbbbbbbb/0.jpg"]
        assert sorted(service.paths) == asked, "both at once, and again for what is not there"
    assert verdicts(found) == {"aaaaaaaaaaa": ALIVE, "bbbbbbbbbbb": DEAD}


# ---------------------------------------------------------------------------------------- endpoints
def test_the_environment_names_other_services() -> None:
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
def test_an_endpoint_is_the_address_of_a_server(url: str) -> None:
    with pytest.raises(UserError, match="SHELFREAD_ENDPOINT_DOI: give the address of a server"):
        read_endpoints({"SHELFREAD_ENDPOINT_DOI": url})
