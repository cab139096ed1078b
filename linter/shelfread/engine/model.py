"""What a run is asked for and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from shelfread.core.diagnostics import Diagnostic
from shelfread.core.errors import UserError
from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.index.facts import Facts
from shelfread.rulebook.selection import Selection
from shelfread.taxonomy.taxonomy import Taxonomy

if TYPE_CHECKING:
    from shelfread.engine.fingerprint import Fingerprint
    from shelfread.fixes.rounds import FixResult
    from shelfread.project.history import BaseRevision


class RunRequest(NamedTuple):
    """The files of one project, and what to do with them."""

    reported: tuple[str, ...]
    others: tuple[str, ...]
    """Read for conventions, duplicates and anchors, but not reported."""
    selection: Selection
    taxonomy: Taxonomy
    slugs: str = "github"
    fix: bool = False
    unsafe_fixes: bool = False
    show_info: bool = False
    """Infos are shown; an unsafe fix of a hidden one is not applied."""
    unsaved: Mapping[str, bytes] = {}
    """Texts that replace the files of these paths."""
    base: BaseRevision | None = None
    """The commit since which findings are reported."""
    fingerprints: bool = False
    """The fingerprints of the diagnostics are wanted."""


class FileResult(NamedTuple):
    """What came of one reported file."""

    path: str
    source: Source
    diagnostics: Sequence[Diagnostic]
    entries: int
    links: int
    presets: tuple[str, ...]
    fixed: FixResult | None = None
    older: Sequence[Diagnostic] = ()
    """Findings that are older than the change that is asked about."""
    known: Sequence[Diagnostic] = ()
    """Findings that a baseline knows."""
    fingerprints: Sequence[Fingerprint] = ()
    """Those of the diagnostics that remain, where they are wanted."""


class LoadedProject(NamedTuple):
    """The files that were read: documents of the reported ones, facts of all, and what could not be read."""

    documents: dict[str, Document]
    facts: dict[str, Facts]
    errors: dict[str, UserError]
    base_documents: dict[str, Document]
    """What the changed files were at the base commit, by today's path."""
    base_facts: dict[str, Facts]
    """The facts of what was different at the base commit, by the path of then."""


class RunResult(NamedTuple):
    """What came of a run: `errors` are of files that were to be reported, `notes` of the project's others."""

    files: tuple[FileResult, ...]
    errors: tuple[UserError, ...]
    notes: tuple[UserError, ...] = ()
    since: str = ""
    """The revision since which findings were asked for."""
    baseline: str = ""
    """The file whose findings were left out."""
    policy_changes: tuple[str, ...] = ()
    """What the change that is asked about did to its own configuration, rules and baseline."""
