"""Snapshots of dead pages, and the days on which lines were written."""

from __future__ import annotations

import asyncio
import os
import subprocess
from datetime import date
from pathlib import Path

import pytest

from shelfread.index.answers import LinkRecord, Replacement, Verdict
from shelfread.links.exchange import Endpoints, Reply, Request
from shelfread.links.replacement_search import RepairContext, find_replacements, line_dates
from support.links import UNSAFE, chain, repair
from support.service import ReceivedRequest, Response, fetch, followed, serve

GONE = "http://example.org/gone?a=1"


def wayback(location: str, first: int = 302, second: int = 200) -> object:
    def respond(request: ReceivedRequest) -> Response:
        if request.method == "HEAD":
            return Response(second)
        return Response(
            first, b"", {"Location": location.replace("HOST", "http://" + request.headers["host"])}
        )

    return respond


@pytest.mark.parametrize(
    ("location", "first", "second", "snapshot"),
    [
        ("HOST/web/20190503010203/http://example.org/gone?a=1", 302, 200, True),
        ("/web/20190503010203/http://example.org:80/gone?a=1", 302, 200, True),
        ("https://web.archive.org/web/20190503010203/https://www.example.org/gone?a=1", 302, 200, True),
        ("HOST/web/20190503010203/http://example.org/gone?a=1", 302, 404, False),
        ("HOST/web/20190503010203/http://example.org/gone?a=1", 302, 302, False),
        ("HOST/web/20190503010203/http://example.org/gone?a=1", 404, 200, False),
        ("HOST/web/20190503010203/http://example.org/gone?a=1", 429, 200, False),
        ("HOST/web/20190503010203/http://example.org/other", 302, 200, False),
        ("HOST/web/20190503010203/http://evil.example/gone?a=1", 302, 200, False),
        ("HOST/web/99999999999999/http://example.org/gone?a=1", 302, 200, False),
        ("https://evil.example/web/20190503010203/http://example.org/gone?a=1", 302, 200, False),
        (
            "https://web.archive.org@evil.example/web/20190503010203/http://example.org/gone?a=1",
            302,
            200,
            False,
        ),
        ("//evil.example/web/20190503010203/http://example.org/gone?a=1", 302, 200, False),
        ("http://[", 302, 200, False),
        ("", 302, 200, False),
    ],
)
def test_snapshots_of_a_dead_page(location: str, first: int, second: int, snapshot: bool) -> None:
    with serve(wayback(location, first, second)) as service:  # type: ignore[arg-type]
        context = RepairContext(followed({}), fetch, Endpoints(wayback=service.root))
        record = LinkRecord(GONE, Verdict.DEAD, "404 Not Found, seen twice", chain(GONE, 404))
        assert repair(record, context) == ()
        assert service.requests == []
        found = repair(record, context, archive=True, dates={GONE: date(2019, 5, 1)})
        assert service.paths[0] == "/web/20190501/http://example.org/gone?a=1"
    url = "https://web.archive.org/web/20190503010203/http://example.org/gone?a=1"
    assert found == ((Replacement("link/dead", url, "a snapshot of 2019-05-03", UNSAFE),) if snapshot else ())


def test_private_urls_are_not_sent_to_the_archive() -> None:
    urls = [
        "http://127.0.0.1/a",
        "http://[fe80::1]/a",
        "http://wiki/a",
        "http://corp.example/a",
        "http://example.org/a",
    ]
    requests: list[str] = []

    async def note(request: Request) -> Reply:
        requests.append(request.url)
        return Reply(request.url, 404, {})

    records = {url: LinkRecord(url, Verdict.DEAD, "") for url in urls}
    context = RepairContext(followed({}), note, private=frozenset({"corp.example:80"}))
    asyncio.run(find_replacements(records, context, archive=True))
    assert requests == ["https://web.archive.org/web/2/http://example.org/a"]


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    git("init", "--quiet")
    commit("# List\n\n- one\n", "2018-02-03")
    commit("# List\n\n- one\n- two\n- twice\n- twice\n", "2019-05-06")
    return tmp_path


def git(*words: str, day: str = "2020-01-01") -> None:
    settings = ["-c", "user.name=a", "-c", "user.email=a@b.org", "-c", "init.defaultBranch=main"]
    stamp = f"{day}T12:00:00Z"
    environment = {"GIT_AUTHOR_DATE": stamp, "GIT_COMMITTER_DATE": stamp, "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(
        ["git", *settings, *words], check=True, capture_output=True, env={**os.environ, **environment}
    )


def commit(text: str, day: str) -> None:
    Path("list.md").write_text(text, encoding="utf-8")
    git("add", "list.md")
    git("commit", "--quiet", "--message", "x", day=day)


def test_the_day_of_a_line(repository: Path) -> None:
    assert line_dates("list.md", (1, 3, 4, 99, 0)) == {
        1: date(2018, 2, 3),
        3: date(2018, 2, 3),
        4: date(2019, 5, 6),
    }
    Path("list.md").write_text("# List\n\nnew\n\n- two\n- twice\n- one\n", encoding="utf-8")
    # Moved lines are known by their text, those that nobody committed not at all.
    assert line_dates("list.md", range(1, 8)) == {
        1: date(2018, 2, 3),
        2: date(2018, 2, 3),
        4: date(2018, 2, 3),
        5: date(2019, 5, 6),
        6: date(2019, 5, 6),
        7: date(2018, 2, 3),
    }


def test_unknown_files(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    Path("other.md").write_text("x\n", encoding="utf-8")
    assert line_dates("other.md", (1,)) == {}
    assert line_dates("missing.md", (1,)) == {}
    outside = tmp_path_factory.mktemp("outside") / "list.md"
    outside.write_text("x\n", encoding="utf-8")
    assert line_dates(str(outside), (1,)) == {}


def test_a_shallow_clone_has_no_days(repository: Path) -> None:
    git("clone", "--quiet", "--depth", "1", repository.as_uri(), "shallow")
    assert line_dates("shallow/list.md", (1, 3, 4)) == {}


def test_a_hostile_repository_runs_no_program(repository: Path) -> None:
    trap = repository / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {repository}/sprung\ncat\n", encoding="utf-8")
    trap.chmod(0o755)
    (repository / ".gitattributes").write_text("*.md filter=evil diff=evil\n", encoding="utf-8")
    for key in (
        "filter.evil.clean",
        "filter.evil.smudge",
        "diff.evil.textconv",
        "diff.evil.command",
        "core.fsmonitor",
        "core.pager",
    ):
        git("config", key, str(trap))
    assert line_dates("list.md", (1,)) == {1: date(2018, 2, 3)}
    assert not (repository / "sprung").exists()
