"""Bad input and bad order: the client gets an error, the server lives on, and its exit status says how it ended."""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path

import pytest

from support.language_client import LanguageClient

LIST = "# A\n\n- [a]() - B.\n"


def test_requests_that_nobody_can_answer_get_an_error(client: LanguageClient) -> None:
    assert client.error("shelfread/nonsense")["code"] == -32601
    assert client.error("textDocument/formatting", textDocument=3)["code"] == -32602
    assert client.error("textDocument/formatting")["code"] == -32602
    assert client.error("workspace/executeCommand", command="rm")["code"] == -32602
    client.notify("shelfread/nonsense")
    client.notify("textDocument/didChange", textDocument=[], contentChanges=3)
    client.notify("textDocument/didClose", textDocument={"uri": "file:///never/open.md"})
    client.notify("$/cancelRequest", id=999)
    uri = client.open(client.folder / "list.md", LIST)
    assert len(client.published(uri, 1)) == 1


@pytest.mark.parametrize(
    "body",
    [b"{", b"[]", b"3", b"null", b'"text"', b"\xff\xfe", b'{"jsonrpc": "1.0", "id": 1}', b'{"jsonrpc": "2.0"}',
     b'{"jsonrpc": "2.0", "id": 5, "result": {}}', b'{"jsonrpc": "2.0", "id": 5, "error": {}}',
     b'{"jsonrpc": "2.0", "method": 3}', b'{"jsonrpc": "2.0", "id": {}, "method": "x"}', b"[" * 100_000],
    ids=range(13),
)  # fmt: skip
def test_messages_that_are_none_end_nothing(client: LanguageClient, body: bytes) -> None:
    client.send_bytes(body)
    client.send_bytes(b"", b"Content-Length: nonsense\r\n\r\n")
    assert client.error("shelfread/nonsense")["code"] == -32601


def test_positions_beyond_the_end_are_the_end(client: LanguageClient) -> None:
    uri = client.open(client.folder / "end" / "list.md", LIST)
    far = {"line": 10_000, "character": 10_000}
    client.change(uri, 2, {"range": {"start": far, "end": far}, "text": "- [b]() - C.\n"})
    assert [each["range"]["start"]["line"] for each in client.published(uri, 2)] == [2, 3]
    assert client.actions(uri, 5_000, 10_000, ["quickfix"]) == {}
    assert len(client.actions(uri, 3, 10_000, ["quickfix"])) == 2
    negative = {"start": {"line": -1, "character": 0}, "end": {"line": 0, "character": 0}}
    client.change(uri, 3, {"range": negative, "text": "x"})
    client.change(uri, 4, {"text": LIST})
    assert len(client.published(uri, 4)) == 1


@pytest.mark.parametrize(
    "uri", ["", "list.md", "file://[", "file:///a%00b.md", "file:///a%ffb.md", "http://a/b.md", "file:///"]
)
def test_addresses_that_are_no_files_are_documents_all_the_same(client: LanguageClient, uri: str) -> None:
    client.open(uri, LIST)
    assert len(client.published(uri, 1)) == 1
    client.notify("textDocument/didClose", textDocument={"uri": uri})
    client.wait(lambda: client.diagnostics[uri]["diagnostics"] == [])


def test_lone_surrogates_do_no_harm(client: LanguageClient) -> None:
    uri = client.open(client.folder / "odd" / "list.md", "# A \ud800\n\n- [a]() - \udc00B.\n")
    found = [(each["code"], each["range"]["start"]) for each in client.published(uri, 1)]
    assert found == [
        ("text/encoding", {"line": 0, "character": 4}),
        ("link/empty", {"line": 2, "character": 2}),
        ("text/encoding", {"line": 2, "character": 10}),
    ]


def test_other_files_that_cannot_be_read_are_left_out(client: LanguageClient) -> None:
    folder = client.folder / "bad"
    folder.mkdir()
    (folder / ".shelfread.yaml").write_text("")
    (folder / "latin.md").write_bytes(b"# \xe4\n")
    uri = client.open(folder / "list.md", LIST)
    assert len(client.published(uri, 1)) == 1


@pytest.mark.slow
@pytest.mark.parametrize("end", ["exit", "end of input"])
def test_an_end_without_a_shutdown_is_an_error(tmp_path: Path, end: str) -> None:
    client = LanguageClient(tmp_path)
    try:
        client.initialize()
        if end == "end of input":
            assert client.process.stdin is not None
            client.process.stdin.close()
            assert client.process.wait(60) == 1
        else:
            assert client.exit() == 1
        assert client.process.stderr is not None and client.process.stderr.read() == b""
    finally:
        client.close()


def test_a_cancelled_request_is_answered_at_once(client: LanguageClient) -> None:
    text = "# A\n\n" + "".join(f"- [a{n}](https://a.example/{n}) - B {n}.\n" for n in range(4_000))
    uri = client.open(client.folder / "list.md", text)
    where = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
    number = client.ask(
        "textDocument/codeAction", textDocument={"uri": uri}, range=where, context={"diagnostics": []}
    )
    client.notify("$/cancelRequest", id=number)
    assert client.answer(number)["error"]["code"] == -32800
    assert uri not in client.diagnostics
    client.published(uri, 1)


def test_a_document_that_is_closed_while_it_is_analysed_has_no_diagnostics(client: LanguageClient) -> None:
    text = LIST + "".join(f"- [a{n}]() - B {n}.\n" for n in range(2_000))
    uri = client.open(client.folder / "list.md", text)
    where = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
    number = client.ask(
        "textDocument/codeAction", textDocument={"uri": uri}, range=where, context={"diagnostics": []}
    )
    client.notify("textDocument/didClose", textDocument={"uri": uri})
    assert client.answer(number)["result"] == []
    other = client.open(client.folder / "other.md", LIST)
    assert len(client.published(other, 1)) == 1
    assert client.published(uri) == []


def test_files_are_never_written(client: LanguageClient) -> None:
    path = client.folder / "list.md"
    path.write_text(LIST)
    uri = client.open(path, "#  A\n\n- [a](http://dx.doi.org/10.1145/3302424.3303953) - B.\n")
    assert len(client.actions(uri)) >= 4
    assert path.read_text() == LIST
    assert [each.name for each in client.folder.iterdir()] == ["list.md"]


def test_the_messages_are_plain_json(client: LanguageClient) -> None:
    """So that every client can read them, whatever its encoding."""
    uri = client.open(client.folder / "list.md", "# A\n\n- [中 😀]() - B.\n")
    assert json.dumps(client.published(uri, 1)).isascii()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_server_at_once(own_client: LanguageClient, number: signal.Signals) -> None:
    own_client.initialize()
    uri = own_client.open(own_client.folder / "list.md", LIST)
    own_client.published(uri, 1)
    own_client.process.send_signal(number)
    assert own_client.process.wait(60) == -number
