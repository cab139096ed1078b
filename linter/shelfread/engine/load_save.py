"""Reads the files of a project as documents with their facts, and writes those that were fixed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from shelfread.core.errors import UserError
from shelfread.core.source import Source, read_bytes
from shelfread.core.wording import counted
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.engine.model import RunResult
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
    """Read files, `unsaved` instead of theirs, and the base versions of changed ones; documents are kept of reported files."""
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


def save(result: RunResult, unsaved: Mapping[str, bytes] = {}) -> RunResult:
    """Write the fixed files, but not `unsaved` ones; return the result with an error for each that was not written."""
    from shelfread.core.file_writing import remove_leftovers

    errors = list(result.errors)
    files = []
    remarks: list[str] = []
    remove_leftovers(Path(file.path).parent for file in result.files if file.path not in unsaved)
    for file in result.files:
        fixed = file.fixed
        if fixed is None:
            files.append(file)
            continue
        try:
            changed = fixed.text != file.source.text and file.path not in unsaved
            if changed and (remark := write_text(file.source, fixed.text)):
                remarks.append(remark)
        except UserError as error:
            errors.append(error)
            files.append(file._replace(fixed=None))
        else:
            files.append(
                file._replace(
                    source=Source(fixed.text, file.path, file.source.bom),
                    diagnostics=fixed.remaining,
                    fingerprints=file.fixed_fingerprints,
                )
            )
    return result._replace(files=tuple(files), errors=tuple(errors), remarks=tuple(remarks))


def write_text(source: Source, text: str) -> str | None:
    """Replace the text of a file and return what the user should know; raises InputError if it is not that of `source` any more."""
    from shelfread.core.file_writing import write_atomically

    path = source.path or ""
    names = write_atomically(Path(path), source.to_bytes(text), expected=source.to_bytes(source.text))
    if not names:
        return None
    return f"{path}: {counted(names, 'other name')} of this file (hard links) keep the old text"
