"""The projects of open documents: found and configured as on the command line, and found again when files change."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, TypeAlias

from shelfread.core.errors import UserError
from shelfread.engine.load_save import read_document
from shelfread.engine.model import CheckOptions, RunRequest, request_of
from shelfread.engine.policy_changes import policy_files
from shelfread.index.facts import Facts, facts
from shelfread.project.config import NAME
from shelfread.project.files import Project, find_git_root, find_inputs, find_projects
from shelfread.rulebook.selection import select
from shelfread.server.open_documents import OpenDocument
from shelfread.taxonomy.chain import read_chain
from shelfread.taxonomy.vocabulary import Vocabulary

_OWN = ".shelfread"  # the folder of a project's own rules and taxonomies
_ROOT_FILES = (".gitignore", ".gitattributes")

# What changes when a file does: its time, size and number; None if there is no such file.
Stamp: TypeAlias = "tuple[int, int, int] | None"


class ServerOptions(NamedTuple):
    """What the client asks for: `initializationOptions`, and the section `shelfread` of its settings."""

    config: str | None = None  # a configuration for all documents, as `--config`
    isolated: bool = False
    show_info: bool = False


class ProjectSettings(NamedTuple):
    """A document's project with what its configuration says, and the files that this depends on."""

    project: Project
    request: RunRequest  # nothing is reported yet; `others` are all files of the project
    is_skipped: bool  # whether the document is none of the project's lists: excluded, vendored or generated
    identity: tuple[object, ...]  # the same for all documents of the project
    stamps: Mapping[str, Stamp]


class BrokenSettings(NamedTuple):
    """Why a document's project cannot be read, and the files that may change this."""

    error: UserError
    stamps: Mapping[str, Stamp]


Settings: TypeAlias = "ProjectSettings | BrokenSettings"

# The facts of files on disk by path, or why one cannot be read; each with the stamp of the file that was
# read.
KnownFiles: TypeAlias = Mapping[str, "tuple[Stamp, Facts | UserError]"]


def find_all_settings(
    documents: Iterable[OpenDocument], known: Mapping[str, Settings], options: ServerOptions
) -> dict[str, Settings]:
    """Return the settings of documents by URI; those that are `known` hold while the files that they depend on do."""
    settings_of: dict[str, Settings] = {}
    for document in documents:
        settings = known.get(document.uri)
        if settings is None or not are_current(settings.stamps.items()):
            settings = find_settings(document, options)
            same = next((other for other in settings_of.values() if same_project(other, settings)), None)
            if isinstance(same, ProjectSettings) and isinstance(settings, ProjectSettings):
                # One taxonomy, so that what was read with it can be used for both.
                settings = settings._replace(
                    request=settings.request._replace(taxonomy=same.request.taxonomy)
                )
        settings_of[document.uri] = settings
    return settings_of


def find_settings(document: OpenDocument, options: ServerOptions) -> Settings:
    """Return the project of a document, on disk or not, or the error that the command line gives."""
    try:
        return _read_settings(document, options)
    except UserError as error:
        path = document.path if document.is_file else ""
        files = [*_config_candidates(path), *([error.path] if error.path else [])]
        return BrokenSettings(error, {file: _stamp_of(file) for file in files})


def same_project(one: Settings, other: Settings) -> bool:
    return (
        isinstance(one, ProjectSettings)
        and isinstance(other, ProjectSettings)
        and one.identity == other.identity
    )


def are_current(stamps: Iterable[tuple[str, Stamp]]) -> bool:
    """Return whether files are what they were."""
    return all(_stamp_of(path) == stamp for path, stamp in stamps)


def _read_settings(document: OpenDocument, options: ServerOptions) -> ProjectSettings:
    path = document.path
    if document.is_file:
        config = Path(options.config) if options.config else None
        projects, errors = find_projects((), config, options.isolated, os.path.abspath(path))
    else:
        projects, _ = find_inputs(["-"], options.config, options.isolated, {path: b""})
        errors = []
    for error in errors:
        raise error
    project = projects[0]
    file = path if document.is_file else ""
    # Outside of git and without a configuration each file is a project, as a document that is no file.
    alone = (document.uri,) if project.pattern_root is None else ()
    request = request_of(project, select(project.config), CheckOptions(show_info=options.show_info))
    request = request._replace(reported=(), others=tuple(sorted({*project.reported, *project.others})))
    return ProjectSettings(
        project,
        request,
        is_skipped=path not in project.reported,
        identity=(project.config.path, project.pattern_root, find_git_root(Path(file).parent), *alone),
        stamps={name: _stamp_of(name) for name in _watched(file, project)},
    )


def read_facts(paths: Iterable[str], vocabulary: Vocabulary, known: KnownFiles) -> KnownFiles:
    """Return the facts of files on disk; those that have not changed are not read again."""
    files: dict[str, tuple[Stamp, Facts | UserError]] = {}
    for path in paths:
        stamp = _stamp_of(path)
        if path in known and known[path][0] == stamp:
            files[path] = known[path]
            continue
        try:
            files[path] = stamp, facts(read_document(path, vocabulary))
        except UserError as error:
            files[path] = stamp, error
    return files


def _stamp_of(path: str) -> Stamp:
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def _config_candidates(path: str) -> Iterator[str]:
    """Yield the files that would be, or would lead to, the configuration of a file: those of its folder and above."""
    folder = Path(os.path.abspath(path)).parent
    root = find_git_root(folder)
    for parent in (folder, *folder.parents):
        yield os.fspath(parent / NAME)
        if parent == root:
            break


def _watched(path: str, project: Project) -> Iterator[str]:
    config = project.config
    yield from _config_candidates(path)
    yield from policy_files(config)
    if config.taxonomy is not None:
        yield from (file.path for file in read_chain(config.taxonomy) if file.path)
    for parent, _, files in os.walk(config.folder / _OWN) if config.folder is not None else ():
        yield parent
        yield from (os.path.join(parent, name) for name in files)
    # A folder changes when a file is added or removed.
    members = (*project.reported, *project.others)
    yield from {os.path.dirname(member) or "." for member in members}
    if project.pattern_root is not None:
        yield from (os.fspath(project.pattern_root / name) for name in _ROOT_FILES)
