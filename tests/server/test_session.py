"""What requests are answered with while an analysis is running."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from shelfread.server.analysis import analyse, read_opened
from shelfread.server.open_documents import open_document
from shelfread.server.open_projects import ProjectSettings, ServerOptions, find_all_settings, find_settings
from shelfread.server.scheduler import DocumentAnalysis
from shelfread.server.session import Session, View
from support.gitrepo import init

SHORT = "# List\n\n## One\n\nwords\n"
LONG = SHORT + "\nMore words.\n" * 20


Ask = Callable[[Session], Awaitable["View | None"]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def ask(folder: Path, before: str, after: str, question: Ask) -> View | None:
    """Return what is answered about a list that changed after its analysis, and is never analysed again."""

    async def run() -> View | None:
        session = Session(lambda outcome: None, lambda error: None)  # it is not started
        uri = (folder / "list.md").as_uri()
        session.open(lsp.TextDocumentItem(uri, "markdown", 1, before))
        document = session.documents[uri]
        settings = find_settings(document, ServerOptions())
        assert isinstance(settings, ProjectSettings)
        reading = read_opened(document, settings.request.taxonomy.vocabulary)
        analysis = analyse(settings, {document.path: reading}, {}, {}, lambda: None)
        session.scheduler.analyses[uri] = DocumentAnalysis(analysis, document)
        session.documents[uri] = document.changed(
            2, [lsp.TextDocumentContentChangeWholeDocument(after)], "utf-16"
        )
        try:
            return await asyncio.wait_for(question(session), 60)
        finally:
            session.scheduler.shut_down()

    return asyncio.run(run())


def text_of(view: View | None) -> str:
    assert view is not None
    return view.document.source.text


def test_a_request_is_about_the_current_text(folder: Path) -> None:
    uri, after = (folder / "list.md").as_uri(), LONG.replace("One", "Two")
    assert text_of(ask(folder, LONG, after, lambda session: session.current_view(uri))) == after
    assert text_of(ask(folder, LONG, after, lambda session: session.last_view(uri))) == LONG


def test_a_text_that_cannot_be_read_has_the_answers_of_the_last_one(folder: Path) -> None:
    uri = (folder / "list.md").as_uri()
    assert text_of(ask(folder, SHORT, "a\0b", lambda session: session.current_view(uri))) == SHORT


SETTINGS = {
    ".gitignore": "build/\n",
    ".gitattributes": "*.png binary\n",
    ".shelfread.yaml": "taxonomy: subjects.yaml\n",
    "subjects.yaml": "concepts:\n  tools: {prefLabel: Tools}\n",
}


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_hold_until_a_file_changes_that_they_depend_on(folder: Path, name: str) -> None:
    init(folder)
    (folder / "lists").mkdir()
    for file, text in {**SETTINGS, "lists/list.md": SHORT}.items():
        (folder / file).write_text(text)
    uri = (folder / "lists/list.md").as_uri()
    documents = [open_document(lsp.TextDocumentItem(uri, "markdown", 1, SHORT))]
    first = find_all_settings(documents, {}, ServerOptions())
    assert find_all_settings(documents, first, ServerOptions())[uri] is first[uri]
    with (folder / name).open("a") as stream:
        stream.write("# More\n")
    assert find_all_settings(documents, first, ServerOptions())[uri] is not first[uri]
