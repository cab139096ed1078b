"""Write fixed texts back to their files."""

from __future__ import annotations

from pathlib import Path

from shelfread.core.errors import UserError
from shelfread.core.source import Source
from shelfread.core.support.plurals import counted
from shelfread.engine.model import FileResult, RunRequest, RunResult


def save(request: RunRequest, result: RunResult) -> RunResult:
    """Write the fixed files; return the result of the new texts, with an error for each file not written."""
    from shelfread.core.draft import remove_leftovers

    errors = list(result.errors)
    files = []
    remarks: list[str] = []
    remove_leftovers(Path(file.path).parent for file in result.files if file.path not in request.unsaved)
    for file in result.files:
        try:
            files.append(_saved(request, file, remarks))
        except UserError as error:
            errors.append(error)
            files.append(_unfixed(request, file))
    return result._replace(files=tuple(files), errors=tuple(errors), remarks=tuple(remarks))


def as_saved(result: RunResult) -> RunResult:
    """Return the result of a run that has nothing to write as `save` does."""
    from shelfread.core.draft import remove_leftovers

    remove_leftovers(Path(file.path).parent for file in result.files)
    return result._replace(files=tuple(_after_fixes(file) for file in result.files))


def write_text(source: Source, text: str) -> str | None:
    """Replace the text of a file; raises InputError if it is no longer that of `source`.

    Return what the user should know of it.
    """
    from shelfread.core.atomic_write import write_atomically

    path = source.path or ""
    names = write_atomically(Path(path), source.to_bytes(text), expected=source.to_bytes(source.text))
    if not names:
        return None
    return f"{path}: {counted(names, 'other name')} of this file (hard links) keep the old text"


def _saved(request: RunRequest, file: FileResult, remarks: list[str]) -> FileResult:
    fixed, source = file.fixed, file.source
    if fixed is None:
        return file
    changed = fixed.text != source.text and file.path not in request.unsaved
    if changed and (remark := write_text(source, fixed.text)):
        remarks.append(remark)
    return _after_fixes(file)


def _after_fixes(file: FileResult) -> FileResult:
    """Return a result with the fixed text, and what remains to be fixed there."""
    fixed, source = file.fixed, file.source
    if fixed is None:
        return file
    return file._replace(source=Source(fixed.text, source.path, source.bom), diagnostics=fixed.remaining)


def _unfixed(request: RunRequest, file: FileResult) -> FileResult:
    if not request.fingerprints:
        return file._replace(fixed=None)
    from shelfread.document.read import read
    from shelfread.engine.stages import compute_fingerprints

    document = read(file.source, request.taxonomy.vocabulary)
    return file._replace(fixed=None, fingerprints=compute_fingerprints(document, file.diagnostics))
