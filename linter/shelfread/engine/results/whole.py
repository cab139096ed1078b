"""The results of a whole project whose texts are all those of an earlier run, without the facts of any file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from shelfread.core.errors import UserError
from shelfread.core.inquiry import Asked, digest, still_hold
from shelfread.core.source import Source, read_bytes
from shelfread.engine.model import FileResult, RunResult
from shelfread.engine.results.recall import ERRORS, Keys, Recalled, project_digest, text_digest
from shelfread.engine.results.store import Row, Store
from shelfread.index.whereabouts import common_folder

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
    key = _key(keys, project.reported, project.others, texts)
    own = {path: keys.of_result(path, texts[path]) for path in project.reported}
    store = Store(keys.path)
    try:
        rows = store.get([key, *own.values()])
        if key not in rows:
            return None
        found = {path: rows[name] for path, name in own.items() if name in rows}
        return _results(rows[key], found, sources, texts, project)
    except ERRORS:
        return None
    finally:
        store.close()


def keep_run(keys: Keys, request: RunRequest, loaded: LoadedProject, checksums: Mapping[str, str]) -> None:
    """Keep that the results with these checksums hold together, if all files were read and have one."""
    if loaded.errors or not keys.request or any(path not in checksums for path in request.reported):
        return
    store = Store(keys.path)
    key = _key(keys, request.reported, request.others, loaded.texts)
    store.put({key: {path: checksums[path] for path in request.reported}})
    store.close()


def _key(keys: Keys, reported: tuple[str, ...], others: tuple[str, ...], texts: Mapping[str, str]) -> str:
    paths = (*reported, *others)
    listed = [[(path, texts[path]) for path in files] for files in (reported, others)]
    return f"run {digest([keys.request, common_folder(paths), *listed])}"


def _results(
    row: Row,
    found: Mapping[str, Row],
    sources: Mapping[str, Source],
    texts: Mapping[str, str],
    project: Project,
) -> RunResult | None:
    """Return the results of all files if each has the checksum in the row, and all that was seen is the same."""
    paths = project.reported
    if any(path not in found or found[path].checksum != row.data[path] for path in paths):
        return None
    looks = {repr(each): each for path in paths for each in found[path].data["looks"]}
    if not still_hold([Asked(name, tuple(arguments), answer) for name, arguments, answer in looks.values()]):
        return None
    if any(found[path].data["project"] for path in paths):
        from shelfread.index.repository import find_repository

        every = (*project.reported, *project.others)
        folder = common_folder(every)
        now = project_digest(every, texts, folder, find_repository(folder))
        if any(found[path].data["project"] not in ("", now) for path in paths):
            return None
    results: list[FileResult] = []
    for path in paths:
        result = Recalled(sources[path], found[path]).result()
        if result is None or (result.fixed is not None and _edits_other_files(result)):
            return None
        results.append(result)
    return RunResult(tuple(results), ())


def _edits_other_files(result: FileResult) -> bool:
    found = result.fixed.remaining if result.fixed is not None else result.diagnostics
    return any(edit.path for each in found if each.fix is not None for edit in each.fix.edits)
