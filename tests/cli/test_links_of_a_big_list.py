"""`shelfread links` where there is much to do, or somebody to tell: order, notes, progress, suggestions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import shelfread.cli.links
import shelfread.cli.network
import shelfread.links.online_check
from shelfread.core.diagnostics import Applicability
from shelfread.engine.model import RunResult
from shelfread.index.answers import Hop, LinkRecord, Replacement, Verdict
from shelfread.links.link_check import LinkReport
from shelfread.links.record_cache import RecordCache
from shelfread.links.repositories import other_server, read_token
from shelfread.report.link_summary import unchecked
from support.links import TODAY, Links, links_command
from support.web import ANY, Web, hang, page, serve

SITES = {
    "later": {ANY: page(429, headers={"Retry-After": "3600"})},
    "alive": {ANY: page()},
    "slow": {ANY: hang},
    "api": {"/graphql": page(401, b"{}")},
}
REPOSITORIES = "".join(f"- [A](https://github.com/o/r{number})\n" for number in range(3))


@pytest.fixture
def web() -> Iterator[Web]:
    with serve(SITES) as web:
        yield web


@pytest.fixture
def links(web: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Links:
    return links_command(web, {"127.0.0.9": [["127.0.0.9"]]}, tmp_path, monkeypatch, per_host=1)


def test_what_was_not_checked_is_said_first_and_beside_what_was_found(web: Web, links: Links) -> None:
    urls = [web.literal("alive"), *(web.literal("slow", f"/{n}") for n in range(9))]
    Path("list.md").write_text("".join(f"- [A]({url})\n" for url in urls))
    done = links("--deadline", "1s")
    first, *_ = done.stdout.splitlines()
    assert first.endswith("were not checked.") and " of 10 links (" in first
    done = links("--deadline", "1s", "--output-format", "json", "--output-file", "report.json")
    report = json.loads(Path("report.json").read_text())
    assert report["summary"]["unchecked"] == report["summary"]["verdicts"]["not checked"] > 0
    assert (
        f"{report['summary']['unchecked']} of 10 links" in done.stderr and "were not checked" in done.stderr
    )
    markdown = links("--deadline", "1s", "--output-format", "markdown").stdout
    assert "of 10 links (" in markdown and "were not checked." in markdown


def test_what_a_host_kept_back_is_said_beside_what_was_found(web: Web, links: Links) -> None:
    Path("list.md").write_text("".join(f"- [A]({web.literal('later', f'/{n}')})\n" for n in range(4)))
    done = links()
    assert done.stdout.startswith("3 of 4 links (75 %) were not checked.\n")
    assert "No link is known to be dead, but 3 of 4 links (75 %) were not checked." in done.stdout
    assert done.stderr.endswith("shelfread: 3 of 4 links (75 %) were not checked\n")


@pytest.mark.parametrize(
    ("number", "total", "said"),
    [
        (0, 3, ""),
        (1, 300, "1 of 300 links (1 %) was not checked"),
        (200, 3000, "200 of 3,000 links (7 %) were not checked"),
        (1, 1, "1 of 1 link (100 %) was not checked"),
    ],
)
def test_a_small_share_is_more_than_none(number: int, total: int, said: str) -> None:
    urls = [f"https://oak.org/{each}" for each in range(total)]
    left = [Verdict.UNKNOWN if each < number else Verdict.ALIVE for each in range(total)]
    records = {url: LinkRecord(url, verdict, "") for url, verdict in zip(urls, left, strict=True)}
    assert unchecked(LinkReport(RunResult((), ()), (), 0.0, True, False, records)) == said


def test_a_rerun_begins_with_what_was_never_checked_and_the_oldest_answers(web: Web, links: Links) -> None:
    urls = [web.literal("alive", f"/{n}") for n in range(6)]
    ages = {urls[0]: 30, urls[1]: 20, urls[3]: 40, urls[4]: 25}  # days; two were never checked
    with RecordCache(Path("cache"), pytest.fail) as cache:
        for url, days in ages.items():
            when = TODAY - days * 86400
            cache.put([LinkRecord(url, Verdict.ALIVE, "200 OK", (Hop(url, 200),), checked_at=when)])
    Path("list.md").write_text("".join(f"- [A]({url})\n" for url in urls))
    links()
    asked = [request.path for request in web.requests if request.path in {f"/{n}" for n in range(6)}]
    assert list(dict.fromkeys(asked)) == ["/2", "/5", "/3", "/0", "/4", "/1"]


def test_what_a_token_would_do_is_said(links: Links, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("list.md").write_text(REPOSITORIES)
    assert "GITHUB_TOKEN" not in links().stdout  # not for three
    monkeypatch.setattr(shelfread.links.online_check, "_MANY_REPOSITORIES", 3)
    said = links()
    assert "GITHUB_TOKEN or GH_TOKEN would let GitHub look up 3 repositories at once" in said.stdout
    report = json.loads(links("--output-format", "json").stdout)
    assert len(report["summary"]["notes"]) == 1


def test_that_a_token_is_refused_is_said(web: Web, links: Links, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHELFREAD_ENDPOINT_GITHUB_API", web.literal("api").rstrip("/"))
    monkeypatch.setenv("GITHUB_TOKEN", "expired")
    Path("list.md").write_text(REPOSITORIES)
    said = links().stdout
    assert "GitHub refused the token, so 3 repositories had to be requested one by one." in said


def test_a_token_for_another_server_is_not_used(
    web: Web, links: Links, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHELFREAD_ENDPOINT_GITHUB_API", web.literal("api").rstrip("/"))
    monkeypatch.setenv("GITHUB_TOKEN", "secret")
    monkeypatch.setenv("GITHUB_API_URL", "https://ghe.example.com/api/v3")
    monkeypatch.setattr(shelfread.links.online_check, "_MANY_REPOSITORIES", 3)
    Path("list.md").write_text(REPOSITORIES)
    assert (
        "the token is for https://ghe.example.com/api/v3: a token for github.com"
        in links().stdout.replace("The", "the")
    )
    assert web.times("api", "/graphql") == 0


@pytest.mark.parametrize(
    ("environ", "token"),
    [
        ({"GITHUB_TOKEN": "t"}, "t"),
        ({"GITHUB_TOKEN": "t", "GITHUB_API_URL": "https://api.github.com"}, "t"),
        ({"GITHUB_TOKEN": "t", "GITHUB_API_URL": "https://API.github.com/"}, "t"),
        ({"GH_TOKEN": "t", "GITHUB_SERVER_URL": "https://github.com"}, "t"),
        ({"GITHUB_TOKEN": "t", "GITHUB_API_URL": "https://ghe.example.com/api/v3"}, ""),
        ({"GH_TOKEN": "t", "GITHUB_API_URL": "https://api.github.com.example.com"}, ""),
        ({"GH_TOKEN": "t", "GITHUB_SERVER_URL": "https://ghe.example.com"}, ""),
        ({"GH_TOKEN": "t", "GITHUB_API_URL": "http://api.github.com"}, ""),
    ],
)
def test_whose_token_it_is(environ: dict[str, str], token: str) -> None:
    assert read_token(environ) == token
    assert bool(other_server(environ)) is not bool(token)


@pytest.mark.parametrize("form", ["json", "sarif", "github"])
def test_a_poisoned_cache_suggests_nothing_to_programs(web: Web, links: Links, form: str) -> None:
    alive, evil = web.literal("alive"), "https://evil.example/"
    Path("list.md").write_text(f"- [A]({alive})\n")
    forged = LinkRecord(alive, Verdict.MOVED, "moved permanently", (Hop(alive, 301), Hop(evil, 200)))
    better = Replacement("link/moved", evil, "", Applicability.SAFE)
    with RecordCache(Path("cache"), pytest.fail) as cache:
        cache.put([forged._replace(checked_at=TODAY, replacements=(better,), repairs_checked_at=TODAY)])
    assert "evil.example" not in links("--output-format", form, "--show-info").stdout


@pytest.mark.parametrize("name", ["HTTPS_PROXY", "http_proxy", "ALL_PROXY"])
def test_that_a_proxy_is_ignored_is_said(
    web: Web, links: Links, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    Path("list.md").write_text(f"- [A]({web.literal('alive')})\n")
    monkeypatch.setenv(name, "http://127.0.0.9:3128")
    assert f"{name.upper()} ignored: links sends its requests directly" in links().stderr
    assert links().stderr == ""  # nothing was requested


def test_a_line_a_minute_without_a_terminal(web: Web, links: Links, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelfread.cli.network, "MINUTE", 0.3)
    urls = [web.literal("alive"), *(web.literal("slow", f"/{n}") for n in range(3))]
    Path("list.md").write_text("".join(f"- [A]({url})\n" for url in urls))
    done = links()
    lines = [line for line in done.stderr.splitlines() if " of 4 links" in line]
    assert len(lines) >= 2 and lines[0].startswith("shelfread: ") and "\r" not in done.stderr
