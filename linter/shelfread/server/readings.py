"""The texts of open documents as they were read last: a text is read once for all who need it, in a thread."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from shelfread.core.support.named_tuple import NamedTuple
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.index.facts import Facts, facts
from shelfread.server.documents import OpenDocument, Snapshot
from shelfread.taxonomy.vocabulary import Vocabulary


class Reading(NamedTuple):
    """An open text as a document, with its facts."""

    document: Document
    facts: Facts


class _Task(NamedTuple):
    """The reading of a text, perhaps one that is not done yet."""

    snapshot: Snapshot
    vocabulary: Vocabulary
    reading: asyncio.Task[Reading]


class Readings:
    """Reads the texts of open documents; all methods run on the event loop."""

    def __init__(
        self,
        documents: Mapping[str, OpenDocument],
        compute: Callable[[Callable[[], Reading]], Awaitable[Reading]],
    ) -> None:
        """`documents` are the open ones by URI; `compute` calls a function in a thread."""
        self._documents, self._compute = documents, compute
        self._last: dict[str, _Task] = {}

    async def read(self, document: OpenDocument, vocabulary: Vocabulary) -> tuple[Snapshot, Reading]:
        """Return the current text of a document and its reading; raises InputError if it cannot be read.

        Only one text of a document is read at a time, and then the newest, however fast it changes.
        """
        while True:
            last = self._last.get(document.uri)
            if last is not None and last.vocabulary is vocabulary and last.snapshot.is_current(document):
                return last.snapshot, await asyncio.shield(last.reading)
            if last is not None and not last.reading.done():
                await asyncio.wait([last.reading])
                continue
            self._last = {uri: known for uri, known in self._last.items() if uri in self._documents}
            snapshot = Snapshot(document)
            reading = asyncio.ensure_future(self._read(snapshot, vocabulary))
            reading.add_done_callback(_retrieve)
            self._last[document.uri] = _Task(snapshot, vocabulary, reading)

    async def _read(self, snapshot: Snapshot, vocabulary: Vocabulary) -> Reading:
        return await self._compute(lambda: read_snapshot(snapshot, vocabulary))


def read_snapshot(snapshot: Snapshot, vocabulary: Vocabulary) -> Reading:
    """Return the reading of a text; raises InputError if it is none, or too large."""
    document = read(snapshot.source(), vocabulary)
    return Reading(document, facts(document))


def _retrieve(reading: asyncio.Task[Reading]) -> None:
    """Take a task's exception, which nobody may wait for any more."""
    if not reading.cancelled():
        reading.exception()
