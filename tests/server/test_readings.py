"""An open text is read once for all who need it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from lsprotocol import types as lsp

from shelfread.core.source import Source
from shelfread.server.analysis import Reading, Readings
from shelfread.server.open_documents import OpenDocument, open_document
from shelfread.taxonomy.load import load

VOCABULARY = load(None).vocabulary


def opened(name: str, version: int = 1) -> OpenDocument:
    return open_document(
        lsp.TextDocumentItem(f"untitled:{name}", "markdown", version, f"# {name} {version}\n")
    )


def test_a_text_is_read_again_only_when_it_changed() -> None:
    documents = {document.uri: document for document in (opened("a"), opened("b"))}
    read: list[str] = []

    async def compute(function: Callable[[], Reading]) -> Reading:
        await asyncio.sleep(0)
        reading = function()
        read.append(reading.document.source.text.strip())
        return reading

    async def ask(readings: Readings, name: str) -> Source:
        _, reading = await readings.read(documents[f"untitled:{name}"], VOCABULARY)
        return reading.document.source

    async def run() -> None:
        readings = Readings(documents, compute)
        await asyncio.gather(ask(readings, "a"), ask(readings, "a"), ask(readings, "b"))
        await ask(readings, "a")
        assert sorted(read) == ["# a 1", "# b 1"]
        asking = asyncio.ensure_future(ask(readings, "a"))
        documents["untitled:a"] = opened("a", version=2)
        assert (await asking).text == "# a 2\n"
        await ask(readings, "b")
        assert read[2:] == ["# a 2"]

    asyncio.run(run())
