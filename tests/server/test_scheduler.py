"""While a list is read or analysed, requests are answered, and a newer text ends what is done for an older one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from lsprotocol import types as lsp

from shelfread.core.source import Source
from shelfread.engine.model import RunRequest
from shelfread.server import analysis, scheduler
from shelfread.server.open_projects import ServerOptions
from shelfread.server.session import Session

pytestmark = pytest.mark.slow

SECONDS = 60
LIST = "# A\n\n## B\n\n- [a]() - B.\n"


class Gate:
    """Stops the calls of a function with an argument that is slow until it is opened, and counts these calls."""

    def __init__(self, function: Callable[..., Any], is_slow: Callable[[Any], bool]) -> None:
        self._function, self._is_slow = function, is_slow
        self.reached, self.opened, self.calls = Event(), Event(), 0

    def __call__(self, *args: Any) -> Any:
        if any(map(self._is_slow, args)):
            self.calls += 1
            self.reached.set()
            assert self.opened.wait(SECONDS)
        return self._function(*args)

    async def wait(self) -> None:
        """Wait until a call has come so far."""
        assert await asyncio.to_thread(self.reached.wait, SECONDS)


def reads(words: str) -> Callable[[Any], bool]:
    """Return whether an argument is a source with some words."""
    return lambda argument: isinstance(argument, Source) and words in argument.text


def checks(path: str) -> Callable[[Any], bool]:
    """Return whether an argument is a request to report a file."""
    return lambda argument: isinstance(argument, RunRequest) and path in argument.reported


class Editor:
    """A session, and the versions of what it published, by the name of the file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.published: dict[str, list[int]] = {}
        self.errors: list[Exception] = []
        self.session = Session(self._publish, self.errors.append)

    def _publish(self, outcome: scheduler.Outcome) -> None:
        for opened in outcome.documents:
            self.published.setdefault(Path(opened.path).name, []).append(opened.version)

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def open(self, name: str, text: str = LIST) -> str:
        self.session.open(lsp.TextDocumentItem(self.uri(name), "markdown", 1, text))
        return self.uri(name)

    def change(self, name: str, version: int, text: str) -> None:
        document = lsp.VersionedTextDocumentIdentifier(version, self.uri(name))
        change = lsp.TextDocumentContentChangeWholeDocument(text)
        assert self.session.change(lsp.DidChangeTextDocumentParams(document, [change]))


@pytest.fixture
def edit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Callable[[Editor], Awaitable[None]]], None]:
    """Runs what an editor does with a session of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(scheduler, "DEBOUNCE", 0)

    def run(deeds: Callable[[Editor], Awaitable[None]]) -> None:
        async def session() -> None:
            editor = Editor(tmp_path)
            editor.session.scheduler.start(ServerOptions())
            try:
                await asyncio.wait_for(deeds(editor), SECONDS)
            finally:
                editor.session.scheduler.shut_down()
            assert editor.errors == []

        asyncio.run(session())

    return run


Edit = Callable[[Callable[[Editor], Awaitable[None]]], None]


@pytest.mark.parametrize(("step", "is_slow"), [("read", reads("Large")), ("Diagnoser", checks("large.md"))])
def test_no_request_waits_for_another_list(
    edit: Edit, monkeypatch: pytest.MonkeyPatch, step: str, is_slow: Callable[[Any], bool]
) -> None:
    gate = Gate(getattr(analysis, step), is_slow)
    monkeypatch.setattr(analysis, step, gate)

    async def deeds(editor: Editor) -> None:
        large = editor.open("large.md", "# Large\n")
        await gate.wait()
        view = await editor.session.analysed_view(editor.open("small.md"))
        assert view is not None and view.is_analysed
        assert editor.published == {"small.md": [1]}
        gate.opened.set()
        assert await editor.session.analysed_view(large) is not None
        assert editor.published == {"small.md": [1], "large.md": [1]}

    edit(deeds)


def test_the_last_analysis_answers_while_a_newer_text_is_read(
    edit: Edit, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate(analysis.read, reads("newer"))
    large = LIST + "\nA line of a paragraph.\n" * 5000

    async def deeds(editor: Editor) -> None:
        uri = editor.open("list.md", large)
        first = await editor.session.analysed_view(uri)
        monkeypatch.setattr(analysis, "read", gate)
        editor.change("list.md", 2, f"{large}\nnewer\n")
        await gate.wait()
        view = await editor.session.last_view(uri)
        assert first is not None and view is not None and view.document is first.document
        gate.opened.set()
        view = await editor.session.current_view(uri)
        assert view is not None and view.opened.version == 2

    edit(deeds)


def test_a_newer_text_ends_the_analysis_of_an_older_one(edit: Edit, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate(analysis.Diagnoser, checks("list.md"))
    monkeypatch.setattr(analysis, "Diagnoser", gate)

    async def deeds(editor: Editor) -> None:
        uri = editor.open("list.md")
        await gate.wait()
        editor.change("list.md", 2, "# A\n")
        gate.opened.set()
        view = await editor.session.analysed_view(uri)
        assert view is not None and view.opened.version == 2
        assert editor.published == {"list.md": [2]} and gate.calls == 2

    edit(deeds)


def test_of_the_texts_that_come_during_a_reading_only_the_newest_is_read(
    edit: Edit, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate(analysis.read, reads("newer"))

    async def deeds(editor: Editor) -> None:
        uri = editor.open("list.md")
        await editor.session.analysed_view(uri)
        monkeypatch.setattr(analysis, "read", gate)
        views = []
        for version in range(2, 12):
            editor.change("list.md", version, f"{LIST}\nnewer {version}\n")
            views.append(asyncio.ensure_future(editor.session.current_view(uri)))
            await gate.wait()
        gate.opened.set()
        for view in await asyncio.gather(*views):
            assert view is not None and view.opened.version in (2, 11)
        assert await editor.session.analysed_view(uri) is not None
        assert editor.published == {"list.md": [1, 11]} and gate.calls == 2

    edit(deeds)
