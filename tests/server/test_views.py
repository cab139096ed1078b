"""What requests are answered with while an analysis is running."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from shelfread.server import views
from shelfread.server.analysis import analyse
from shelfread.server.documents import Snapshot
from shelfread.server.projects import KnownFacts, ProjectSettings, ServerOptions, find_settings
from shelfread.server.readings import read_snapshot
from shelfread.server.scheduler import DocumentAnalysis
from shelfread.server.session import Session
from shelfread.server.views import View, Views

SHORT = "# List\n\n## One\n\nwords\n"
LONG = SHORT + "\nMore words.\n" * 20


class BusySession(Session):
    """A session whose analyses are never done, but for one before."""

    known: DocumentAnalysis | None = None

    def last_analysis(self, uri: str) -> DocumentAnalysis | None:
        return self.known


Ask = Callable[[Views], Awaitable["View | None"]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(views, "_QUICK", len(SHORT))
    return tmp_path


def ask(folder: Path, before: str, after: str, question: Ask) -> View | None:
    """Return what is answered about a list that changed after its analysis, and is never analysed again."""

    async def run() -> View | None:
        session = BusySession(lambda outcome: None, lambda error: None)  # it is not started
        uri = (folder / "list.md").as_uri()
        session.open(lsp.TextDocumentItem(uri, "markdown", 1, before))
        document = session.documents[uri]
        settings = find_settings(uri, document.path, True, ServerOptions())
        assert isinstance(settings, ProjectSettings)
        snapshot = Snapshot(document)
        reading = read_snapshot(snapshot, settings.request.taxonomy.vocabulary)
        analysis = analyse(settings, {snapshot.path: reading}, {}, KnownFacts(), lambda: None)
        session.known = DocumentAnalysis(analysis, snapshot)
        document.change(2, [lsp.TextDocumentContentChangeWholeDocument(after)], "utf-16")
        try:
            return await asyncio.wait_for(question(Views(session)), 60)
        finally:
            session.shut_down()

    return asyncio.run(run())


def found_at(line: int, folder: Path) -> Ask:
    return lambda views: views.find((folder / "list.md").as_uri(), line)


def text_of(view: View | None) -> str:
    assert view is not None
    return view.document.source.text


def test_a_short_text_is_read_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "_PATIENCE", 60)
    view = ask(folder, SHORT, SHORT.replace("One", "Two"), found_at(4, folder))
    assert view is not None and view.version == 2 and not view.is_analysed
    assert [landmark.text for landmark in view.context.project.facts["list.md"].landmarks] == ["List", "Two"]


def test_a_reading_that_takes_long_is_not_waited_for(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "_PATIENCE", 0)
    view = ask(folder, SHORT, SHORT.replace("One", "Two"), found_at(4, folder))
    assert text_of(view) == SHORT


def test_a_long_text_is_not_read_again_for_a_line_that_stayed(folder: Path) -> None:
    view = ask(folder, LONG, LONG.replace("One", "Two"), found_at(4, folder))
    assert text_of(view) == LONG
    assert view is not None and view.version == 1 and view.is_analysed


@pytest.mark.parametrize("line", [2, 9_999])
def test_a_line_that_changed_is_waited_for(line: int, folder: Path) -> None:
    after = LONG.replace("One", "Two") + "\n" * (line if line > 2 else 0)
    assert text_of(ask(folder, LONG, after, found_at(line, folder))) == after


def test_what_is_about_a_whole_list_is_about_its_current_text(folder: Path) -> None:
    uri, after = (folder / "list.md").as_uri(), LONG.replace("One", "Two")
    assert text_of(ask(folder, LONG, after, lambda views: views.read(uri))) == after
    assert text_of(ask(folder, LONG, after, lambda views: views.last(uri))) == LONG


def test_a_text_that_cannot_be_read_has_the_answers_of_the_last_one(folder: Path) -> None:
    uri = (folder / "list.md").as_uri()
    assert text_of(ask(folder, SHORT, "a\0b", lambda views: views.read(uri))) == SHORT
