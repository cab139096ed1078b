"""Reads files into documents and facts."""

from __future__ import annotations

from collections.abc import Iterable

from shelfread.core.errors import UserError
from shelfread.core.source import Source, read_bytes
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.engine.model import LoadedProject, RunRequest
from shelfread.index.facts import Facts, facts
from shelfread.taxonomy.vocabulary import Vocabulary


def read_document(path: str, vocabulary: Vocabulary, data: bytes | None = None) -> Document:
    """Return the document in a file, or in `data`; raises InputError if it is not text, or too large."""
    return read(Source.from_bytes(read_bytes(path) if data is None else data, path), vocabulary)


def load_files(request: RunRequest, reported: Iterable[str], others: Iterable[str]) -> LoadedProject:
    """Read files, and the base versions of changed ones; documents are kept only of reported files."""
    loaded = LoadedProject({}, {}, {}, {}, {}, {})
    vocabulary = request.taxonomy.vocabulary
    for paths, keep in ((reported, True), (others, False)):
        for path in paths:
            document = None
            try:
                document = read_document(path, vocabulary, request.unsaved.get(path))
            except UserError as error:
                loaded.errors[path] = error
            else:
                loaded.facts[path] = facts(document)
                if keep:
                    loaded.documents[path] = document
            before = request.base.changed.get(path) if request.base is not None else None
            if before is None:
                continue
            from shelfread.engine.base_part import read_part

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


def load_deleted(request: RunRequest) -> dict[str, Facts]:
    """Return the facts of files that were deleted since the base commit, by path."""
    vocabulary = request.taxonomy.vocabulary
    deleted = request.base.deleted if request.base is not None else ()
    return {file.path: facts(read(Source(file.text, file.path), vocabulary)) for file in deleted}
