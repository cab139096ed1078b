"""Write fixed texts back to their files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from shelfread.core.errors import UserError
from shelfread.core.source import Source
from shelfread.core.wording import counted
from shelfread.engine.model import RunResult


def save(result: RunResult, unsaved: Mapping[str, bytes] = {}) -> RunResult:
    """Write the fixed files but for those that are not on disk; return the result of the new texts, with an error for
    each file not written.
    """
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
    """Replace the text of a file; raises InputError if it is no longer that of `source`.

    Return what the user should know of it.
    """
    from shelfread.core.file_writing import write_atomically

    path = source.path or ""
    names = write_atomically(Path(path), source.to_bytes(text), expected=source.to_bytes(source.text))
    if not names:
        return None
    return f"{path}: {counted(names, 'other name')} of this file (hard links) keep the old text"
