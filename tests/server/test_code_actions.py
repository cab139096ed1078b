"""Code actions: fixes as `shelfread fix` makes them, and comments that ignore a finding where it is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import cmarkgfm
import pytest
from click.testing import CliRunner

from shelfread.cli import group
from support.language_client import LanguageClient, ServerOf, edited

LIST = """\
# Awesome Shelves

## Tools

- [Foo](http://dx.doi.org/10.1145/3302424.3303953) - 中文 😀 finds books.
- 😀 [Bar]() - Sorts books.
- [Baz](https://baz.example/?utm_source=x) - Counts books.
- [Qux](http://dx.doi.org/10.1145/3341301.3359653) - Lends books.
"""


def fixed(folder: Path, text: str, *options: str) -> str:
    """Return what `shelfread fix` makes of a list."""
    words = ["fix", "-", "--stdin-filename", str(folder / "list.md"), *options]
    return CliRunner().invoke(group, words, input=text.encode()).stdout_bytes.decode()


def found_in(folder: Path, text: str) -> str:
    words = ["check", "-", "--stdin-filename", str(folder / "list.md"), "--output-format", "concise"]
    return CliRunner().invoke(group, words, input=text.encode()).stdout


def applied(client: LanguageClient, uri: str, text: str, action: dict[str, Any]) -> str:
    """Return the text of a document after an action, whose edit is asked for if it has none."""
    if "edit" not in action:
        action = client.request("codeAction/resolve", **action)
    changes = action["edit"].get("changes") or {
        change["textDocument"]["uri"]: change["edits"] for change in action["edit"]["documentChanges"]
    }
    return edited(text, changes[uri])


@pytest.mark.parametrize("resolves", [False, True], ids=["at once", "resolved"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_fixes_of_one_finding_of_a_rule_and_of_all(
    server_of: ServerOf, tmp_path: Path, resolves: bool, newline: str
) -> None:
    client = server_of("utf-16", resolves)
    with client.working_in(tmp_path):
        apply_actions(client, LIST.replace("\n", newline))


def apply_actions(client: LanguageClient, text: str) -> None:
    uri = client.open(client.folder / "list.md", text)
    one = client.actions(uri, 4, 4)
    assert {title: (action["kind"], action.get("isPreferred")) for title, action in one.items()} == {
        "Fix: https://doi.org/10.1145/3302424.3303953": ("quickfix", True),
        "paper/doi-form: fix all (2)": ("quickfix", None),
        "paper/doi-form: ignore on this line": ("quickfix", None),
        "paper/doi-form: ignore in this file": ("quickfix", None),
        "Fix all problems with a safe fix (3)": ("source.fixAll.shelfread", None),
    }
    first, rule, _, _, every = one.values()
    assert applied(client, uri, text, first) == text.replace(
        "http://dx.doi.org/10.1145/33024", "https://doi.org/10.1145/33024"
    )
    assert applied(client, uri, text, rule) == fixed(client.folder, text, "--select", "paper/doi-form")
    assert applied(client, uri, text, every) == fixed(client.folder, text) != text
    assert [each["code"] for each in first["diagnostics"]] == ["paper/doi-form"]


def test_clients_choose_kinds(client: LanguageClient) -> None:
    uri = client.open(client.folder / "list.md", LIST)
    assert {each["kind"] for each in client.actions(uri, only=["source.fixAll"]).values()} == {
        "source.fixAll.shelfread"
    }
    assert {each["kind"] for each in client.actions(uri, only=["quickfix"]).values()} == {"quickfix"}
    assert client.actions(uri, only=["refactor", "source.fixAll.other"]) == {}
    assert client.actions("file:///not/open.md") == {}


def test_an_unsafe_fix_says_so_and_is_not_preferred(client: LanguageClient) -> None:
    text = "# A\n\n- [a](https://a.example) - B.\n- [a](https://a.example) - B.\n"
    uri = client.open(client.folder / "list.md", text)
    (action,) = (each for title, each in client.actions(uri).items() if title.startswith("Unsafe fix: "))
    assert action.get("isPreferred") is None
    assert applied(client, uri, text, action) == fixed(client.folder, text, "--unsafe-fixes")


def test_an_action_for_an_older_text_is_refused(client: LanguageClient) -> None:
    uri = client.open(client.folder / "list.md", LIST)
    action = next(iter(client.actions(uri, 4, 4).values()))
    client.change(uri, 2, {"text": LIST.replace("Foo", "Fool")})
    assert client.error("codeAction/resolve", **action)["code"] == -32801
    client.notify("textDocument/didClose", textDocument={"uri": uri})
    assert client.error("codeAction/resolve", **action)["code"] == -32602
    assert client.error("codeAction/resolve", title="x", data={"deed": 1})["code"] == -32602


WORDS = "Filters Schedules Neurons Layers Heads Speech Graphs Rankers Trees"


def test_an_entry_moves_to_the_sections_in_which_it_fits_best(client: LanguageClient) -> None:
    lists = {
        title: [
            f"- [{verb} {word}](https://example.com/{verb}{word}) - {verb} it.\n" for word in WORDS.split()
        ]
        for title, verb in (("Pruning", "Pruning"), ("Teachers", "Distilling"), ("Rounding", "Rounding"))
    }
    stray = "- [Distilling Twice](https://example.com/twice) - Distilling again.\n"

    def text_of(lists: dict[str, list[str]]) -> str:
        return "# A\n" + "".join(f"\n## {title}\n\n{''.join(lines)}" for title, lines in lists.items())

    text = text_of({**lists, "Pruning": [stray, *lists["Pruning"]]})
    uri = client.open(client.folder / "list.md", text)
    row = text[: text.index(stray)].count("\n")
    moves = client.actions(uri, row, row, ["refactor"])
    assert [title.partition(" (")[0] for title in moves] == ["Move to 'Teachers'", "Move to 'Rounding'"]
    after = applied(client, uri, text, next(iter(moves.values())))
    assert after == text_of({**lists, "Teachers": [*lists["Teachers"], stray]})
    assert client.actions(uri, only=["refactor"]) == {}, "several entries do not move"
    automatic = {"diagnostics": [], "triggerKind": 2}
    place = {"line": row, "character": 4}
    asked = {"textDocument": {"uri": uri}, "range": {"start": place, "end": place}, "context": automatic}
    kinds = {action["kind"] for action in client.request("textDocument/codeAction", **asked)}
    assert "refactor.move" not in kinds, "an editor that asks at every place would mark each entry"


PLACES = {
    "list item": ("# A\n\n## B\n\n- [a]() - B.\n- [c](https://c.example) - D.\n", "disable-line"),
    "nested item": ("# A\n\n- B\n  - [a]() - B.\n  - [c](https://c.example) - D.\n", "disable-line"),
    "loose list": ("# A\n\n- [a]() - B.\n\n- [c](https://c.example) - D.\n", "disable-line"),
    "last line": ("# A\n\n- [a]() - B.", "disable-line"),
    "hard break": ("# A\n\n- [a]() - B.  \n  More.\n", "disable-line"),
    "backslash break": ("# A\n\n- [a]() - B.\\\n  More.\n", "disable-line"),
    "table": ("# A\n\n| n | d |\n|---|---|\n| [a]() | B |\n| [c](https://c.example) | D |\n", "disable-line"),
    "open table": ("# A\n\nn | d\n---|---\n[a]() | B\n[c](https://c.example) | D\n", "disable-line"),
    "heading": ("# A\n\n## [a]()\n\n- [c](https://c.example) - D.\n", "disable-next-line"),
    "underlined heading": ("# A\n\n[a]()\n---\n\n- [c](https://c.example) - D.\n", "disable-next-line"),
    "quote": ("# A\n\n> [a]() - B.\n> More.\n", "disable-line"),
    "HTML": ('# A\n\n<p>\n<a href="">a</a>\n</p>\n\n- [c](https://c.example) - D.\n', "disable-line"),
    "tag of two lines": ('# A\n\n<a\n  href="">a</a>\n\n- [c](https://c.example) - D.\n', "disable-"),
    "CRLF": ("# A\r\n\r\n## [a]()\r\n\r\n- [c](https://c.example) - D.\r\n", "disable-next-line"),
    "a comment is there": (
        "# A\n\n- [a]() [c](https://c.example/?utm_source=x) <!-- shelfread-disable-line link/tracking -->\n",
        "link/tracking link/empty",
    ),
}


@pytest.mark.parametrize("place", PLACES)
def test_a_comment_ignores_a_finding_and_changes_nothing_else(client: LanguageClient, place: str) -> None:
    text, form = PLACES[place]
    uri = client.open(client.folder / place / "list.md", text)
    assert "link/empty" in found_in(client.folder, text)
    actions = client.actions(uri)
    for scope in ("on this line", "in this file"):
        after = applied(client, uri, text, actions[f"link/empty: ignore {scope}"])
        before_and_after = [found_in(client.folder, each).splitlines() for each in (text, after)]
        assert [len(found) for found in before_and_after] == [1, 0], (
            "the finding is gone, and there is no other"
        )
        pages = [
            re.sub("<!--.*?-->", "", cmarkgfm.github_flavored_markdown_to_html(each))
            for each in (text, after)
        ]
        assert len({"".join(page.split()) for page in pages}) == 1, "the page is the same"
        assert (form if scope == "on this line" else "disable-file") in after


def test_a_list_is_not_split_by_a_comment(client: LanguageClient) -> None:
    text = PLACES["list item"][0]
    uri = client.open(client.folder / "list.md", text)
    after = applied(client, uri, text, client.actions(uri)["link/empty: ignore on this line"])
    assert after.splitlines()[4:6] == [
        "- [a]() - B. <!-- shelfread-disable-line link/empty -->",
        "- [c](https://c.example) - D.",
    ]
