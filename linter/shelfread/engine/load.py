"""Reads files into documents and facts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from shelfread.core.errors import UserError
from shelfread.core.source import Source, read_bytes
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.index.facts import Facts, facts
from shelfread.taxonomy.vocabulary import Vocabulary

if TYPE_CHECKING:
    from shelfread.project.history import BaseRevision


class LoadedFiles(NamedTuple):
    """Files that were read, by path: documents of those that are reported, facts of all, and errors."""

    documents: dict[str, Document]
    facts: dict[str, Facts]
    errors: dict[str, UserError]
    base_documents: dict[str, Document]  # the changed files at the base commit, by their current path
    # the facts of changed and deleted files at the base commit, by their path there.
    base_facts: dict[str, Facts]


def read_document(path: str, vocabulary: Vocabulary, data: bytes | None = None) -> Document:
    """Return the document in a file, or in `data`; raises InputError if it is not text, or too large."""
    return read(Source.from_bytes(read_bytes(path) if data is None else data, path), vocabulary)


def load_files(
    reported: Iterable[str],
    others: Iterable[str],
    vocabulary: Vocabulary,
    unsaved: Mapping[str, bytes] = {},
    base: BaseRevision | None = None,
) -> LoadedFiles:
    """Read files, and the base versions of changed ones; documents are kept only of reported files.

    `unsaved` are contents that replace those of files, by path.
    """
    loaded = LoadedFiles({}, {}, {}, {}, {})
    for paths, is_reported in ((reported, True), (others, False)):
        for path in paths:
            try:
                document = read_document(path, vocabulary, unsaved.get(path))
            except UserError as error:
                loaded.errors[path] = error
            else:
                loaded.facts[path] = facts(document)
                if is_reported:
                    loaded.documents[path] = document
            before = None if base is None else base.changed.get(path)
            if before is not None:
                document = read(Source(before.text, before.path), vocabulary)
                loaded.base_facts[before.path] = facts(document)
                if is_reported:
                    loaded.base_documents[path] = document
    return loaded


def load_deleted(base: BaseRevision | None, vocabulary: Vocabulary) -> dict[str, Facts]:
    """Return the facts of files that were deleted since the base commit, by path."""
    deleted = base.deleted if base is not None else ()
    return {file.path: facts(read(Source(file.text, file.path), vocabulary)) for file in deleted}
