"""`shelfread complete`, with services on loopback."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import Result

from support.command_line import shelfread
from support.service import Preprint, Response, arxiv, crossref, crossref_item, dblp, services

TITLE = "Taming Tails with Chunks of Prefills"
LIST = f"""\
# Papers

- {TITLE} (arXiv 2024) [[Paper](https://arxiv.org/abs/2401.00001)]
- Sharing Pages of Attention between Models [[Paper](https://doi.org/10.1145/3600006.3613165)] [[Code](https://github.com/x/pages)]
- Serving Models without Servers (NSDI 2025) [[Paper](https://example.org/1.pdf)] [[Code](https://github.com/x/serving)]
- Batching Requests of Different Lengths (OSDI 2022) [[Paper](https://example.org/2.pdf)] [[Code](https://github.com/x/batching)]
"""
OSDI = "18th USENIX Symposium on Operating Systems Design and Implementation (OSDI 24)"
SOSP = "Proceedings of the 29th Symposium on Operating Systems Principles"
PAGES = crossref_item("10.1145/3600006.3613165", "Sharing Pages of Attention between Models", SOSP, 2023)
TAILS = {"title": f"{TITLE}.", "venue": "OSDI", "year": "2024", "type": "Conference and Workshop Papers"}


@pytest.fixture
def papers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "list.md").write_text(LIST)
    return tmp_path


def complete(*words: str) -> Result:
    return shelfread("complete", "list.md", "--isolated", "--cache-file", "works.sqlite3", *words)


def found(done: Result) -> list[tuple[str, str]]:
    return [(each["rule"], each["message"]) for each in json.loads(done.stdout)["diagnostics"]]


def test_what_is_missing(papers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paper = Preprint(TITLE, comment="Accepted at OSDI 2024. Code: https://github.com/x/tails.git")
    with services(monkeypatch, arxiv=arxiv({"2401.00001": paper}), crossref=crossref(PAGES)) as running:
        done = complete("--output-format", "json")
        assert found(done) == [
            ("complete/code", "no link to code: https://github.com/x/tails (arXiv)"),
            ("complete/published", "cited as 'arXiv 2024', but published at OSDI 2024 according to arXiv"),
            ("complete/venue", "no venue: published at SOSP 2023 according to Crossref"),
        ]
        assert done.exit_code == 1
        assert len(running.arxiv.paths) == len(running.crossref.paths) == 1, "by identifier, in one batch"
        assert running.dblp.paths == [], "nothing was left to look for by title"
        complete()
        assert len(running.arxiv.paths) == len(running.crossref.paths) == 1, "answers are kept"


def test_fix(papers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paper = Preprint(TITLE, comment="Accepted at OSDI 2024. Code: https://github.com/x/tails.git")
    with services(monkeypatch, arxiv=arxiv({"2401.00001": paper}), crossref=crossref(PAGES)):
        shown = complete("--diff")
        assert (papers / "list.md").read_text() == LIST and shown.exit_code == 1
        done = complete("--fix")
    assert done.exit_code == 0, done.output
    text = (papers / "list.md").read_text()
    added = [
        line[1:] for line in shown.stdout.splitlines() if line.startswith("+") and not line.startswith("+++")
    ]
    assert added == [
        f"- {TITLE} (OSDI 2024) [[Paper](https://arxiv.org/abs/2401.00001)] [[Code](https://github.com/x/tails)]",
        "- Sharing Pages of Attention between Models (SOSP 2023) [[Paper](https://doi.org/10.1145/3600006.3613165)]"
        " [[Code](https://github.com/x/pages)]",
    ]
    assert [line for line in text.splitlines() if line not in LIST.splitlines()] == added


def test_sources_that_differ_are_shown(papers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = crossref_item("10.1145/1", TITLE, "EuroSys", 2025)
    with services(
        monkeypatch,
        arxiv=arxiv({"2401.00001": Preprint(TITLE)}),
        crossref=crossref(elsewhere),
        dblp=dblp(TAILS),
    ):
        done = complete("--select", "complete/published", "--output-format", "json", "--show-info")
    ((_, message),) = found(done)
    assert message == (
        "cited as 'arXiv 2024', and the sources differ on where it was published: EuroSys 2025 (Crossref), OSDI 2024 (DBLP)"
    )
    assert json.loads(done.stdout)["diagnostics"][0]["fix"] is None


def test_a_weak_match_is_none(papers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another paper of a similar title, a sequel, and another paper behind the same identifier."""
    similar = crossref_item("10.1145/1", "Taming Tails with Trunks of Prefixes", OSDI, 2024)
    sequel = {**TAILS, "title": f"{TITLE} 2."}
    with services(
        monkeypatch,
        arxiv=arxiv({"2401.00001": Preprint("Baking Bread in Cold Ovens", journal_ref="OSDI 2024")}),
        crossref=crossref(similar),
        dblp=dblp(sequel),
    ):
        assert found(complete("--select", "complete/published", "--output-format", "json")) == []


def test_offline(papers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with services(monkeypatch, crossref=crossref(PAGES)) as running:
        first = complete("--offline")
        assert first.exit_code == 2 and not first.stdout
        assert "no paper was looked up before, so nothing is compared" in first.stderr
        done = complete("--select", "complete/venue")
        assert done.exit_code == 1 and "2 papers looked up: nothing is known of 1\n" in done.stderr
        asked = len(running.crossref.paths)
        assert complete("--select", "complete/venue", "--offline").exit_code == 1
        assert len(running.crossref.paths) == asked


def test_no_service_answers(papers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then nothing is known, and that nothing was found is no success."""
    with services(monkeypatch, arxiv=lambda _: None, crossref=lambda _: None, dblp=lambda _: None):
        done = complete()
        assert done.exit_code == 2 and done.stdout == ""
        assert "2 papers looked up: nothing is known of 2\n" in done.stderr


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Response(200, b"<html>Are you a robot?</html>"), "answered with something that is no JSON"),
        (Response(200, b"[1, 2]"), "answered with JSON that is no object"),
        (Response(500, b"no"), "answered 500"),
        (Response(429, b"", {"Retry-After": "86400"}), "has too many requests"),
        (None, "does not answer: connection lost: closed without an answer"),
    ],
)
def test_a_service_that_answers_nonsense(
    papers: Path, monkeypatch: pytest.MonkeyPatch, answer: Response | None, reason: str
) -> None:
    """It is named once and not asked again; the others still count."""
    with services(
        monkeypatch,
        arxiv=arxiv({"2401.00001": Preprint(TITLE)}),
        crossref=lambda request: answer,
        dblp=dblp(TAILS),
    ) as running:
        done = complete("--select", "complete/published")
        # A connection that breaks is tried once more by the client.
        assert len({request.path for request in running.crossref.requests}) == 1
    assert f"shelfread: Crossref {reason}: papers that only it knows are missing\n" in done.stderr
    assert "published at OSDI 2024 according to DBLP" in done.stdout


@pytest.mark.parametrize(
    "body",
    [
        {"message": None},
        {"message": {"items": [None, 3, "x", [], {}, {"type": "journal-article"}]}},
        {
            "message": {
                "items": [{"type": "journal-article", "title": "T", "DOI": 1, "author": "x", "issued": [2]}]
            }
        },
        {
            "message": {
                "items": [
                    {
                        "type": "journal-article",
                        "title": [["T"]],
                        "author": [[1]],
                        "issued": {"date-parts": [[None]]},
                    }
                ]
            }
        },
        {
            "message": {
                "items": {
                    "type": "journal-article",
                    "title": [TITLE],
                    "event": 3,
                    "container-title": {"a": 1},
                }
            }
        },
    ],
)
def test_data_of_any_shape(papers: Path, monkeypatch: pytest.MonkeyPatch, body: object) -> None:
    with services(monkeypatch, crossref=lambda request: Response(200, json.dumps(body).encode())):
        done = complete()
    assert (done.exit_code, done.exception) == (0, None)


def test_hostile_data_is_one_line_of_text(papers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A venue with line breaks, markup and control characters neither breaks the report nor the list."""
    venue = "Evil\n\n# Heading \u202e [x](javascript:1) \x1b[31m <b>O</b>SDI"
    bad = crossref_item("10.1145/3600006.3613165", "Sharing Pages of Attention between Models", venue, 2023)
    with services(monkeypatch, crossref=crossref(bad)):
        done = complete("--select", "complete/venue", "--output-format", "json")
        complete("--fix")
    ((_, message),) = found(done)
    assert message.isprintable()
    assert (papers / "list.md").read_text() == LIST, "a name that the vocabulary does not know is not written"


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\0" + b"\xff" * 200])
def test_a_damaged_cache(papers: Path, monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    (papers / "works.sqlite3").write_bytes(content)
    with services(monkeypatch, crossref=crossref(PAGES)):
        done = complete("--select", "complete/venue")
    assert done.exit_code == 1
    assert ("a new cache was created" in done.stderr) is bool(content)


def test_a_file_of_another_kind_is_no_cache(papers: Path) -> None:
    (papers / "works.sqlite3").write_bytes(b"\x89PNG\0")
    done = complete("--select", "complete/venue")
    assert done.exit_code == 2
    assert (
        "works.sqlite3: --cache-file would replace it, and it is no cache: name another file" in done.stderr
    )
    assert (papers / "works.sqlite3").read_bytes() == b"\x89PNG\0"


def test_rules_of_other_commands(papers: Path) -> None:
    assert "is a rule of 'shelfread links'" in complete("--select", "link/dead").stderr
    done = shelfread("check", "list.md", "--select", "complete/venue")
    assert "run 'shelfread complete --select complete/venue'" in done.stderr


def test_a_list_of_other_things_has_nothing_to_look_up(papers: Path) -> None:
    tools = "".join(f"- [Tool {n}](https://tool{n}.example.org) - Does it.\n" for n in range(9))
    (papers / "list.md").write_text(
        f"# Tools\n\n{tools}- [Learning to Order Many Books (2019)](https://a.example.org)\n"
    )
    done = complete("--offline")
    assert (done.exit_code, done.stderr) == (0, "shelfread: 0 papers looked up in earlier answers\n")
