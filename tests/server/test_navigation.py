"""Requests about lists, asked by a client over standard input and output."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from support.language_client import LanguageClient, ServerOf, edited
from support.local_links import git

A = """# 論文 😀

- [Serving 😀](#serving-)
- [Tools](#tools)
- [More](b.md#more)

## Serving 😀

* 😀😀 **Orca: A Distributed Serving System** (OSDI'22) \\[[Paper](https://example.org/orca.pdf)]
* **Efficient Memory Management for Serving** (SOSP'23) \\[[Paper](https://example.org/vllm.pdf)]
  * Ada Stone, Ben Field

### 漢字

<table>
<tr><th>Title</th><th>Venue</th></tr>
<tr><td><a href="https://example.org/a">A Study of Things</a></td><td>OSDI 2020</td></tr>
<tr><td><a href="https://example.org/b">A Study of Others</a></td><td>SOSP 2021</td></tr>
</table>

## Tools

See [the site][site] and [nothing](#nothing).

[site]: https://example.org/site "The site"
"""
B = "# B\r\n\r\n[back](a.md#serving-) [tools](./a.md#tools)\r\n\r\n## More\r\n"


class Editor:
    """A client with a project of two lists, of which one is open."""

    def __init__(self, client: LanguageClient, folder: Path, text: str = A) -> None:
        self.client, self.folder, self.text = client, folder, text
        (folder / ".shelfread.yaml").write_text("slugs: github\n")
        (folder / "a.md").write_bytes(A.encode())
        (folder / "b.md").write_bytes(B.encode())
        self.uri = self.client.open(folder / "a.md", text)

    def ask(self, method: str, where: str | None = None, **params: Any) -> Any:
        """Return the result of a request about the open list, at the end of some words of it."""
        document = {"textDocument": {"uri": self.uri}}
        position = {"position": self.position(where)} if where is not None else {}
        return self.client.request(f"textDocument/{method}", **document, **position, **params)

    def position(self, words: str) -> dict[str, int]:
        before = self.text[: self.text.index(words) + len(words)].replace("\r\n", "\n")
        line = before.count("\n")
        return {"line": line, "character": len(before.rpartition("\n")[2].encode("utf-16-le")) // 2}

    def shown(self, found: dict[str, Any], text: str | None = None) -> str:
        """Return the text of a range within a line."""
        start, end = found["start"], found["end"]
        line = (self.text if text is None else text).splitlines()[start["line"]].encode("utf-16-le")
        assert start["line"] == end["line"]
        return line[start["character"] * 2 : end["character"] * 2].decode("utf-16-le")

    def texts_after(self, edit: dict[str, Any]) -> dict[str, str]:
        """Return the texts that a workspace edit changes, by the name of the file."""
        texts = {"a.md": self.text, "b.md": B}
        changed = {}
        for change in edit["documentChanges"]:
            name = change["textDocument"]["uri"].rpartition("/")[2]
            changed[name] = edited(texts[name], change["edits"])
        return changed


@pytest.fixture(scope="module")
def editor(server_of: ServerOf, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    """The editor of tests that change nothing."""
    client, folder = server_of("utf-16"), tmp_path_factory.mktemp("lists")
    with client.working_in(folder):
        yield Editor(client, folder)


@pytest.fixture
def own_editor(client: LanguageClient) -> Editor:
    return Editor(client, client.folder)


def names(symbols: list[dict[str, Any]]) -> list[Any]:
    found: list[Any] = []
    for symbol in symbols:
        found += [symbol["name"], names(symbol["children"])] if symbol["children"] else [symbol["name"]]
    return found


def test_the_server_says_what_it_answers(editor: Editor) -> None:
    kinds = "hover definition references documentSymbol workspaceSymbol completion".split()
    assert all(editor.client.capabilities[f"{kind}Provider"] for kind in kinds)
    assert editor.client.capabilities["renameProvider"] == {"prepareProvider": True}
    assert "[" in editor.client.capabilities["completionProvider"]["triggerCharacters"]


def test_the_outline(editor: Editor) -> None:
    symbols = editor.ask("documentSymbol")
    assert names(symbols) == [
        "論文 😀",
        [
            "Serving 😀",
            [
                "Orca: A Distributed Serving System",
                "Efficient Memory Management for Serving",
                "漢字",
                ["A Study of Things", "A Study of Others"],
            ],
            "Tools",
        ],
    ]
    serving = symbols[0]["children"][0]
    assert editor.shown(serving["selectionRange"]) == "Serving 😀"
    assert editor.shown(serving["children"][0]["selectionRange"]) == "Orca: A Distributed Serving System"


def test_hovers_after_emoji(editor: Editor) -> None:
    hover = editor.ask("hover", "Orca: A Dist")
    assert hover["contents"]["kind"] == "markdown"
    assert hover["contents"]["value"].startswith("**Orca: A Distributed Serving System**")
    venue = editor.ask("hover", "(OSD")
    assert venue["contents"]["value"].startswith("**OSDI**: USENIX Symposium")
    assert editor.shown(venue["range"]) == "OSDI"
    finding = editor.ask("hover", "(#noth")
    assert "link/missing-anchor" in finding["contents"]["value"]


def test_definitions_and_references_in_two_files(editor: Editor) -> None:
    (there,) = editor.ask("definition", "(b.md#mo")
    assert there["uri"].endswith("/b.md") and editor.shown(there["range"], B) == "More"
    (site,) = editor.ask("definition", "[the site][si")
    assert editor.shown(site["range"]) == "site" and site["range"]["start"]["line"] == 24
    found = editor.ask("references", "## Serving", context={"includeDeclaration": True})
    texts = {"a.md": A, "b.md": B}
    shown = [(name := one["uri"][-4:], editor.shown(one["range"], texts[name])) for one in found]
    assert shown == [("a.md", "Serving 😀"), ("a.md", "serving-"), ("b.md", "serving-")]


def test_a_renamed_section_keeps_its_links_in_all_files(editor: Editor) -> None:
    found = editor.ask("prepareRename", "## Serving")
    assert (found["placeholder"], editor.shown(found["range"])) == ("Serving 😀", "Serving 😀")
    edit = editor.ask("rename", "## Serving", newName="推論 🚀 Systems")
    versions = {
        change["textDocument"]["uri"][-4:]: change["textDocument"]["version"]
        for change in edit["documentChanges"]
    }
    assert versions == {"a.md": 1, "b.md": None}
    after = editor.texts_after(edit)
    assert after["a.md"] == A.replace("[Serving 😀](#serving-)", "[推論 🚀 Systems](#推論--systems)").replace(
        "## Serving 😀", "## 推論 🚀 Systems"
    )
    assert after["b.md"] == B.replace("#serving-", "#推論--systems")


def test_a_bad_name_is_an_error_for_people(editor: Editor) -> None:
    where = {"textDocument": {"uri": editor.uri}, "position": editor.position("## Serving")}
    for name, reason in ((" ", "is empty"), ("a\nb", "has a line break")):
        error = editor.client.error("textDocument/rename", **where, newName=name)
        assert error["code"] == -32803 and reason in error["message"]
    logged = [
        each["params"]["message"] for each in editor.client.messages if each["method"] == "window/logMessage"
    ]
    assert not any("new name" in message for message in logged)
    nothing = {**where, "position": editor.position("See [the")}
    assert editor.client.request("textDocument/prepareRename", **nothing) is None


def test_a_text_in_another_file_that_is_open_is_the_one_that_counts(own_editor: Editor) -> None:
    uri = own_editor.client.open(
        own_editor.folder / "b.md", B.replace("[tools]", "[utensils]").replace("More", "Most"), version=7
    )
    edit = own_editor.ask("rename", "## Tool", newName="Programs")
    (change,) = (each for each in edit["documentChanges"] if each["textDocument"]["uri"] == uri)
    assert change["textDocument"]["version"] == 7
    assert [(each["newText"], each["range"]["start"]["line"]) for each in change["edits"]] == [
        ("programs", 2)
    ]


def test_symbols_of_all_files(editor: Editor) -> None:
    (more,) = editor.client.request("workspace/symbol", query="more")
    assert more["location"]["uri"].endswith("/b.md") and editor.shown(more["location"]["range"], B) == "More"


def test_completion_in_the_line_that_is_written(own_editor: Editor) -> None:
    last = {"line": 25, "character": 0}
    own_editor.client.change(own_editor.uri, 2, {"range": {"start": last, "end": last}, "text": "😀 [Co"})
    where = {"textDocument": {"uri": own_editor.uri}, "position": {"line": 25, "character": 6}}
    found = own_editor.client.request("textDocument/completion", **where)
    (item,) = (each for each in found["items"] if each["label"] == "Code")
    assert item["textEdit"]["range"] == {
        "start": {"line": 25, "character": 3},
        "end": {"line": 25, "character": 6},
    }


@pytest.mark.parametrize("position", [(0, 999), (999, 0), (999, 999), (25, 0), (8, 3)])
def test_positions_beyond_the_end_have_an_answer(position: tuple[int, int], editor: Editor) -> None:
    where = {"position": {"line": position[0], "character": position[1]}}
    for method in ("hover", "definition", "prepareRename", "completion"):
        editor.ask(method, **where)
    editor.ask("references", **where, context={"includeDeclaration": False})


def test_a_document_that_is_not_open_has_no_answer(editor: Editor) -> None:
    where = {
        "textDocument": {"uri": f"{editor.folder.as_uri()}/b.md"},
        "position": {"line": 0, "character": 0},
    }
    for method in ("hover", "definition", "prepareRename", "completion"):
        assert editor.client.request(f"textDocument/{method}", **where) is None
    assert editor.client.request("textDocument/documentSymbol", **where) is None


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_lists_with_other_ends_of_lines(newline: str, client: LanguageClient) -> None:
    editor = Editor(client, client.folder, A.replace("\n", newline))
    after = editor.texts_after(
        editor.ask("rename", newName="Programs", position={"line": 20, "character": 4})
    )
    assert after["a.md"] == A.replace("[Tools](#tools)", "[Programs](#programs)").replace(
        "## Tools", "## Programs"
    ).replace("\n", newline)


def test_a_client_that_knows_less_gets_less(own_client: LanguageClient) -> None:
    own_client.initialize({"textDocument": {"hover": {"contentFormat": ["plaintext"]}}})
    editor = Editor(own_client, own_client.folder)
    assert editor.ask("hover", "(OSD")["contents"]["kind"] == "plaintext"
    edit = editor.ask("rename", "## Tool", newName="Programs")
    assert {uri[-4:] for uri in edit["changes"]} == {"a.md", "b.md"}
    line = {
        "textDocument": {"uri": editor.uri},
        "position": editor.position('https://example.org/site "The site"'),
    }
    assert editor.client.request("textDocument/completion", **line)["items"] == []


def large(sections: int) -> str:
    """Return a list whose analysis takes much longer than its reading, and than requests wait for that."""
    lines = ["# Large", ""]
    for section in range(sections):
        lines += [f"## Section {section}", ""]
        lines += [
            f"* **A Study of Subject {section} in Area {entry} of Systems** (OSDI'{10 + entry})"
            f" \\[[Paper](https://example.org/{section}/{entry}.pdf)]"
            for entry in range(10)
        ]
        lines.append("")
    return "\n".join(lines)


def test_requests_right_after_a_change_are_about_the_current_text(client: LanguageClient) -> None:
    text = large(120)
    editor, last = Editor(client, client.folder, text), len(text.splitlines()) - 1
    client.published(editor.uri, 1)
    for version in range(2, 4):
        start = {"line": 2, "character": 3}
        client.change(editor.uri, version, {"range": {"start": start, "end": start}, "text": "A line\n\n## "})
        for line, shown in ((6 + 2 * (version - 2), "**A Study of Subject 0 in Area"), (2, "**A line**")):
            hover = editor.ask("hover", position={"line": line, "character": 6})
            assert hover["contents"]["value"].startswith(shown)
        symbols = editor.ask("documentSymbol")
        # An outline is that of the current text.
        assert len(symbols[0]["children"]) == 120 + version - 1
        assert symbols[0]["range"]["end"]["line"] == last + 2 * (version - 1)
        client.published(editor.uri, version)


def test_a_burst_of_changes_and_requests(own_editor: Editor) -> None:
    random, text = Random(7), A
    numbers = []
    for version in range(2, 60):
        line = random.randrange(text.count("\n"))
        start = {"line": line, "character": 0}
        new = random.choice(["x", "## New\n\n", "[a](#tools)\n", "😀"])
        own_editor.client.change(
            own_editor.uri, version, {"range": {"start": start, "end": start}, "text": new}
        )
        lines = text.split("\n")
        lines[line] = new + lines[line]
        text = "\n".join(lines)
        where = {
            "textDocument": {"uri": own_editor.uri},
            "position": {"line": random.randrange(60), "character": 3},
        }
        numbers += [
            own_editor.client.ask(f"textDocument/{method}", **where)
            for method in ("hover", "documentSymbol", "definition", "completion")
        ]
    # Changes of an older version are left out, and harm nothing.
    own_editor.client.change(own_editor.uri, 3, {"text": "gone"})
    for number in numbers:
        assert "error" not in own_editor.client.answer(number)
    own_editor.client.published(own_editor.uri, 59)
    own_editor.text = text
    found = [symbol["name"] for symbol in own_editor.ask("documentSymbol")]
    assert found and "gone" not in found


@pytest.mark.parametrize("with_git", [True, False])
def test_no_edit_leaves_the_work_tree(own_editor: Editor, with_git: bool) -> None:
    """A symbolic link may lead to a file elsewhere, which has links to the section too."""
    folder = own_editor.folder
    away = folder.parent / f"away-{folder.name}"
    away.mkdir()
    (away / "c.md").write_text("[out](a.md#tools) [up](../a.md#tools)\n")
    (folder / "c.md").symlink_to(away / "c.md")
    (folder / "inside").symlink_to(away)
    if with_git:
        git("init", "--quiet", str(folder))
        git("-C", str(folder), "add", "--all")
    edit = own_editor.ask("rename", "## Tool", newName="Programs")
    paths = [Path(unquote(urlsplit(each["textDocument"]["uri"]).path)) for each in edit["documentChanges"]]
    assert {path.name for path in paths} >= {"a.md", "b.md"}
    assert [path for path in paths if not path.resolve().is_relative_to(folder.resolve())] == []
