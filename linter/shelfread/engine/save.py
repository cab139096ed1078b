"""Fixed texts written back."""

from __future__ import annotations

from pathlib import Path

from shelfread.core.errors import UserError
from shelfread.core.source import Source
from shelfread.engine.model import FileResult, RunRequest, RunResult


def save(request: RunRequest, result: RunResult) -> RunResult:
    """Write what was fixed, and return the result of the new texts; a file that cannot be written is as before."""
    errors = list(result.errors)
    outcomes = []
    for file in result.files:
        try:
            outcomes.append(_saved(request, file))
        except UserError as error:
            errors.append(error)
            outcomes.append(_unfixed(request, file))
    return result._replace(files=tuple(outcomes), errors=tuple(errors))


def write_text(source: Source, text: str) -> None:
    """Replace the text of a file, which must still be that of `source`; raises InputError otherwise."""
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
    file = file._replace(fixed=None)
    if not request.fingerprints:
        return file
    from shelfread.document.read import read
    from shelfread.engine.fingerprint import fingerprints

    document = read(file.source, request.taxonomy.vocabulary)
    return file._replace(fingerprints=fingerprints(document, file.diagnostics))
