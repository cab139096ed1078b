"""`shelfread links` as users run it, against a small web on loopback."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

import shelfread.cli.links
import shelfread.links.online_check
from shelfread.cli import group
from shelfread.cli.network import link_progress
from shelfread.cli.options import FORMATS
from shelfread.core.diagnostics import Applicability
from shelfread.index.answers import Hop, LinkRecord, Replacement, Verdict
from shelfread.links.record_cache import RecordCache
from support.links import TODAY, Links, links_command
from support.paths import ROOT
from support.web import ANY, Web, hang, in_order, page, redirect, serve

GONE = page(404)
SITES = {
    "alive": {"/": page(), "/new": page(), "/doc": page(body=b"<h1 id=install>x</h1><h1 id=use>")},
    "moved": {"/old/x": redirect("/new/x"), "/new/x": page(), "/c": redirect("/d"), "/d": page()},
    "dead": {"/flapping": in_order(GONE, page())},
    "walled": {ANY: page(403, headers={"cf-mitigated": "challenge"})},
    "login": {"/old": redirect("/login?next=1", 302), "/login": page()},
    "failing": {ANY: page(500)},
    "both": {"/err": page(500), ANY: page(403, headers={"cf-mitigated": "challenge"})},
    "slow": {ANY: hang},
    "later": {ANY: page(429, headers={"Retry-After": "3600"})},
    "archive": {ANY: GONE},
    "doi": {
        "/api/handles/10.1145/1": page(
            body=b'{"responseCode": 1}', headers={"Content-Type": "application/json"}
        ),
        ANY: page(404, b'{"responseCode": 100}', {"Content-Type": "application/json"}),
    },
}


@pytest.fixture
def web() -> Iterator[Web]:
    with serve(SITES) as web:
        yield web


@pytest.fixture
def links(web: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Links:
    """Runs the command in a folder of its own; nothing that it asks leaves the small web."""
    return links_command(web, {"doi.org": [["93.184.216.34"]]}, tmp_path, monkeypatch)


def write(text: str, name: str = "list.md") -> Path:
    Path(name).write_text(text)
    return Path(name)


def test_a_dead_link_fails_the_run_with_what_proves_it(web: Web, links: Links) -> None:
    write(
        f"# Papers\n\n- Tofu: Partitioning (EuroSys 2019) [[Paper]({web.literal('dead', '/gone')}#p)]\n"
        f"- Orca: Serving (OSDI 2022) [[Paper]({web.literal('alive')})] ![i]({web.literal('dead', '/gone')})\n"
    )
    said = links(status=1).stdout
    assert (
        f"error[link/dead] {web.literal('dead', '/gone')}\n  dead link: 404 Not Found, seen twice\n" in said
    )
    assert "list.md:3:46: Tofu: Partitioning\n" in said
    assert re.search(r"list.md:4:\d+: Orca: Serving\n", said)
    assert "2 links of 2 hosts: 1 alive, 1 dead." in said
    assert links("--exit-zero", status=0).stdout


@pytest.mark.parametrize(
    ("site", "path", "said"),
    [
        ("walled", "/a", "1 blocked.\n  1 link of {host}: refuses robots: 403 Forbidden (cf-mitigated"),
        ("slow", "/a", "1 link of {host}: timed out"),
        ("login", "/old", "leads to a login: http://{host}/login?next=1"),
        ("dead", "/flapping", "2 alive."),
    ],
)
def test_what_is_not_proven_dead_fails_nothing(
    web: Web, links: Links, site: str, path: str, said: str
) -> None:
    write(f"- [A]({web.literal(site, path)}) [B]({web.literal('alive')})\n")
    assert said.format(host=web.place(site)) in links(status=0).stdout


def test_suspicion_fails_where_that_is_asked_for(web: Web, links: Links) -> None:
    write(f"- [A]({web.literal('login', '/old')})\n")
    links("--fail-on", "warning", status=1)
    links("--fail-on", "warning", "--ignore", "link/suspect", status=0)


def test_what_has_moved_is_mended_everywhere(web: Web, links: Links) -> None:
    old, new = web.literal("moved", "/old/x"), web.literal("moved", "/new/x")
    text = f"- [A]({old}#top), <{old}>, {old}, [{old}]({old}), <a href='{old}'>x</a>, [B][b]\n\n[b]: {old}\n"
    write(text)
    write(f"| a |\n|---|\n| [A]({old}) |\n", "other.md")
    links("--diff", status=1)
    assert Path("list.md").read_text() == text
    said = links("--fix", "--unsafe-fixes", status=0).stdout
    assert Path("list.md").read_text() == text.replace(old, new)
    assert Path("other.md").read_text() == f"| a |\n|---|\n| [A]({new}) |\n"
    assert "7 findings fixed." in said


def test_no_page_fills_a_report(web: Web, links: Links) -> None:
    long = "/" + "x" * 7000
    web.sites["moved"] = {"/l": redirect(f"{long}/l"), f"{long}/l": page(), long: GONE}
    write(f"- [A]({web.literal('moved', '/l')}) [B]({web.literal('moved', long)})\n")
    for form in ("text", "concise", "github"):
        said = links("--output-format", form, status=1).stdout
        assert "link/dead" in said and max(map(len, said.splitlines())) < 1000


def test_a_new_address_in_another_place_needs_a_yes(web: Web, links: Links) -> None:
    before = write(f"- [A]({web.literal('moved', '/c')})\n").read_text()
    assert "unsafe fix" in links("--fix", status=0).stdout
    assert Path("list.md").read_text() == before


def test_a_snapshot_of_the_time_when_the_link_was_listed_is_proposed(
    web: Web, links: Links, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = web.literal("dead", "/gone")
    web.sites["archive"] = {
        f"/web/20190501/{gone}": redirect(web.literal("archive", f"/web/20190430101112/{gone}"), 302),
        f"/web/20190430101112/{gone}": page(),
    }
    monkeypatch.setenv("SHELFREAD_ENDPOINT_WAYBACK", web.literal("archive").rstrip("/"))
    write(f"- [A]({gone})\n")
    who = {f"GIT_{one}_{key}": "a@b.org" for one in ("AUTHOR", "COMMITTER") for key in ("NAME", "EMAIL")}
    when = {"GIT_AUTHOR_DATE": "2019-05-01T12:00:00Z", "GIT_COMMITTER_DATE": "2019-05-01T12:00:00Z"}
    for words in (["init", "-q"], ["add", "list.md"], ["commit", "-qm", "x"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True, env={**os.environ, **who, **when})
    said = links("--fix", status=1).stdout
    assert "An archive may have snapshots of dead pages: shelfread links --fix --unsafe-fixes" in said
    assert web.times("archive", f"/web/20190501/{gone}") == 0
    assert "2019" in links("--diff", "--unsafe-fixes", status=1).stdout
    assert Path("list.md").read_text() == f"- [A]({gone})\n"
    links("--fix", "--unsafe-fixes", status=0)
    assert Path("list.md").read_text() == f"- [A](https://web.archive.org/web/20190430101112/{gone})\n"


def test_a_registry_is_asked_before_the_page(web: Web, links: Links, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHELFREAD_ENDPOINT_DOI", web.literal("doi").rstrip("/"))
    write("- [A](https://doi.org/10.1145/1)\n")
    report = json.loads(links("--output-format", "json", status=0).stdout)
    assert [(one["verdict"], one["source"]) for one in report["links"]] == [("alive", "doi.org")]


def test_a_rerun_asks_only_for_what_it_does_not_know(web: Web, links: Links) -> None:
    write(
        f"- [A]({web.literal('alive')}) [B]({web.literal('walled', '/a')}) [C]({web.literal('dead', '/gone')})\n"
    )
    first = links(status=1).stdout
    asked = len([one for one in web.requests if one.name != "archive"])
    assert links(status=1).stdout == first
    assert len([one for one in web.requests if one.name != "archive"]) == asked
    links("--select", "link/dead", status=1)
    write(f"- [A]({web.literal('alive', '/new')})\n")
    links(status=0)
    assert web.times("alive", "/new") == 1


def test_a_rerun_remembers_what_could_take_a_link_s_place(
    web: Web, links: Links, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone, old = web.literal("dead", "/gone"), web.literal("moved", "/old/x")
    web.sites["archive"] = {
        f"/web/2/{gone}": redirect(web.literal("archive", f"/web/20190430101112/{gone}"), 302),
        f"/web/20190430101112/{gone}": page(),
    }
    monkeypatch.setenv("SHELFREAD_ENDPOINT_WAYBACK", web.literal("archive").rstrip("/"))
    write(f"- [A]({gone}) [B]({old})\n")
    assert "2019" in links("--diff", "--unsafe-fixes", status=1).stdout
    asked = len(web.requests)
    first = links("--show-info", status=1).stdout
    assert "a snapshot of 2019-04-30" in first and "/new/x" in first
    assert links("--show-info", status=1).stdout == first
    assert len(web.requests) == asked
    # What is written into a list is proven in the run that writes it.
    web.sites["archive"] = {ANY: GONE}
    links("--fix", "--unsafe-fixes", status=1)
    assert Path("list.md").read_text() == f"- [A]({gone}) [B]({web.literal('moved', '/new/x')})\n"


def test_what_another_wrote_into_the_cache_is_written_into_no_list(web: Web, links: Links) -> None:
    alive = web.literal("alive")
    before = write(f"- [A]({alive})\n").read_text()
    links(status=0)
    forged = Replacement("link/moved", "https://evil.example/", "", Applicability.SAFE)
    with RecordCache(Path("cache"), pytest.fail) as cache:
        record = cache.get([alive])[alive]
        cache.put([record._replace(replacements=(forged,), repairs_checked_at=TODAY)])
    links("--fix", "--unsafe-fixes", status=0)
    assert Path("list.md").read_text() == before


def test_a_rerun_loads_nothing_that_could_ask(web: Web, links: Links) -> None:
    write(f"- [A]({web.literal('alive')}) [B]({web.literal('walled', '/a')})\n")
    links(status=0)
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; from shelfread.cli import group\n"
            "group(['links', '--cache-file', 'cache', 'list.md'], standalone_mode=False)\n"
            "print(sorted({'aiohttp', 'asyncio'} & set(sys.modules)))",
        ],
        env={**os.environ, "PYTHONPATH": str(ROOT / "linter")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "2 links of 2 hosts: 1 alive, 1 blocked." in done.stdout, done.stderr
    assert done.stdout.endswith("[]\n")


def test_without_a_cache_everything_is_asked_again(web: Web, links: Links, tmp_path: Path) -> None:
    write(f"- [A]({web.literal('alive')})\n")
    for _ in range(2):
        done = CliRunner().invoke(group, ["links", "--no-cache"])
        assert done.exit_code == 0, done.output
    assert web.times("alive", "/") == 2
    assert not (tmp_path / "cache").exists()


def test_a_comment_silences_a_place_and_the_configuration_a_link(web: Web, links: Links) -> None:
    gone = web.literal("dead", "/gone")
    write(f"- [A]({gone}) <!-- shelfread-disable-line link/dead -- we know -->\n")
    assert links(status=0).stdout == "1 link of 1 host: 1 dead.\n"
    write(f"- [A]({gone})\n")
    asked = web.times("dead", "/gone")
    config = {"pattern": f"{web.literal('dead')}*", "reason": "we know", "until": "2099-01-01"}
    Path(".shelfread.yaml").write_text(yaml.safe_dump({"links": {"silence": [config]}}))
    assert "1 link ignored by the configuration." in links(status=0).stdout
    assert web.times("dead", "/gone") == asked
    config["until"] = "2020-01-31"
    Path(".shelfread.yaml").write_text(yaml.safe_dump({"links": {"silence": [config]}}))
    said = links(status=1).stdout
    assert f"Ignored until 2020-01-31, now reported again: {config['pattern']} (we know)" in said


def test_check_hears_the_same_comment_and_does_not_call_it_idle(links: Links) -> None:
    write("- [A](https://a.org/) <!-- shelfread-disable-line link/dead -->\n")
    write("- [A](https://a.org/) <!-- shelfread-disable-line link -->\n", "b.md")
    assert CliRunner().invoke(group, ["check"]).exit_code == 0


def test_offline_asks_nobody(web: Web, links: Links) -> None:
    write(f"- [A]({web.literal('dead', '/gone')}) [B](missing.md) [C](#nowhere)\n")
    said = links("--offline", status=1).stdout
    assert "link/missing-file" in said and "link/missing-anchor" in said
    assert "link/dead" not in said and not web.requests
    write(f"- [A]({web.literal('dead', '/gone')})\n")
    links("--offline", status=0)


def test_offline_loads_no_client(tmp_path: Path) -> None:
    (tmp_path / "list.md").write_text("- [A](https://a.org/)\n")
    code = (
        "import sys; from shelfread.cli import group; group(['links', '--offline'], standalone_mode=False); "
    )
    code += "assert not {'aiohttp', 'asyncio', 'sqlite3'} & set(sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment(), capture_output=True)
    assert done.returncode == 0, done.stderr


def test_only_links_that_are_new(web: Web, links: Links, tmp_path: Path) -> None:
    def git(*words: str) -> None:
        who = ("-c", "user.name=A", "-c", "user.email=a@b.org", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *who, *words], cwd=tmp_path, check=True, capture_output=True)

    write(f"- [A]({web.literal('dead', '/old')}) [L](old.md)\n")
    git("init", "-q")
    git("add", "list.md")
    git("commit", "-qm", "a list")
    write(f"- [A]({web.literal('dead', '/old')}) [L](old.md)\n- [B]({web.literal('dead', '/new')})\n")
    said = links("--since", "HEAD", status=1).stdout
    assert web.times("dead", "/old") == 0 and "old.md" not in said
    assert f"link/dead] {web.literal('dead', '/new')}" in said
    write(f"- [Moved within the list]({web.literal('dead', '/old')})\n")
    asked = len(web.requests)
    assert "No new web links." in links("--since", "HEAD", status=0).stdout
    assert len(web.requests) == asked
    assert "no revision 'nope'" in links("--since", "nope", status=2).stderr


def test_the_time_is_up(web: Web, links: Links) -> None:
    addresses = [web.literal("slow", f"/{number}") for number in range(20)]
    write("".join(f"- [A]({url})\n" for url in [web.literal("alive"), *addresses]))
    said = links("--deadline", "1s", status=0).stdout
    assert "1 alive" in said and "not checked" in said
    assert "Deadline reached" in said and "Run again to continue" in said
    assert "Deadline reached" in links("--deadline", "1s", "--output-format", "concise", status=0).stderr


def test_one_dead_or_slow_link_is_no_lack_of_a_network(web: Web, links: Links) -> None:
    write("- [A](https://gone.org/paper)\n")
    assert (
        "error[link/dead] https://gone.org/paper\n  dead link: no such host, seen twice"
        in links(status=1).stdout
    )
    write(f"- [A]({web.literal('slow', '/a')})\n")
    said = links(status=0).stdout
    assert "1 unknown." in said and "timed out" in said and "No link is known to be dead." in said
    assert all(web.is_ours(*place) for place in web.opened)


def test_what_a_host_asks_for_is_told_in_one_line(web: Web, links: Links) -> None:
    write("".join(f"- [A]({web.literal('later', f'/{number}')})\n" for number in range(100)))
    said = links(status=0).stdout
    assert f"  100 links of {web.place('later')}: not checked: the host asks to wait 3600 s\n" in said
    assert len(web.requests) <= 2


@pytest.mark.parametrize("verdict", [Verdict.MOVED, Verdict.ALIVE, Verdict.DEAD])
def test_no_fix_rests_on_a_cache_that_may_be_anybodys(web: Web, links: Links, verdict: Verdict) -> None:
    old, evil = web.literal("alive"), web.literal("moved", "/d")
    better = Replacement("link/moved", evil, "", Applicability.SAFE)
    forged = LinkRecord(
        old, verdict, "moved permanently", (Hop(old, 301), Hop(evil, 200)), checked_at=TODAY - 60
    )
    with RecordCache(Path("cache"), lambda _: None) as cache:
        cache.put([forged._replace(replacements=(better,))])
    text = write(f"- [A]({old})\n").read_text()
    links("--diff", "--unsafe-fixes", status=0)
    assert "1 link of 1 host: 1 alive." in links("--fix", "--unsafe-fixes", status=0).stdout
    assert Path("list.md").read_text() == text


def test_no_archive_is_told_of_private_hosts(web: Web, links: Links, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []

    async def find_replacements(records: Any, tools: Any, **_: object) -> Any:
        seen.append(tools.private)
        return records

    monkeypatch.setattr(shelfread.links.online_check, "find_replacements", find_replacements)
    write(f"- [A]({web.literal('dead', '/gone')})\n")
    links("--allow-private", "wiki.intra", "--diff", "--unsafe-fixes", status=1)
    assert seen == [frozenset({"wiki.intra"})]


def test_a_page_within_an_archived_repository_is_told(
    web: Web, links: Links, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = {"nameWithOwner": "o/r", "isArchived": True, "isPrivate": False}
    web.sites["doi"] = {"/graphql": page(body=json.dumps({"data": {"r0": facts}}).encode())}
    monkeypatch.setenv("SHELFREAD_ENDPOINT_GITHUB_API", web.literal("doi").rstrip("/"))
    monkeypatch.setenv("GITHUB_TOKEN", "secret")
    url = "https://github.com/o/r/blob/main/a.md"

    async def check_urls(urls: Any, *, on_record: Any, **_: object) -> None:
        on_record(LinkRecord(url, Verdict.ALIVE, "200 OK", (Hop(url, 200),), checked_at=TODAY))

    monkeypatch.setattr(shelfread.links.online_check, "check_urls", check_urls)
    write(f"- [A]({url})\n")
    for _ in range(2):
        assert "link/archived-repository" in links("--show-info", status=0).stdout
    assert web.times("doi", "/graphql") == 1  # the cache keeps it


def test_a_step_of_a_workflow_shows_findings_beside_the_lines(
    web: Web, links: Links, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    gone, old = web.literal("dead", "/gone"), web.literal("moved", "/old/x")
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary"))
    write(f"- [::error::x ##[error]y]({gone}) [B]({old})\n")
    said = links(status=1).stdout
    commands = [line for line in said.splitlines() if line.startswith("::")]
    assert commands[0] == "::group::Annotations" and commands[-1] == "::endgroup::"
    assert commands[1].startswith("::error file=list.md,line=1,endLine=1,col=")
    assert commands[1].endswith(
        f"title=shelfread%3A link/dead::{gone}: dead link: 404 Not Found, seen twice%0AMore: shelfread rule link/dead"
    )
    assert (
        commands[2].startswith("::warning file=list.md,") and "Fix (shelfread links --fix): " in commands[2]
    )
    assert len(commands) == 4 and "##[" not in said
    assert "## Dead (1)" in (tmp_path / "summary").read_text()
    links("--output-format", "text", status=1)
    assert (tmp_path / "summary").read_text().count("## Dead") == 1


@pytest.mark.parametrize("form", [one for one in FORMATS if one not in ("text", "json", "markdown")])
def test_findings_have_all_formats_of_check(web: Web, links: Links, form: str) -> None:
    gone = web.literal("dead", "/gone")
    write(f"- [A]({gone}) [B]({gone}?2)\n")
    said = links("--output-format", form, status=1).stdout
    plain = said.replace("\\/", "/").replace("%3A", ":")
    assert f"{gone}: dead link: 404 Not Found, seen twice" in plain
    assert f"{gone}?2: dead link: 404 Not Found" in plain
    if form == "sarif":
        results = json.loads(said)["runs"][0]["results"]
        assert len({json.dumps(one["partialFingerprints"]) for one in results}) == 2


def test_without_a_network_nothing_is_said_of_any_link(links: Links, monkeypatch: pytest.MonkeyPatch) -> None:
    write("".join(f"- [A](https://host{number}.org/)\n" for number in range(6)))
    done = links(status=2)
    assert "link/dead" not in done.stdout and "No network" in done.stdout
    assert "shelfread: no network: no link was checked" in done.stderr


def test_json_tells_of_every_link(web: Web, links: Links) -> None:
    dead, old = web.literal("dead", "/gone"), web.literal("moved", "/old/x")
    write(
        f"- Tofu: A Thing (OSDI 2020) [[Paper]({dead})]\n- [B]({old}#f) [C]({web.literal('walled', '/a')})\n"
    )
    report = json.loads(links("--output-format", "json", status=1).stdout)
    assert report["version"] == 1 and report["summary"]["urls"] == 3
    assert report["summary"]["verdicts"] == {"moved": 1, "dead": 1, "blocked": 1}
    assert report["summary"]["hosts"][web.place("dead")] == {"dead": 1}
    known = {link["url"]: link for link in report["links"]}
    assert known[dead]["verdict"] == "dead" and known[dead]["failures"] == 1
    assert known[dead]["chain"] == [{"url": dead, "status": 404}]
    assert known[dead]["places"] == [{"path": "list.md", "line": 1, "column": 38, "title": "Tofu: A Thing"}]
    assert [hop["status"] for hop in known[old]["chain"]] == [301, 200]
    assert {one["rule"] for one in report["diagnostics"]} == {"link/dead", "link/moved"}
    checked = known[dead]["checked_at"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", checked)


def test_markdown_forges_nothing(web: Web, links: Links, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = web.literal("dead", "/x/`x`|@octocat")
    title = "Tofu ``` @octocat &#64;octocat fixes #1 <img src=x> | [a](b) \u202e"
    write(f"# T\n\n- [{title}]({gone}) - closes #2, @octocat.\n- [L](m|<b>@octocat.md)\n")
    monkeypatch.setenv("GITHUB_SERVER_URL", "https://github.com")
    monkeypatch.setenv("GITHUB_REPOSITORY", "o/r")
    monkeypatch.setenv("GITHUB_SHA", "a" * 40)
    report = links("--output-format", "markdown", status=1).stdout
    assert f"(https://github.com/o/r/blob/{'a' * 40}/list.md?plain=1#L3)" in report
    # What is left of the report without its code spans is ours.
    plain = re.sub(r"(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)", "", report)
    assert "`" not in plain
    for hostile in ("@", "#1", "#2", "<", "octocat", "\u202e"):
        assert hostile not in plain
    assert "\u202e" not in report
    assert "## Malformed (1)" in plain and "| dead | 1 |" in plain


def test_markdown_tells_of_hosts_and_of_fixes(web: Web, links: Links) -> None:
    write(
        f"- [A]({web.literal('dead', '/1')}) [B]({web.literal('dead', '/2')}) [C]({web.literal('walled', '/a')})\n"
        f"- [D]({web.literal('moved', '/old/x')}) [E]({web.literal('alive')})\n"
    )
    report = links("--output-format", "markdown", status=1).stdout
    said = report.partition("## Hosts that could not be checked")[2]
    assert f"- 1 link of `{web.place('walled')}`: `refuses robots: 403 Forbidden" in said
    assert not any(web.place(name) in said for name in ("dead", "alive", "moved"))
    assert "1 can be fixed with 'shelfread links --fix'." in report and "\n\n\n" not in report


def test_a_report_fits_into_an_issue(web: Web, links: Links) -> None:
    write("".join(f"- [A{'x' * 300}]({web.literal('dead', f'/{number}')})\n" for number in range(160)))
    links("--output-format", "markdown", "--output-file", "r.md", status=1)
    text = Path("r.md").read_text()
    for form in ("text", "json"):
        links("--output-format", form, "--output-file", form, status=1)
        assert "404 Not Found" in Path(form).read_text(encoding="utf-8")
    assert len(text) < 65_536 and "An issue takes no more" in text
    assert "| dead | 160 |" in text


def test_no_terminal_is_forged(web: Web, links: Links) -> None:
    write(f"- [A\u001b]0;x\u0007 \u202e]({web.literal('dead', '/gone')})\n")
    said = links(status=1).stdout
    assert "\u001b" not in said and "\u202e" not in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--deadline", "soon"], "a time such as 90s, 10m or 1h30m, not 'soon'"),
        (["--deadline", "0"], "a time such as 90s"),
        (["--deadline", "9" * 5000], "a time such as 90s"),
        (["--allow-private", "http://x/"], "--allow-private http://x/: give a host"),
        (["--unsafe-fixes"], "--unsafe-fixes needs --fix or --diff"),
        (["--select", "paper/venue-form"], "paper/venue-form is a rule of 'shelfread check'"),
        (["--select", "link/nope"], "there is no rule or family 'link/nope'"),
        (["--offline", "--select", "link/dead"], "link/dead needs the network"),
        (["--ignore", "link"], "no rule of links is left"),
        (["nowhere.md"], "nowhere.md: no such file"),
        (["-"], "standard input"),
        (["--output-format", "yaml"], "'yaml' is not one of 'text'"),
        (["--output-file", "list.md"], "list.md: --output-file would overwrite it"),
    ],
)
def test_wrong_options_are_said_in_a_line(web: Web, links: Links, words: list[str], said: str) -> None:
    write(f"- [A]({web.literal('alive')})\n")
    done = links(*words, status=2)
    assert said in " ".join(done.output.split())
    assert "Traceback" not in done.output


@pytest.mark.parametrize(
    "words", [["--select", "link/dead"], ["--preset", "online"], ["--select", "link/dead,paper"]]
)
def test_check_sends_who_selects_the_web_to_links(links: Links, words: list[str]) -> None:
    write("- [A](https://a.org/)\n")
    done = CliRunner().invoke(group, ["check", *words])
    assert done.exit_code == 2 and "shelfread links" in done.output


def test_the_family_is_checked_without_the_web(links: Links) -> None:
    write("- [A](htps://a.org/)\n")
    Path(".shelfread.yaml").write_text(
        "rules: {link/dead: warning, link/moved: off}\nignore: [link/suspect]\n"
    )
    done = CliRunner().invoke(group, ["check", "--select", "link"])
    assert done.exit_code == 1 and "link/malformed" in done.output


def test_a_rule_switched_off_in_the_configuration_stays_off(web: Web, links: Links) -> None:
    write(f"- [A]({web.literal('dead', '/gone')})\n")
    Path(".shelfread.yaml").write_text("rules: {link/dead: info}\n")
    assert "1 info hidden" in links(status=0).stdout
    Path(".shelfread.yaml").write_text("rules: {link/dead: off}\n")
    assert "link/dead" not in links(status=0).stdout


def test_placeholders_and_private_addresses(web: Web, links: Links) -> None:
    write(
        "- [A](https://example.org/x) [B](http://localhost:3000/) [C](http://10.1.2.3/) [D](http://u@a.org/)\n"
    )
    said = links(status=0).stdout
    assert "2 URLs on reserved hosts (example.org, localhost) skipped." in said
    assert "not checked: 10.1.2.3 is not a public address" in said
    assert "--allow-private 10.1.2.3 checks them." in said
    assert "not checked: a user name or a password in the URL" in said
    assert not web.opened


def test_only_private_addresses_are_no_check(web: Web, links: Links) -> None:
    write("- [A](http://10.1.2.3/) [B](http://10.1.2.4:8080/)\n")
    done = links(status=2)
    assert "--allow-private 10.1.2.3,10.1.2.4:8080 checks them." in done.stdout
    assert "no link was checked" in done.stderr


def test_the_port_that_has_to_be_allowed_is_named(web: Web, links: Links) -> None:
    write(f"- [A](http://{web.place('alive')}/)\n")
    done = links("--allow-private", web.place("alive").partition(":")[0], status=2)
    assert f"--allow-private {web.place('alive')} checks them." in done.stdout
    assert "no link was checked" in done.stderr


def test_a_server_that_fails_refuses_nobody(web: Web, links: Links) -> None:
    write(f"- [A]({web.literal('failing', '/a')}) [B]({web.literal('alive')})\n")
    assert "refuses robots" not in links(status=0).stdout


def test_what_fails_at_a_host_that_refuses_is_told_apart(web: Web, links: Links) -> None:
    write("".join(f"- [A]({web.literal('both', path)})\n" for path in ("/a", "/b", "/err")))
    said = links(status=0).stdout
    assert f"  2 links of {web.place('both')}: refuses robots: 403" in said
    assert f"  1 link of {web.place('both')}: 500" in said


def test_a_list_that_cannot_be_read_does_not_keep_the_others_back(web: Web, links: Links) -> None:
    write(f"- [A]({web.literal('dead', '/gone')})\n")
    Path("bad.md").write_bytes(b"\xff\xfe\x00\xd8")
    done = links(status=2)
    assert "bad.md" in done.stderr and "link/dead" in done.stdout


# ------------------------------------------------------------------------------------------- as a process
def environment(**more: str) -> dict[str, str]:
    kept = {
        key: value for key, value in os.environ.items() if not key.startswith(("GIT", "GH_", "SHELFREAD"))
    }
    nowhere = {f"SHELFREAD_ENDPOINT_{name}": "http://127.0.0.1:9" for name in ENDPOINTS}
    return {**kept, "PYTHONPATH": str(ROOT / "linter"), **nowhere, **more}


ENDPOINTS = ("DOI", "ARXIV", "GITHUB_API", "GITHUB", "YOUTUBE", "WAYBACK")


INTERRUPTED = """
import os, signal
from shelfread.links.record_cache import RecordCache
put, known = RecordCache.put, []
def put_and_interrupt(cache, records):
    put(cache, records)
    known.extend(records)
    if len(known) == 3:
        os.kill(os.getpid(), signal.SIGINT)
RecordCache.put = put_and_interrupt
from shelfread.__main__ import main
main()
"""


def test_an_interrupted_run_says_what_it_knows_and_goes_on(web: Web, tmp_path: Path) -> None:
    alive = [web.literal("alive", f"/?{number}") for number in range(3)]
    (tmp_path / "list.md").write_text(
        "".join(f"- [A]({url})\n" for url in [*alive, web.literal("slow", "/a")])
    )
    allowed = ",".join(map(web.place, ("alive", "slow")))

    def run(*python: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *python, "links", "--cache-file", "cache", "--allow-private", allowed],
            cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=60,
        )  # fmt: skip

    done = run("-c", INTERRUPTED)
    assert done.returncode == 130, done.stderr
    assert "Interrupted: 3 of 4 links checked. Run again to continue." in done.stdout
    assert "Traceback" not in done.stderr
    web.sites["slow"] = {ANY: page()}
    asked = len(web.requests)
    done = run("-m", "shelfread")
    assert done.returncode == 0, done.stderr
    assert "4 links of 2 hosts: 4 alive." in done.stdout
    assert {one.path for one in web.requests[asked:] if one.name == "slow"} == {"/a"}


INTERRUPTED_AT_ONCE = """
import os, signal
from shelfread.links.check_queue import CheckQueue
wait = CheckQueue.wait
def interrupt(queue):
    os.kill(os.getpid(), signal.SIGINT)
    return wait(queue)
CheckQueue.wait = interrupt
from shelfread.__main__ import main
main()
"""


def test_a_run_that_is_interrupted_at_once_does_not_say_that_there_are_no_links(
    web: Web, tmp_path: Path
) -> None:
    (tmp_path / "list.md").write_text(f"- [A]({web.literal('slow', '/a')})\n")
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_AT_ONCE, "links", "--no-cache", "--allow-private", web.place("slow")],
        cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert (
        done.returncode == 130 and done.stdout == "Interrupted: 0 of 1 link checked. Run again to continue.\n"
    )


@pytest.mark.skipif(sys.platform == "win32", reason="has no pseudo-terminals")
def test_a_person_sees_how_far_it_has_come(web: Web, tmp_path: Path) -> None:
    import pty

    (tmp_path / "list.md").write_text(f"- [A]({web.literal('alive')}) [B]({web.literal('alive', '/new')})\n")
    words = ["-m", "shelfread", "links", "--no-cache", "--allow-private", web.place("alive")]
    ours, theirs = pty.openpty()
    done = subprocess.run(
        [sys.executable, *words],
        cwd=tmp_path,
        env=environment(CI="", TERM="xterm"),
        stdout=subprocess.PIPE,
        stderr=theirs,
    )
    os.close(theirs)
    assert done.returncode == 0
    assert b"2 links of 1 host: 2 alive." in done.stdout
    said = os.read(ours, 4096).decode()
    assert "shelfread: 1 of 2 links, waiting for" in said and said.endswith("\r\033[K")
    os.close(ours)


@pytest.mark.parametrize("ci", ["", "true"])
def test_a_log_of_ci_is_no_terminal(
    ci: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CI", ci)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with link_progress(["https://a.org/"]) as count:
        count(LinkRecord("https://a.org/", Verdict.DEAD, "404 Not Found"))
    said = capsys.readouterr().err
    assert said == ("" if ci else "\r\033[Kshelfread: 1 of 1 links, 1 dead, looking for replacements\r\033[K")


def scheduled() -> Mapping[str, object]:
    workflow = yaml.safe_load((ROOT / "examples/dead-links.yml").read_text(encoding="utf-8"))
    assert isinstance(workflow, dict)
    return workflow


@pytest.mark.parametrize(
    ("status", "issue", "calls", "leaves"),
    [
        (0, "", ["issue list"], 0),
        (0, "7", ["issue list", "issue close 7"], 0),
        (0, "7 unreached", ["issue list"], 0),
        (1, "", ["issue list", "label create", "issue create"], 0),
        (1, "7", ["issue list", "issue edit 7"], 0),
        (2, "7", ["issue list"], 2),
    ],
)
def test_the_scheduled_workflow_keeps_one_issue(
    tmp_path: Path, status: int, issue: str, calls: list[str], leaves: int
) -> None:
    jobs = scheduled()["jobs"]
    assert isinstance(jobs, dict)
    (script,) = (step["run"] for step in jobs["links"]["steps"] if "run" in step)
    (words,) = re.findall(r"shelfread (links .*?) \|\|", script.replace("\\\n", ""))
    for option in re.findall(r"--[\w-]+", words):
        assert option in CliRunner().invoke(group, ["links", "-h"]).output
    row = "| not checked | 3 |" if issue.endswith("unreached") else "| alive | 3 |"
    pipx, gh = f"echo '{row}' > links.md; exit {status}", f'echo "$*" >> calls; echo {issue[:1]}'
    for name, code in {"pipx": pipx, "gh": gh}.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{code}\n")
        (tmp_path / name).chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    done = subprocess.run(
        ["bash", "-e", "-c", script], cwd=tmp_path, env={**os.environ, "PATH": path}, check=False
    )
    assert done.returncode == leaves
    made = (tmp_path / "calls").read_text().splitlines()
    assert len(made) == len(calls) and all(map(str.startswith, made, calls))


def test_a_link_has_the_same_cause_in_check(links: Links, tmp_path: Path) -> None:
    target = tmp_path / "list.md"
    target.write_text(
        "# P\n\n- Tidy Shelves (OSDI 2020) [[Paper](arxiv.org/abs/1907.01234)] [[Code](notes/none.md)]\n"
    )
    runner = CliRunner()
    words = [str(target), "--isolated", "--output-format", "concise"]
    shown = [
        runner.invoke(group, [*command, *words]).stdout for command in (["links", "--offline"], ["check"])
    ]
    assert shown[0] == shown[1] and "link/malformed" in shown[0] and "link/missing-file" in shown[0]
