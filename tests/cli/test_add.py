"""`shelfread add`, with services and pages on loopback."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import Result

from support.command_line import shelfread
from support.service import (
    Preprint,
    ReceivedRequest,
    Response,
    arxiv,
    crossref,
    crossref_item,
    dblp,
    serve,
    services,
)

PAPERS = """\
# Papers

## Serving

- Batching Requests of Different Lengths (OSDI 2022) [[Paper](https://example.org/2.pdf)]
- Serving Models without Servers (NSDI 2025) [[Paper](https://example.org/1.pdf)]

## Training

- Pipelines for Very Deep Networks (SOSP 2019) [[Paper](https://example.org/3.pdf)]
- Tensors on Tiny Machines (OSDI 2021) [[Paper](https://example.org/4.pdf)]
"""
TOOLS = """\
# Tools

## Files

- [Bat](https://github.com/sharkdp/bat) - Prints files with colours.
- [Eza](https://github.com/eza-community/eza) - Lists files.
- [Fzf](https://github.com/junegunn/fzf) - Finds what is typed.
- [Lf](https://github.com/gokcehan/lf) - Shows folders.
- [Ripgrep](https://github.com/BurntSushi/ripgrep) - Searches files.
- [Zoxide](https://github.com/ajeetdsouza/zoxide) - Jumps to folders.
"""
SOSP = "Proceedings of the 29th Symposium on Operating Systems Principles"
PAGES = crossref_item("10.1145/3600006.3613165", "Sharing Pages of Attention between Models", SOSP, 2023)
FD = {"name": "fd", "full_name": "sharkdp/fd", "html_url": "https://github.com/sharkdp/fd"}


@pytest.fixture(autouse=True)
def lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "papers.md").write_text(PAPERS)
    (tmp_path / "tools.md").write_text(TOOLS)
    return tmp_path


def add(*words: str, input: str | None = None) -> Result:
    return shelfread("add", *words, "--isolated", input=input)


def github(description: str | None) -> object:
    def respond(request: ReceivedRequest) -> Response:
        known = request.path == "/repos/sharkdp/fd"
        return Response(200 if known else 404, json.dumps({**FD, "description": description}).encode())

    return respond


def added(before: str, after: str) -> list[str]:
    """The lines that are new; all others are as they were."""
    new = [line for line in after.splitlines() if line not in before.splitlines()]
    assert [line for line in after.splitlines() if line not in new] == before.splitlines()
    return new


def test_a_paper_by_its_doi(lists: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with services(monkeypatch, crossref=crossref(PAGES)):
        done = add("10.1145/3600006.3613165", "--into", "papers.md", "--section", "Serving", "--yes")
    assert done.exit_code == 0, done.output
    assert added(PAPERS, (lists / "papers.md").read_text()) == [
        "- Sharing Pages of Attention between Models (SOSP 2023) [[Paper](https://doi.org/10.1145/3600006.3613165)]"
    ]


def test_a_preprint_that_was_published(lists: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its arXiv id: the venue is that of the sources, the link the one that was named."""
    title = "Taming Tails with Chunks of Prefills"
    info = {
        "title": f"{title}.",
        "venue": "OSDI",
        "year": "2024",
        "authors": {"author": [{"text": "Ada Lovelace"}]},
    }
    with services(monkeypatch, arxiv=arxiv({"2401.00001": Preprint(title)}), dblp=dblp(info)):
        done = add("https://arxiv.org/abs/2401.00001v3")
        preprint = add("2401.00001", "--into", "papers.md", "--section", "serving", "--diff")
    assert "Taming Tails with Chunks of Prefills" in done.stdout and "OSDI 2024" in done.stdout
    assert f"+- {title} (OSDI 2024) [[Paper](https://arxiv.org/abs/2401.00001)]" in preprint.stdout
    assert (lists / "papers.md").read_text() == PAPERS


def test_sources_that_differ_choose_none(monkeypatch: pytest.MonkeyPatch) -> None:
    title = "Taming Tails with Chunks of Prefills"
    info = {"title": title, "venue": "NSDI", "year": "2025", "authors": {"author": {"text": "Ada Lovelace"}}}
    item = crossref_item("10.1145/1", title, "EuroSys", 2025)
    with services(
        monkeypatch, arxiv=arxiv({"2401.00001": Preprint(title)}), dblp=dblp(info), crossref=crossref(item)
    ):
        done = add("2401.00001")
    assert "the sources differ, so none is taken: EuroSys 2025 (Crossref), NSDI 2025 (DBLP)" in done.stderr
    assert "arXiv 2024" in done.stdout


@pytest.mark.parametrize(
    ("description", "written"),
    [
        ("A simple, fast alternative to 'find'", "A simple, fast alternative to 'find'."),
        (":rocket: finds files, fast! \U0001f680", "Finds files, fast!"),
        ("Finds [files](https://x.y) *fast* | <b>now</b>\n## no heading", None),
    ],
)
def test_a_repository(
    lists: Path, monkeypatch: pytest.MonkeyPatch, description: str, written: str | None
) -> None:
    """In the form and the order of the list."""
    with services(monkeypatch, github=github(description)):  # type: ignore[arg-type]
        done = add("sharkdp/fd", "--into", "tools.md", "--yes")
    assert done.exit_code == 0, done.output
    text = (lists / "tools.md").read_text()
    if written is None:
        (entry,) = [line for line in text.splitlines() if "sharkdp/fd" in line]
        assert entry == r"- [fd](https://github.com/sharkdp/fd) - Finds files \*fast\* | now ## no heading."
        return
    assert added(TOOLS, text) == [f"- [fd](https://github.com/sharkdp/fd) - {written}"]
    assert text.splitlines()[5].startswith("- [Eza]") and text.splitlines()[6].startswith("- [fd]")


def test_what_is_listed_is_skipped(lists: Path) -> None:
    done = add("https://github.com/sharkdp/bat", "--into", "tools.md", "--yes", "--offline")
    assert done.exit_code == 0
    assert "https://github.com/sharkdp/bat: skipped 'bat': tools.md:5 lists it" in done.stderr
    assert (lists / "tools.md").read_text() == TOOLS


def test_what_a_label_leads_to_is_listed(lists: Path) -> None:
    """Though its title is not known."""
    tools = TOOLS + "- [Zoo](https://zoo.org) - Sorts. ([npm](https://npmjs.com/package/zoo))\n"
    (lists / "tools.md").write_text(tools)
    done = add("https://www.npmjs.com/package/zoo/", "--into", "tools.md", "--yes", "--offline")
    said = f"skipped: tools.md:{tools.count(chr(10))} lists it"
    assert done.exit_code == 0 and said in done.stderr and (lists / "tools.md").read_text() == tools


def test_offline(lists: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The identifier alone: a repository has a name, a paper no title."""
    with services(monkeypatch) as running:
        done = add("sharkdp/fd", "--into", "tools.md", "--yes", "--offline")
        paper = add("2401.00001", "--into", "papers.md", "--yes", "--offline", "--section", "Serving")
        assert not any(service.requests for service in running)
    assert done.exit_code == 0
    assert "[fd](https://github.com/sharkdp/fd)" in (lists / "tools.md").read_text()
    assert paper.exit_code == 1 and "left out: its title is not known" in paper.stderr
    assert "without --offline, looks it up" in paper.stderr
    assert (lists / "papers.md").read_text() == PAPERS


def test_nothing_is_written_without_consent(lists: Path) -> None:
    done = add("sharkdp/fd", "--into", "tools.md", "--offline", input="y\n")
    assert done.exit_code == 2 and "use --diff to look, and then --yes to write" in done.stderr
    assert (lists / "tools.md").read_text() == TOOLS


@pytest.mark.parametrize(("answer", "is_written"), [("y\n", True), ("n\n", False), ("", False)])
def test_a_person_is_asked(
    lists: Path, monkeypatch: pytest.MonkeyPatch, answer: str, is_written: bool
) -> None:
    monkeypatch.setattr("shelfread.cli.options.refuse_to_ask", lambda diff, yes: None)
    done = add("sharkdp/fd", "--into", "tools.md", "--offline", input=answer)
    assert "would insert 'fd' in 'Files'" in done.stderr and "Write this to tools.md?" in done.stderr
    assert ("sharkdp/fd" in (lists / "tools.md").read_text()) is is_written


def test_what_is_named_twice_is_added_once(lists: Path) -> None:
    done = add("sharkdp/fd", "github.com/sharkdp/fd", "--into", "tools.md", "--offline", "--yes")
    assert "tools.md:7: inserted 'fd' in 'Files'" in done.stderr
    assert "github.com/sharkdp/fd: skipped 'fd': it is the same as sharkdp/fd" in done.stderr
    assert (lists / "tools.md").read_text().count("sharkdp/fd") == 1


def test_a_page_that_nobody_was_asked_for_is_called_by_its_address(lists: Path) -> None:
    done = add("https://one.org/a", "10.1145/3600006.3613165", "--offline")
    assert done.stdout.splitlines()[2:] == [
        "- [https://one.org/a](https://one.org/a)",
        "- 10.1145/3600006.3613165 (SOSP 2023) [[Paper](https://doi.org/10.1145/3600006.3613165)]",
    ]


def test_nothing_found_prints_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with services(monkeypatch, crossref=crossref(PAGES)):
        assert add("10.1145/9999999.9999999").stdout == ""


def test_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a tool, by its Open Graph tags; of a paper, by those of publishers; through a redirect."""

    def respond(request: ReceivedRequest) -> Response:
        if request.path == "/old":
            return Response(301, headers={"Location": "/tool"})
        tags = {
            "/tool": '<title>Ignored</title><meta property="og:title" content="Abacus &amp; Co">'
            '<meta property="og:description" content="counts beads">',
            "/paper": '<meta name="citation_title" content="Sharing Pages of Attention between Models">'
            '<meta name="citation_author" content="Lovelace, Ada"><meta name="citation_date" content="2023/10/23">'
            '<meta name="citation_conference_title" content="SOSP">',
        }[request.path]
        return Response(
            200, f"<html><head>{tags}</head><body>x</body></html>".encode(), {"Content-Type": "text/html"}
        )

    with serve(respond) as page, services(monkeypatch):
        # Endpoints that the environment names may be at private addresses.
        monkeypatch.setenv("SHELFREAD_ENDPOINT_GITHUB", page.root)
        tool, paper = add(f"{page.root}/old"), add(f"{page.root}/paper")
    assert f"[Abacus & Co]({page.root}/old) - Counts beads." in tool.stdout
    assert "Sharing Pages of Attention between Models" in paper.stdout and "SOSP 2023" in paper.stdout


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("10.1145/9999999.9999999", "Crossref does not know this DOI"),
        ("2401.99999", "arXiv has no such paper"),
        ("nobody/nothing", "GitHub has no such repository"),
        ("http://127.0.0.1:9/private", "does not answer"),
    ],
)
def test_what_is_not_found(lists: Path, monkeypatch: pytest.MonkeyPatch, word: str, reason: str) -> None:
    with services(monkeypatch, crossref=crossref(PAGES)):
        done = add(word, "10.1145/3600006.3613165", "--into", "papers.md", "--section", "Serving", "--yes")
    assert done.exit_code == 1 and f"shelfread: {word}: " in done.stderr and reason in done.stderr
    assert len(added(PAPERS, (lists / "papers.md").read_text())) == 1, "the others are added"


@pytest.mark.parametrize("answer", [Response(200, b"<html>no</html>"), Response(500), Response(403), None])
def test_services_that_answer_nonsense(
    lists: Path, monkeypatch: pytest.MonkeyPatch, answer: Response | None
) -> None:
    with services(monkeypatch, crossref=lambda request: answer, github=lambda request: answer):
        done = add("10.1145/3600006.3613165", "sharkdp/fd", "--into", "tools.md", "--yes")
    assert done.exit_code == 1 and done.stderr.count("add --offline") == 2
    assert (lists / "tools.md").read_text() == TOOLS


def test_another_repository_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    other = json.dumps({**FD, "full_name": "evil/fd", "html_url": "https://github.com/evil/fd"}).encode()
    with services(monkeypatch, github=lambda request: Response(200, other)):
        done = add("sharkdp/fd")
    assert done.exit_code == 1 and "another repository" in done.stderr and "evil" not in done.stdout


@pytest.mark.parametrize("word", ["nonsense", "javascript:alert(1)", "../etc/passwd", "10.1145", ""])
def test_what_names_nothing(word: str) -> None:
    done = add(word)
    assert done.exit_code == 2 and "expected a URL, a DOI" in done.stderr


def test_a_number_of_acm_is_no_doi() -> None:
    done = add("10.5555/3295222.3295349", "--offline")
    assert done.exit_code == 2 and "it is none, ACM numbers papers of other publishers so" in done.stderr


def test_errors_of_use(lists: Path) -> None:
    assert "need --into" in add("sharkdp/fd", "--yes").stderr
    done = add("sharkdp/fd", "--into", "papers.md", "--section", "Servign", "--offline", "--yes")
    assert done.exit_code == 2 and "Serving" in done.stderr
    assert add("sharkdp/fd", "--into", "none.md", "--offline", "--yes").exit_code == 2
