"""The request and the result of a run over one project."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from shelfread.core.diagnostics import Diagnostic
from shelfread.core.errors import UserError
from shelfread.core.source import Source
from shelfread.document.file_kind import FileKind

if TYPE_CHECKING:
    from shelfread.document.model import Document
    from shelfread.engine.base_part import BasePart
    from shelfread.engine.fingerprint import Fingerprint
    from shelfread.fixes.rounds import FixResult
    from shelfread.index.facts import Facts
    from shelfread.project.history import BaseRevision
    from shelfread.rulebook.selection import Selection
    from shelfread.taxonomy.taxonomy import Taxonomy


class Keys(NamedTuple):
    """Where results are kept for later runs, and what identifies them besides the texts of files."""

    path: Path
    reading: str
    """Of facts: the code and the vocabulary."""
    request: str
    """Of results: also the rules, their options and the working directory. Empty: results are not kept."""


class Recalled(NamedTuple):
    """The text of a file, and what is kept of an earlier run over it, which may hold no more."""

    source: Source
    data: Any
    checksum: str


class RunRequest(NamedTuple):
    """The files of one project, and what to do with them."""

    reported: tuple[str, ...]
    others: tuple[str, ...]
    """Files that are read for conventions, duplicates and anchors, but not reported."""
    selection: Selection
    taxonomy: Taxonomy
    slugs: str = "github"
    fix: bool = False
    unsafe_fixes: bool = False
    show_info: bool = False
    """Whether infos are shown; unsafe fixes of hidden infos are not applied."""
    unsaved: Mapping[str, bytes] = {}
    """Contents that replace those of files, by path."""
    base: BaseRevision | None = None
    """The commit since which findings are reported."""
    fingerprints: bool = False
    """Whether the result has the fingerprints of its diagnostics."""
    keys: Keys | None = None
    """Where results are kept for later runs; None if they are not."""


class FileResult(NamedTuple):
    """The result of one reported file."""

    path: str
    source: Source
    diagnostics: Sequence[Diagnostic]
    entries: int
    links: int
    presets: tuple[str, ...]
    kind: FileKind = FileKind.LIST
    is_generated: bool = False
    """Whether the list is made from other files."""
    fixed: FixResult | None = None
    older: Sequence[Diagnostic] = ()
    """Findings that the base commit has too."""
    known: Sequence[Diagnostic] = ()
    """Findings in the baseline."""
    fingerprints: Sequence[Fingerprint] = ()
    """Those of the remaining diagnostics, if requested."""


class FixedFiles(NamedTuple):
    """The results of one pass over the files of a project, and the facts of those that it changed."""

    results: list[FileResult]
    facts: dict[str, Facts]
    kept: dict[str, str]
    """The checksums of the results that are kept, by path."""


class LoadedProject(NamedTuple):
    """The files that were read: documents of the reported files, facts of all, and errors by path."""

    documents: dict[str, Document]
    facts: dict[str, Facts]
    errors: dict[str, UserError]
    base_documents: dict[str, Document]
    """The changed files at the base commit, by their current path."""
    base_parts: dict[str, BasePart]
    """Instead of documents, the changed sections of files in which the rest is what it was."""
    base_facts: dict[str, Facts]
    """The facts of changed and deleted files at the base commit, by their path there."""
    recalled: dict[str, Recalled]
    """What is kept of reported files from earlier runs, instead of their documents."""
    texts: dict[str, str]
    """The digest of each file's contents, if results are kept; empty after fixes."""


class RunResult(NamedTuple):
    """The result of a run: `errors` are of reported files, `notes` are the errors of other files."""

    files: tuple[FileResult, ...]
    errors: tuple[UserError, ...]
    notes: tuple[UserError, ...] = ()
    since: str = ""
    """The revision of `--since`."""
    baseline: str = ""
    """The path of the baseline."""
    remarks: tuple[str, ...] = ()
    """What users should know of the files that were written."""
    policy_changes: tuple[str, ...] = ()
    """Changes since the base commit that may hide findings: to the configuration, rules and baseline."""
