"""Reads files into documents and facts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from shelfread.core.errors import UserError
from shelfread.core.source import Source, read_bytes
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.engine.base_part import read_part
from shelfread.engine.model import LoadedProject, RunRequest
from shelfread.index.facts import Facts, facts
from shelfread.taxonomy.vocabulary import Vocabulary

if TYPE_CHECKING:
    from shelfread.engine.results.recall import Shelf


def read_document(path: str, vocabulary: Vocabulary, data: bytes | None = None) -> Document:
    """Return the document in a file, or in `data`; raises InputError if it is not text, or too large."""
    return read(Source.from_bytes(read_bytes(path) if data is None else data, path), vocabulary)


def load_files(
    request: RunRequest, reported: Iterable[str], others: Iterable[str], shelf: Shelf | None = None
) -> LoadedProject:
    """Read files, and the base versions of changed ones; documents are kept only of reported files.

    What the `shelf` has is not read again.
    """
    loaded = LoadedProject({}, {}, {}, {}, {}, {}, {}, {})
    vocabulary = request.taxonomy.vocabulary
    for paths, keep in ((reported, True), (others, False)):
        for path in paths:
            before = request.base.changed.get(path) if request.base is not None else None
            document = None
            try:
                unsaved = request.unsaved.get(path)
                data = read_bytes(path) if unsaved is None else unsaved
                source = Source.from_bytes(data, path)
            except UserError as error:
                loaded.errors[path] = error
            else:
                if shelf is None or unsaved is not None or before is not None:
                    document = read(source, vocabulary)
                    loaded.facts[path] = facts(document)
                else:
                    document = _take(source, data, vocabulary, shelf, keep, loaded)
                if keep and document is not None:
                    loaded.documents[path] = document
            if before is None:
                continue
            source = Source(before.text, before.path)
            part = read_part(document, source, vocabulary) if document is not None else None
            if part is not None:
                loaded.base_facts[before.path] = part.base_facts(loaded.facts[path], before.path)
                if keep:
                    loaded.base_parts[path] = part
                continue
            document = read(source, vocabulary)
            loaded.base_facts[before.path] = facts(document)
            if keep:
                loaded.base_documents[path] = document
    return loaded


def _take(
    source: Source, data: bytes, vocabulary: Vocabulary, shelf: Shelf, keep: bool, loaded: LoadedProject
) -> Document | None:
    """Add the facts of a file, and what is known of its findings if there is a use for them, else return its document."""
    from shelfread.engine.results.recall import text_digest

    path = source.path or ""
    text = loaded.texts[path] = text_digest(data)
    known = shelf.facts(path, text)
    recalled = shelf.result(source, text) if keep and known is not None else None
    document = None
    if recalled is not None:
        loaded.recalled[path] = recalled
    elif known is None or keep:
        document = read(source, vocabulary)
    if known is None and document is not None:
        known = facts(document)
        shelf.keep_facts(text, known)
    if known is not None:
        loaded.facts[path] = known
    return document


def load_deleted(request: RunRequest) -> dict[str, Facts]:
    """Return the facts of files that were deleted since the base commit, by path."""
    vocabulary = request.taxonomy.vocabulary
    deleted = request.base.deleted if request.base is not None else ()
    return {file.path: facts(read(Source(file.text, file.path), vocabulary)) for file in deleted}
