"""The results of a whole project whose texts are all those of an earlier run, without the facts of any file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from shelfread.core.errors import UserError
from shelfread.core.inquiry import digest, still_hold
from shelfread.core.source import Source, read_bytes
from shelfread.engine.model import FileResult, Keys, Recalled, RunResult
from shelfread.engine.results.recall import ERRORS, kept_result, project_digest, result_key, text_digest
from shelfread.engine.results.store import Row, Store

if TYPE_CHECKING:
    from shelfread.engine.model import LoadedProject, RunRequest
    from shelfread.project.files import Project


def recall_run(keys: Keys, project: Project) -> RunResult | None:
    """Return the result of a run that would find what an earlier one found; None if it must run.

    Results of fixes across files, which come last, are not kept.
    """
    if not keys.request:
        return None
    texts: dict[str, str] = {}
    sources: dict[str, Source] = {}
    try:
        for path in project.reported:
            data = read_bytes(path)
            texts[path], sources[path] = text_digest(data), Source.from_bytes(data, path)
        for path in project.others:
            texts[path] = text_digest(read_bytes(path))
    except UserError:
        return None
    now = project_digest((*project.reported, *project.others), texts)
    key = _key(keys, project.reported, now)
    own = {path: result_key(keys, path, texts[path]) for path in project.reported}
    store = Store(keys.path)
    try:
        rows = store.get([key, *own.values()])
        if key not in rows:
            return None
        found = {path: rows[name] for path, name in own.items() if name in rows}
        return _results(rows[key], found, sources, now)
    except ERRORS:
        return None
    finally:
        store.close()


def keep_run(keys: Keys, request: RunRequest, loaded: LoadedProject, checksums: Mapping[str, str]) -> None:
    """Keep that the results with these checksums hold together, if all files were read and have one."""
    if loaded.errors or not keys.request or any(path not in checksums for path in request.reported):
        return
    store = Store(keys.path)
    key = _key(keys, request.reported, project_digest((*request.reported, *request.others), loaded.texts))
    store.put({key: {path: checksums[path] for path in request.reported}})
    store.close()


def _key(keys: Keys, reported: Sequence[str], project: str) -> str:
    return f"run {digest([keys.request, project, len(reported)])}"


def _results(
    row: Row, found: Mapping[str, Row], sources: Mapping[str, Source], project: str
) -> RunResult | None:
    """Return the results of all files if each has the checksum in the row, and all that was seen is the same."""
    paths = list(sources)
    if any(path not in found or found[path].checksum != row.data[path] for path in paths):
        return None
    looks = {repr(each): each for path in paths for each in found[path].data["looks"]}
    if not still_hold(looks.values()):
        return None
    if any(found[path].data["project"] not in ("", project) for path in paths):
        return None
    results: list[FileResult] = []
    for path in paths:
        result = kept_result(Recalled(sources[path], *found[path]))
        if result is None or (result.fixed is not None and _edits_other_files(result)):
            return None
        results.append(result)
    return RunResult(tuple(results), ())


def _edits_other_files(result: FileResult) -> bool:
    found = result.fixed.remaining if result.fixed is not None else result.diagnostics
    return any(edit.path for each in found if each.fix is not None for edit in each.fix.edits)
