"""Diagnostics while a list is written: those of `shelfread check`, for the newest text, from the right project."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from shelfread.cli import group
from shelfread.core.source import Source
from support.gitrepo import do
from support.language_client import LanguageClient, ServerOf

pytestmark = pytest.mark.slow

LIST = """\
# Awesome Shelves

## Tools

- [Foo](http://github.com/example/foo) - 中文 😀 finds books.
- 😀 [Bar]() - Sorts books.
- [Baz](https://baz.example/?utm_source=x) - Counts books.
"""


def rules(found: list[dict[str, Any]]) -> list[str]:
    return [diagnostic["code"] for diagnostic in found]


def checked(folder: Path, name: str, text: str, *options: str) -> list[dict[str, Any]]:
    """Return the diagnostics that `shelfread check` prints for a text."""
    words = ["check", "-", "--stdin-filename", str(folder / name), "--output-format", "json", *options]
    done = CliRunner().invoke(group, words, input=text.encode())
    found: list[dict[str, Any]] = json.loads(done.stdout)["diagnostics"]
    return [diagnostic for diagnostic in found if diagnostic["severity"] != "info"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
def test_the_findings_are_those_of_check(
    server_of: ServerOf, tmp_path: Path, encoding: str, newline: str
) -> None:
    text = f"{LIST}\n😀\u2028- [Qux](https://qux.example?utm_medium=y) - Reads.\n".replace("\n", newline)
    client = server_of(encoding)
    assert client.capabilities["positionEncoding"] == encoding
    with client.working_in(tmp_path):
        found = client.published(client.open(tmp_path / "list.md", text), 1)
    expected = checked(tmp_path, "list.md", text)
    assert len(expected) == 5
    units = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
    codec, size = units[encoding]
    lines = text.split(newline)
    for diagnostic, known in zip(found, expected, strict=True):
        line = known["line"] - 1
        character = len(lines[line][: known["column"] - 1].encode(codec)) // size
        assert diagnostic["range"]["start"] == {"line": line, "character": character}
        assert (diagnostic["code"], diagnostic["message"]) == (known["rule"], known["message"])
        assert diagnostic["severity"] == {"error": 1, "warning": 2}[known["severity"]]
        assert diagnostic["source"] == "shelfread"
        page = Path(diagnostic["codeDescription"]["href"].removeprefix("file://"))
        assert f"# {known['rule']}\n" in page.read_text()


def test_what_the_fix_removes_is_faded(client: LanguageClient) -> None:
    text = f"{LIST}\n<!-- shelfread-disable-line link/insecure -->\n"
    found = client.published(client.open(client.folder / "list.md", text), 1)
    assert {diagnostic["code"]: diagnostic.get("tags") for diagnostic in found} == {
        "link/insecure": None,
        "link/empty": None,
        "link/tracking": None,
        "suppression/unused": [1],
    }


def test_the_newest_text_is_the_one_that_counts(client: LanguageClient) -> None:
    uri = client.open(client.folder / "list.md", LIST)
    for version in range(2, 40):
        here = {"line": 5, "character": 11 + version - 2}
        client.change(uri, version, {"range": {"start": here, "end": here}, "text": "a"})
    assert rules(client.published(uri, 39)) == ["link/insecure", "link/missing-file", "link/tracking"]
    assert "link/empty" not in rules(client.published(uri, 39))
    published = [
        message["params"]["version"]
        for message in client.messages
        if message["method"] == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri
    ]
    assert published == sorted(published) and len(published) <= 3


def test_changes_of_an_older_version_are_ignored(client: LanguageClient) -> None:
    uri = client.open(client.folder / "list.md", LIST, version=5)
    assert "link/empty" in rules(client.published(uri, 5))
    client.change(uri, 7, {"text": "# A\n"})
    client.change(uri, 6, {"text": LIST})
    client.change(uri, 7, {"text": LIST})
    client.change("file:///not/open.md", 8, {"text": LIST})
    assert client.actions(uri) == {}  # after an analysis of the last text
    assert client.published(uri, 7) == []
    log = [
        message["params"]["message"]
        for message in client.messages
        if message["method"] == "window/logMessage"
    ]
    assert log == [
        f"{uri}: changes of version 6 were ignored",
        f"{uri}: changes of version 7 were ignored",
        "file:///not/open.md: changes of version 8 were ignored",
    ]


def test_several_changes_are_made_one_after_the_other(client: LanguageClient) -> None:
    uri = client.open(client.folder / "list.md", "# A\r\n\r\n- [a](\r\n")
    end = {"line": 2, "character": 6}
    far = {"line": 99, "character": 99}
    client.change(
        uri,
        2,
        {"range": {"start": end, "end": end}, "text": ") - 😀 b."},
        {"range": {"start": {"line": 2, "character": 10}, "end": {"line": 2, "character": 12}}, "text": "中"},
        {"range": {"start": far, "end": far}, "text": "- [b]() - c.\n"},
    )
    found = client.published(uri, 2)
    assert [(each["code"], each["range"]["start"]["line"]) for each in found] == [
        ("link/empty", 2),
        ("link/empty", 3),
    ]


def test_a_document_without_a_file_is_checked(own_client: LanguageClient) -> None:
    (own_client.folder / ".shelfread.yaml").write_text("ignore: [link/tracking]\n")
    own_client.initialize()
    first = own_client.open("untitled:Untitled-1", LIST)
    second = own_client.open("untitled:Untitled-2", "# A\n\n- [b]() - c.\n")
    assert rules(own_client.published(first, 1)) == ["link/insecure", "link/empty"]
    assert rules(own_client.published(second, 1)) == ["link/empty"]


def test_a_file_that_is_not_written_yet_belongs_to_its_project(client: LanguageClient) -> None:
    do("init", "-q", cwd=client.folder)
    (client.folder / "old.md").write_text("# A\n\n## B\n")
    uri = client.open(client.folder / "new.md", "# N\n\n- [c](old.md#nothing) - d.\n- [e](old.md#b) - f.\n")
    assert rules(client.published(uri, 1)) == ["link/missing-anchor"]


def test_other_files_are_those_on_disk_and_open_ones_those_in_the_editor(client: LanguageClient) -> None:
    do("init", "-q", cwd=client.folder)
    other = client.folder / "other.md"
    other.write_text("# A\n\n## B\n")
    uri = client.open(client.folder / "list.md", "# N\n\n- [c](other.md#x) - d.\n")
    assert rules(client.published(uri, 1)) == ["link/missing-anchor"]
    open_other = client.open(other, "# A\n\n## X\n")
    client.wait(lambda: client.diagnostics[uri]["diagnostics"] == [])
    client.notify("textDocument/didClose", textDocument={"uri": open_other})
    client.wait(lambda: client.diagnostics[uri]["diagnostics"] != [])
    assert client.diagnostics[open_other]["diagnostics"] == []


def test_folders_have_their_own_configurations(own_client: LanguageClient) -> None:
    for name, rule in (("one", "link/empty"), ("two", "link/tracking")):
        (own_client.folder / name).mkdir()
        do("init", "-q", cwd=own_client.folder / name)
        (own_client.folder / name / ".shelfread.yaml").write_text(f"ignore: [{rule}]\n")
    folders = [{"uri": (own_client.folder / name).as_uri(), "name": name} for name in ("one", "two")]
    own_client.initialize(workspaceFolders=folders)
    one, two = (own_client.open(own_client.folder / name / "list.md", LIST) for name in ("one", "two"))
    assert rules(own_client.published(one, 1)) == ["link/insecure", "link/tracking"]
    assert rules(own_client.published(two, 1)) == ["link/insecure", "link/empty"]


def test_configuration_rules_and_taxonomy_are_read_again(client: LanguageClient) -> None:
    folder = client.folder
    (folder / ".shelfread.yaml").write_text("taxonomy: subjects.yaml\n")
    (folder / "subjects.yaml").write_text("concepts:\n  tools: {prefLabel: Tools}\n")
    uri = client.open(folder / "list.md", LIST)
    client.published(uri, 1)

    def written(name: str, text: str) -> None:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)

    def found() -> list[str]:
        return rules(client.diagnostics[uri]["diagnostics"])

    assert "link/empty" in found()
    written(".shelfread.yaml", "taxonomy: subjects.yaml\nignore: [link/empty]\n")
    client.wait(lambda: "link/empty" not in found())
    written("subjects.yaml", "concepts:\n  tools: {prefLabel: Programs, hiddenLabel: [Tools]}\n")
    client.wait(lambda: "taxonomy/section-alias" in found())
    page = "---\nsummary: Checks for books.\nseverity: warning\ncheck: own.word\npresets: [core]\n"
    written(".shelfread/rules/own/books.md", page)
    client.wait(lambda: any("books.md" in message for message in client.shown()))


def test_a_broken_configuration_is_shown_once_and_where_it_is(client: LanguageClient) -> None:
    config = client.folder / ".shelfread.yaml"
    config.write_text("ignore: [link/empty]\nincl: []\n")
    uri = client.open(client.folder / "list.md", LIST)
    assert client.published(uri, 1) == []
    for version in range(2, 5):
        client.change(uri, version, {"text": LIST})
        client.published(uri, version)
    (shown,) = client.shown()
    assert shown.startswith("shelfread: ") and "/.shelfread.yaml:2:1: unknown key 'incl'" in shown
    (there,) = client.published(config.as_uri())
    assert there["range"]["start"] == {"line": 1, "character": 0} and there["severity"] == 1
    config.write_text("ignore: [link/empty]\n")
    client.change(uri, 9, {"text": LIST})
    assert rules(client.published(uri, 9)) == ["link/insecure", "link/tracking"]
    client.wait(lambda: client.diagnostics[config.as_uri()]["diagnostics"] == [])
    config.write_text("incl: []\n")
    client.change(uri, 10, {"text": LIST})
    client.wait(lambda: len(client.shown()) == 2)


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("# A\n\n\0\n", "a NUL character", 2),
        ("- [a](https://a.example)\n" * 700_000, "larger than 16 MiB", 0),
    ],
    ids=["NUL", "large"],
)
def test_what_cannot_be_checked_says_so(client: LanguageClient, text: str, message: str, line: int) -> None:
    uri = client.open(client.folder / "list.md", text)
    (found,) = client.published(uri, 1)
    assert found["message"].startswith(message) and found["range"]["start"]["line"] == line
    client.change(uri, 2, {"text": LIST})
    assert "link/empty" in rules(client.published(uri, 2))


def test_files_that_are_no_lists_are_left_alone(client: LanguageClient) -> None:
    (client.folder / ".shelfread.yaml").write_text("exclude: [drafts/]\n")
    plain = client.open(client.folder / "notes.txt", LIST, language="plaintext")
    excluded = client.open(client.folder / "drafts" / "list.md", LIST)
    licence = client.open(
        client.folder / "LICENSE.md", "# MIT License\n\nPermission is hereby granted, free of charge\n"
    )
    named = client.open(client.folder / "list.txt", LIST)
    assert client.published(excluded, 1) == client.published(licence, 1) == []
    assert "link/empty" in rules(client.published(named, 1))
    assert plain not in client.diagnostics


def test_infos_are_shown_if_the_client_wants_them(own_client: LanguageClient) -> None:
    text = "# Awesome ![Awesome](https://awesome.re/badge.svg)\n\n- [a](https://a.example) - B c.\n- [b]() - C d.\n"
    own_client.initialize(initializationOptions={"showInfo": True})
    uri = own_client.open(own_client.folder / "list.md", text)
    found = {diagnostic["code"]: diagnostic["severity"] for diagnostic in own_client.published(uri, 1)}
    assert found == {"awesome/badge": 3, "link/empty": 2}
    assert any(title.startswith("Unsafe fix: [![Awesome]") for title in own_client.actions(uri))
    own_client.notify("workspace/didChangeConfiguration", settings={"shelfread": {"showInfo": False}})
    own_client.wait(lambda: rules(own_client.diagnostics[uri]["diagnostics"]) == ["link/empty"])
    assert not any(title.startswith("Unsafe fix") for title in own_client.actions(uri))


def test_a_configuration_can_be_named_or_ignored(own_client: LanguageClient) -> None:
    (own_client.folder / ".shelfread.yaml").write_text("ignore: [link/empty]\n")
    (own_client.folder / "other.yaml").write_text("ignore: [link/tracking]\n")
    own_client.initialize(initializationOptions={"isolated": True, "config": 3})
    uri = own_client.open(own_client.folder / "list.md", LIST)
    assert rules(own_client.published(uri, 1)) == ["link/insecure", "link/empty", "link/tracking"]
    own_client.notify("workspace/didChangeConfiguration", settings={"shelfread": {"config": "other.yaml"}})
    own_client.wait(
        lambda: rules(own_client.diagnostics[uri]["diagnostics"]) == ["link/insecure", "link/empty"]
    )
    own_client.notify("workspace/didChangeConfiguration", settings={"shelfread": {"config": "none.yaml"}})
    own_client.wait(lambda: own_client.diagnostics[uri]["diagnostics"] == [])
    own_client.wait(lambda: len(own_client.shown()) == 1)


PIECES = [
    "- [a]() - B.\n",
    "## C\n",
    "\n",
    "😀",
    "[x](",
    "<!-- shelfread-disable-line link/empty -->",
    "|",
    "中\r\n",
]


@pytest.mark.parametrize("seed", range(3))
def test_after_any_changes_the_findings_are_those_of_check(
    server_of: ServerOf, tmp_path: Path, seed: int
) -> None:
    client = server_of("utf-32")
    with client.working_in(tmp_path):
        change_and_compare(client, Random(seed))


def change_and_compare(client: LanguageClient, random: Random) -> None:
    """Change a list at random, and compare its findings after each change with those of `check`."""
    text = LIST
    uri = client.open(client.folder / "list.md", text)
    for version in range(2, 10):
        changes = []
        for _ in range(random.randint(1, 3)):
            start = random.randrange(len(text) + 1)
            end = min(start + random.choice([0, 0, 3, 40]), len(text))
            start, end = (at - (text[at - 1 : at + 1] == "\r\n") for at in (start, end))
            new = random.choice(PIECES)
            places = (Source(text).position(at) for at in (start, end))
            first, last = ({"line": line - 1, "character": column - 1} for line, column in places)
            changes.append({"range": {"start": first, "end": last}, "text": new})
            text = text[:start] + new + text[end:]
        client.change(uri, version, *changes)
        found = [
            (each["code"], each["range"]["start"]["line"] + 1, each["range"]["start"]["character"] + 1)
            for each in client.published(uri, version)
        ]
        expected = checked(client.folder, "list.md", text)
        assert found == [(each["rule"], each["line"], each["column"]) for each in expected], text
