"""Write fixed texts back to their files."""

from __future__ import annotations

from pathlib import Path

from shelfread.core.errors import UserError
from shelfread.core.source import Source
from shelfread.engine.model import FileResult, RunRequest, RunResult


def save(request: RunRequest, result: RunResult) -> RunResult:
    """Write the fixed files; return the result of the new texts, with an error for each file not written."""
    errors = list(result.errors)
    files = []
    for file in result.files:
        try:
            files.append(_saved(request, file))
        except UserError as error:
            errors.append(error)
            files.append(_unfixed(request, file))
    return result._replace(files=tuple(files), errors=tuple(errors))


def write_text(source: Source, text: str) -> None:
    """Replace the text of a file; raises InputError if it is no longer that of `source`."""
    from shelfread.core.atomic_write import write_atomically

    write_atomically(Path(source.path or ""), source.to_bytes(text), expected=source.to_bytes(source.text))


def _saved(request: RunRequest, file: FileResult) -> FileResult:
    fixed, source = file.fixed, file.source
    if fixed is None:
        return file
    if fixed.text != source.text and file.path not in request.unsaved:
        write_text(source, fixed.text)
    return file._replace(source=Source(fixed.text, source.path, source.bom), diagnostics=fixed.remaining)


def _unfixed(request: RunRequest, file: FileResult) -> FileResult:
    if not request.fingerprints:
        return file._replace(fixed=None)
    from shelfread.document.read import read
    from shelfread.engine.stages import compute_fingerprints

    document = read(file.source, request.taxonomy.vocabulary)
    return file._replace(fixed=None, fingerprints=compute_fingerprints(document, file.diagnostics))
