"""Checks of what addresses do and give away, of references, and of a list's own repository."""

from __future__ import annotations

from pathlib import Path

import pytest

from shelfread.checks.link.git_remote import find_origin
from shelfread.checks.link.own_repository import absolute_self
from shelfread.checks.link.reference import reversed, undefined_reference, unused_definition
from shelfread.checks.link.safety import credentials, script, shortener
from shelfread.core.diagnostics import Applicability, Severity
from support.project import LIST, read_project, run

# ------------------------------------------------------------------------------ references, reversed


@pytest.mark.parametrize(
    "text",
    [
        "A [[Paper]](https://a.org/1)[[Code]](https://a.org/2), [[Paper](https://a.org)][https://b.org]",
        "a fix (a bug)[#123], (see)[1], (a)[b], (and/or)[x/y], f(x)[i], (see) [https://a.org]",
        "<div>(text)[https://a.org]</div>",
        "<!-- (text)[https://a.org] -->",
        "$(a)[https://a.org]$ and `(a)[https://a.org]`",
        "    (text)[https://a.org]",
        "(text)\n[https://a.org]",
        r"\(text)[https://a.org] and (text\)[https://a.org]",
        "()[https://a.org] and text)[https://a.org]",
    ],
)
def test_not_reversed(text: str) -> None:
    assert run(reversed, f"{text}\n") == []


@pytest.mark.parametrize(
    ("text", "fixed", "safe"),
    [
        ("- **(a)[https://a.org]**", "- **[a](https://a.org)**", True),
        ("| (a)[https://a.org] | b |\n|---|---|", "| [a](https://a.org) | b |\n|---|---|", True),
        ("## (a)[b/c.md#d]", "## [a](b/c.md#d)", True),
        ("word(a)[https://a.org]", "word[a](https://a.org)", False),
        ("Title (OSDI '20)[https://a.org]", "Title [OSDI '20](https://a.org)", False),
        ("(a)[https://a.org/x_(y)]", "[a](https://a.org/x_(y))", True),
    ],
)
def test_reversed(text: str, fixed: str, safe: bool) -> None:
    (found,) = run(reversed, f"{text}\n")
    assert found.fixed == f"{fixed}\n"
    assert found.place.applicability is (Applicability.SAFE if safe else Applicability.UNSAFE)


DEFINED = "\n\n[guide]: https://a.org/guide\n[b-c]: https://a.org/b\n"


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("[A][guide] [B][lost]", ["lost"]),
        ("[A][guide] [B][Gudie] [C][bc]", ["Gudie", "bc"]),
        ("[A][b-c], [CVPR][2020] and [Paper][Code]", []),
        ("[A][guide] [A][b-c] **[B][lost]** [C `d`][gone]", ["lost", "gone"]),
        ("[A][guide] [[B][lost]](https://a.org)", []),
        ("[A][guide] a[i][j] [x][y][z] [1][2] [^1][^2] [ ][x] [ ][ ]", []),
        ("[B][lost] and [C][missing] and [A][guide]", []),
        ("![A][lost]", ["lost"]),
        ("Great![CVPR][best]", []),
        ("[A][guide] <b>[B][lost]</b>\n\n<div>[C][gone]</div>", ["lost"]),
        ("[A][guide] [B] [lost], [A]\n[lost]", []),
        ("[A][guide] 见[文档][lost]", ["lost"]),
    ],
)
def test_undefined_references(text: str, labels: list[str]) -> None:
    assert [one.place.values["label"] for one in run(undefined_reference, text + DEFINED)] == labels


def test_without_references_only_words_and_a_label_are_mentioned() -> None:
    text = "[the guide][guide] [OSDI 2021][nice] [a b][Nice paper]\n"
    found = run(undefined_reference, text)
    assert [(one.place.values["label"], one.place.severity) for one in found] == [("guide", Severity.INFO)]
    assert run(undefined_reference, "[two words][tag]\n" * 4) == []


def test_definitions_alone_are_no_page() -> None:
    assert run(unused_definition, "[a]: https://a.org\n[b]: https://b.org\n") == []


def test_a_definition_goes_with_its_line() -> None:
    (found,) = run(unused_definition, "> Text\n>\n> [a]: https://a.org 'a\n> b'\n> [c]: #\n")
    assert found.fixed == "> Text\n>\n> \n> [c]: #\n"
    (found,) = run(unused_definition, "Text\r\n\r\n  [a]: https://a.org\r\n[//]: # (b)\r\n")
    assert found.fixed == "Text\r\n\r\n[//]: # (b)\r\n"


# --------------------------------------------------------------------------------- what does harm


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("javascript:alert(1)", True),
        ("JaVaScRiPt:x", True),
        ("<\x01java\tscript:x>", True),
        ("<vb\tscript:x>", True),
        ("data:text/html,x", True),
        ("data:image/svg+xml,x", False),
        ("file:///a", True),
        ("javascripting:x", False),
        ("javascript", False),
        ("files:a", False),
        ("https://a.org/javascript:x", False),
    ],
)
def test_scripts(url: str, found: bool) -> None:
    assert bool(run(script, f"[a]({url})\n")) is found


SECRET = "8fK2mZ9qL4xR7vT1nB5w"


@pytest.mark.parametrize(
    "url",
    [
        f"https://{'xox'}b-129034785612-{SECRET}@a.org",
        f"https://hooks.slack.com/services/T0AB12CD3/B0AB12CD3/{SECRET}9aZ7",
        f"https://discord.com/api/webhooks/123459876012345987/{SECRET * 3}",
        f"https://a.org/?x={'AK'}IAQ3ZXWV7KTMN4PRSU",
        f"https://x:{'gl'}pat-{SECRET}@gitlab.com/a/b",
        f"https://a.org/?client_secret={SECRET}",
        f"https://a.org/?a=b&amp;api-key={SECRET}#c",
        "https://jane:tr0ub4dor@git.acme.dev/",
    ],
)
def test_secrets(url: str) -> None:
    (found,) = run(credentials, f"[a]({url})\n")
    assert SECRET not in str(found.place.values)
    assert "tr0ub4dor" not in str(found.place.values)


@pytest.mark.parametrize(
    "url",
    [
        "https://jane@git.acme.dev/",
        "https://jane:@git.acme.dev/",
        "https://user:hunter2@a.dev/",
        "https://jane:password@a.dev/",
        "https://jane:jane@a.dev/",
        "https://jane:{password}@a.dev/",
        "https://jane:hunter2@localhost:8080/",
        "https://jane:hunter2@proxy.example.com/",
        f"https://{'AK'}IAIOSFODNN7EXAMPLE.a.org",
        "https://a.org/?api_key=0123456789abcdef0123456789abcdef",
        "https://a.org/?api_key=short1",
        "https://a.org/?secret=averylongwordwithoutdigits",
        f"https://a.org/?token={SECRET}",
        f"https://wandb.ai/a/b?accessToken={SECRET}",
        "https://a.org/desk-or-task-sk-1234567890",
    ],
)
def test_no_secrets(url: str) -> None:
    assert run(credentials, f"[a]({url})\n") == []


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("https://bit.ly/a", True),
        ("HTTPS://WWW.BIT.LY/a/?x#y", True),
        ("//bit.ly/a", True),
        ("https://bit.ly", False),
        ("https://bit.ly/?a", False),
        ("https://bit.ly/a/b", False),
        ("https://tinyurl.com/app", False),
        ("bit.ly/a", False),
        ("/bit.ly/a", False),
        ("https://a.org/https://bit.ly/a", False),
        ("https://youtu.be/a", False),
        ("https://aka.ms/a", False),
    ],
)
def test_shorteners(url: str, found: bool) -> None:
    assert bool(run(shortener, f"[a]({url})\n")) is found


def test_short_addresses_by_design_are_told_once() -> None:
    text = "[a](https://bit.ly/a) [b](https://bit.ly/b)\n" * 5
    assert [one.place.severity for one in run(shortener, text)] == [Severity.INFO] * 2
    text = "".join(f"[a](https://bit.ly/{n})\n" for n in range(20))
    assert [one.place.severity for one in run(shortener, text)] == [Severity.ERROR] * 20


# ------------------------------------------------------------------------------- the list's own


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def configure(folder: Path, url: str) -> None:
    (folder / ".git").mkdir(exist_ok=True)
    config = f'[core]\n\tbare = false\n[remote "fork"]\n\turl = https://github.com/x/y\n[remote "origin"]\n\turl = {url}\n'
    (folder / ".git" / "config").write_text(config + "[branch]\n\turl = https://github.com/z/z\n")
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/dev/next\n")


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/acme/list.git",
        "https://github.com/acme/list/",
        "git@github.com:acme/list.git",
        "ssh://git@github.com/acme/list",
        "ssh://git@github.com:22/acme/list.git",
        "https://jane:hunter2@github.com/acme/list",
        "github.com:acme/list",
    ],
)
def test_the_origin_is_read(folder: Path, url: str) -> None:
    configure(folder, url)
    origin = find_origin(str(folder))
    assert origin is not None
    assert origin[:3] == ("github.com", "acme", "list")
    assert "dev/next" in origin.branches


@pytest.mark.parametrize(
    "url", ["/srv/git/list.git", "../list", "file:///srv/list", "", "https://github.com/acme"]
)
def test_an_origin_elsewhere_is_none(folder: Path, url: str) -> None:
    configure(folder, url)
    assert find_origin(str(folder)) is None


def test_a_work_tree_beside_the_main_one_knows_its_origin(folder: Path) -> None:
    configure(folder, "https://github.com/acme/list")
    own = folder / ".git" / "worktrees" / "one"
    own.mkdir(parents=True)
    (own / "commondir").write_text("../..\n")
    (own / "HEAD").write_text("ref: refs/heads/one\n")
    (folder / "one").mkdir()
    (folder / "one" / ".git").write_text(f"gitdir: {own}\n")
    origin = find_origin(str(folder / "one"))
    assert origin is not None
    assert origin.branches == {"HEAD", "main", "master", "one"}


def test_full_addresses_into_ones_own_repository(folder: Path) -> None:
    configure(folder, "https://github.com/acme/list")
    (folder / "docs").mkdir()
    for name in ("docs/a.md", "docs/b (c).md", "docs/list.md", "README.md"):
        (folder / name).write_text("x")
    base = "https://github.com/acme/list/blob"
    text = (
        f"[A]({base}/dev/next/docs/a.md) [B](<{base}/main/docs/b (c).md>) [C]({base}/main/README.md#x)\n"
        f"[D]({base}/main/../../etc/passwd) [E]({base}/v1/docs/a.md) [F]({base}/main/docs/list.md)\n"
    )
    found = run(absolute_self, {"docs/list.md": text})
    assert [one.fixed.split("](")[at].split(")")[0].strip("<>") for at, one in enumerate(found[:3], 1)] == [
        "a.md",
        "b%20%28c%29.md",
        "../README.md#x",
    ]
    assert [bool(one.place.edits) for one in found] == [True, True, True, False, True]
    (folder / "mkdocs.yml").write_text("x")
    assert run(absolute_self, {"docs/list.md": text})[0].place.applicability is Applicability.UNSAFE


def test_without_an_origin_nothing_is_ones_own(folder: Path) -> None:
    assert run(absolute_self, "[A](https://github.com/acme/list/blob/main/list.md)\n") == []


@pytest.mark.parametrize(
    "text",
    [
        ")[https://" * 5_000,
        "(" * 50_000 + ")[https://a.org]" * 2_000,
        "][" * 10_000,
        "[a][b]" * 5_000,
        "[" * 5_000 + "[a][b] " * 2_000,
        "[a](<java" + " " * 100_000 + ">)",
        "[a](https://a.org/" + "eyJaaaaaaaa-" * 20_000 + ")",
        "[a](https://a.org/?" + "token=a&" * 20_000 + ")",
        "[a](https://a.org/:" + "a:@" * 30_000 + ")",
        "".join(f"[l{n}]: https://a.org\n" for n in range(1000)) + "[a][b] " * 1000,
    ],
    ids=range(10),
)
def test_hostile_text_takes_no_time(text: str) -> None:
    documents, context = read_project(f"{text}\n")
    for check in (reversed, undefined_reference, unused_definition, script, credentials, shortener):
        list(check(documents[LIST], context))
