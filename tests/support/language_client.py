"""A language client: the server as a process, and what it said."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, Queue
from typing import Any, Protocol

from support.docs import PAGES, fences

UNITS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
CAPABILITIES: dict[str, Any] = {
    "workspace": {"workspaceEdit": {"documentChanges": True}},
    "textDocument": {
        "codeAction": {"dataSupport": True, "resolveSupport": {"properties": ["edit"]}},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "rename": {"prepareSupport": True},
        "completion": {"completionItem": {"snippetSupport": True}},
        "hover": {"contentFormat": ["markdown", "plaintext"]},
    },
}
"""Those of most clients. The edit of an action is asked for when it is chosen."""
SECONDS = 60.0
"""How long the next message is waited for."""


class LanguageClient:
    """Speaks JSON-RPC with a server process; nothing between the test and the bytes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, "-m", "shelfread", "server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        self.messages: list[dict[str, Any]] = []
        """All that the server said that was no answer, in order."""
        self.diagnostics: dict[str, dict[str, Any]] = {}
        """The last diagnostics by URI, with their version."""
        self._queue: Queue[dict[str, Any] | None] = Queue()
        self._answers: dict[int, dict[str, Any]] = {}
        self._id = 0
        self._opened: set[str] = set()
        threading.Thread(target=self._read, daemon=True).start()

    def initialize(self, capabilities: dict[str, Any] | None = None, **params: Any) -> dict[str, Any]:
        """Begin the session, by default with the client's folder as the only one of the workspace."""
        folders = [{"uri": self.folder.as_uri(), "name": "lists"}]
        given = {"processId": None, "rootUri": None, "workspaceFolders": folders, **params}
        result: dict[str, Any] = self.request("initialize", capabilities=capabilities or {}, **given)
        self.notify("initialized")
        self.capabilities = result["capabilities"]
        return result

    @contextmanager
    def working_in(self, folder: Path) -> Iterator[None]:
        """Have a folder in the block, and close the documents that were opened in it; what was said before is gone."""
        before, opened, self.folder = self.folder, self._opened, folder
        self._opened = set()
        self.messages.clear()
        self.diagnostics.clear()
        try:
            yield
        finally:
            for uri in self._opened:
                self.notify("textDocument/didClose", textDocument={"uri": uri})
            self.folder, self._opened = before, opened

    def open(self, path: Path | str, text: str, version: int = 1, language: str = "markdown") -> str:
        """Open a document, a file or a URI; return its URI."""
        uri = path if isinstance(path, str) else path.as_uri()
        item = {"uri": uri, "languageId": language, "version": version, "text": text}
        self.notify("textDocument/didOpen", textDocument=item)
        self._opened.add(uri)
        return uri

    def actions(
        self, uri: str, first: int = 0, last: int = 10_000, only: list[str] | None = None
    ) -> dict[str, dict[str, Any]]:
        """Return the code actions for some lines, from 0, by title."""
        context = {"diagnostics": [], **({"only": only} if only else {})}
        range = {"start": {"line": first, "character": 0}, "end": {"line": last, "character": 10_000}}
        found = self.request(
            "textDocument/codeAction", textDocument={"uri": uri}, range=range, context=context
        )
        return {action["title"]: action for action in found}

    def change(self, uri: str, version: int, *changes: dict[str, Any]) -> None:
        """Change a document."""
        document = {"uri": uri, "version": version}
        self.notify("textDocument/didChange", textDocument=document, contentChanges=list(changes))

    def notify(self, method: str, **params: Any) -> None:
        """Send a notification."""
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def request(self, method: str, **params: Any) -> Any:
        """Return the result of a request; fails if it is an error."""
        answer = self.answer(self.ask(method, **params))
        assert "error" not in answer, answer
        return answer["result"]

    def error(self, method: str, **params: Any) -> dict[str, Any]:
        """Return the error of a request; fails if it succeeds."""
        answer = self.answer(self.ask(method, **params))
        assert "error" in answer, answer
        error: dict[str, Any] = answer["error"]
        return error

    def ask(self, method: str, **params: Any) -> int:
        """Send a request; return its number."""
        self._id += 1
        self.send({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params})
        return self._id

    def answer(self, number: int) -> dict[str, Any]:
        """Return the answer to a request."""
        self.wait(lambda: number in self._answers)
        return self._answers.pop(number)

    def published(self, uri: str, version: int | None = None) -> list[dict[str, Any]]:
        """Return the diagnostics of a document, those of a version if one is given."""
        self.wait(lambda: uri in self.diagnostics and version in (None, self.diagnostics[uri].get("version")))
        found: list[dict[str, Any]] = self.diagnostics[uri]["diagnostics"]
        return found

    def shown(self) -> list[str]:
        """Return the messages that the user was shown so far."""
        return [
            message["params"]["message"]
            for message in self.messages
            if message["method"] == "window/showMessage"
        ]

    def wait(self, condition: Callable[[], bool]) -> None:
        """Read messages until a condition holds."""
        while not condition():
            try:
                message = self._queue.get(timeout=SECONDS)
            except Empty:
                raise AssertionError(f"the server did not say it in time; it said {self.messages}") from None
            assert message is not None, self.process.stderr and self.process.stderr.read()
            self._take(message)

    def send(self, message: Any) -> None:
        """Send a message, whatever it is."""
        self.send_bytes(json.dumps(message).encode())

    def send_bytes(self, body: bytes, header: bytes | None = None) -> None:
        """Send bytes as the content of a message."""
        assert self.process.stdin is not None
        self.process.stdin.write((header or b"Content-Length: %d\r\n\r\n" % len(body)) + body)
        self.process.stdin.flush()

    def shut_down(self) -> int:
        """Shut the server down; return its exit status."""
        self.request("shutdown")
        return self.exit()

    def exit(self) -> int:
        """Let the server exit; return its exit status."""
        self.notify("exit")
        return self.process.wait(SECONDS)

    def close(self) -> None:
        """End the process, whatever state it is in."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()

    def _take(self, message: dict[str, Any]) -> None:
        if "method" not in message:
            if isinstance(message.get("id"), int):  # of a message that has another id nothing is asked
                self._answers[message["id"]] = message
            return
        self.messages.append(message)
        if message["method"] == "textDocument/publishDiagnostics":
            self.diagnostics[message["params"]["uri"]] = message["params"]
        elif "id" in message:
            self.send({"jsonrpc": "2.0", "id": message["id"], "result": None})

    def _read(self) -> None:
        for message in _messages(self.process.stdout):
            self._queue.put(message)
        self._queue.put(None)


class ServerOf(Protocol):
    """Returns the server that counts in an encoding, for a client with or without the usual capabilities."""

    def __call__(self, encoding: str, knows_more: bool = True) -> LanguageClient: ...


def _messages(stream: Any) -> Iterator[dict[str, Any]]:
    while True:
        length = 0
        try:
            while header := stream.readline().strip():
                name, _, value = header.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            body = stream.read(length) if length else b""
        except ValueError:  # the stream was closed
            return
        if not body:
            return
        yield json.loads(body)


def edited(text: str, edits: list[dict[str, Any]], encoding: str = "utf-16") -> str:
    """Return a text after the edits of a server, as an editor makes them: none of them overlap."""
    codec, size = UNITS[encoding]
    lines = re.split(r"(?<=\n)|(?<=\r)(?!\n)", text)

    def offset(position: dict[str, int]) -> int:
        line = lines[position["line"]] if position["line"] < len(lines) else ""
        before = line.encode(codec)[: position["character"] * size].decode(codec)
        assert "\n" not in before and "\r" not in before, f"{position} is behind its line"
        return sum(map(len, lines[: position["line"]])) + len(before)

    spans = sorted(
        (offset(edit["range"]["start"]), offset(edit["range"]["end"]), edit["newText"]) for edit in edits
    )
    parts, done = [], 0
    for start, end, new in spans:
        assert done <= start <= end, "edits overlap"
        parts += [text[done:start], new]
        done = end
    return "".join([*parts, text[done:]])


_FRAME = """
local function wait(condition, what)
  if not vim.wait(20000, condition, 50) then error('it did not come: ' .. what) end
end
local function test()
%s
end
local well, result = pcall(test)
if well then
  local file = io.open('result.json', 'w')
  file:write(vim.fn.json_encode(result))
  file:close()
else
  io.stderr:write(tostring(result))
end
vim.cmd('qa!')
"""


def run_neovim(folder: Path, file: str, script: str) -> Any:
    """Return what a script returns that Neovim runs after it opened a file of a folder.

    `wait(condition, what)` waits in the script.
    """
    (folder / ".git").mkdir()
    program = folder / "bin" / "shelfread"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m shelfread "$@"\n')
    program.chmod(0o755)
    (setup,) = (each for each in fences(PAGES["docs/editors.md"], "lua") if "FileType" in each)
    (folder / "init.lua").write_text(setup)
    (folder / "test.lua").write_text(_FRAME % script)
    environment = {
        **os.environ,
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(sys.path),
        **{f"XDG_{name}_HOME": str(folder / name) for name in ("CONFIG", "DATA", "STATE", "CACHE")},
    }
    command = ["nvim", "--headless", "-n", "-u", "init.lua", file, "-c", "luafile test.lua"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=200)
    assert (folder / "result.json").exists(), done.stderr
    return json.loads((folder / "result.json").read_text())
