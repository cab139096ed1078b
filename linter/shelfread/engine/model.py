"""What a run over one project is asked for, and what it gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from shelfread.core.diagnostics import Diagnostic, Severity
from shelfread.core.errors import UserError
from shelfread.core.source import Source
from shelfread.document.file_kind import FileKind
from shelfread.document.generated import Generated

if TYPE_CHECKING:
    from shelfread.engine.fingerprint import Fingerprint
    from shelfread.fixes.rounds import FixResult
    from shelfread.project.files import Project
    from shelfread.project.history import BaseRevision
    from shelfread.rulebook.selection import Selection
    from shelfread.taxonomy.taxonomy import Taxonomy


class CheckOptions(NamedTuple):
    """The options of `check` and `fix`, as on the command line."""

    paths: Sequence[str] = ()
    config: str | None = None
    isolated: bool = False
    config_from: str | None = None
    taxonomy: str | None = None
    presets: Sequence[str] = ()
    select: Sequence[str] = ()
    ignore: Sequence[str] = ()
    since: str | None = None
    baseline: str | None = None
    write_baseline: str | None = None
    stdin_filename: str | None = None
    fix: bool = False
    unsafe_fixes: bool = False
    diff: bool = False  # whether fixes are shown instead of written
    show_info: bool = False
    fail_on: str | None = None
    exit_zero: bool = False
    output_format: str | None = None
    output_file: str | None = None
    statistics: bool = False
    jobs: int | None = None
    no_cache: bool = False

    @property
    def fixes(self) -> bool:
        """Whether fixes are applied to the texts, written or not."""
        return self.fix or self.diff

    @property
    def writes(self) -> bool:
        """Whether fixed texts are written to their files."""
        return self.fix and not self.diff

    @property
    def shows_info(self) -> bool:
        """Whether infos are shown; only then are they fixed."""
        return self.show_info or self.fail_on == Severity.INFO.label

    @property
    def fingerprints(self) -> bool:
        """Whether the result has the fingerprints of its diagnostics."""
        return self.write_baseline is not None or self.output_format == "sarif"


class RunRequest(NamedTuple):
    """The files of one project, and what to do with them."""

    reported: tuple[str, ...]
    others: tuple[str, ...]  # files that are read for conventions, duplicates and anchors, but not reported
    selection: Selection
    taxonomy: Taxonomy
    slugs: str = "github"
    options: CheckOptions = CheckOptions()
    unsaved: Mapping[str, bytes] = {}  # contents that replace those of files, by path
    base: BaseRevision | None = None  # the commit since which findings are reported


def request_of(
    project: Project, selection: Selection, options: CheckOptions, base: BaseRevision | None = None
) -> RunRequest:
    """Return the request for a project; the taxonomy is that of the options, else of the configuration."""
    from shelfread.taxonomy.load import load

    config = project.config
    taxonomy = load(options.taxonomy or config.taxonomy)
    return RunRequest(project.reported, project.others, selection, taxonomy, config.slugs, options, base=base)


class FileResult(NamedTuple):
    path: str
    source: Source
    diagnostics: Sequence[Diagnostic]
    entries: int
    links: int
    presets: tuple[str, ...]
    kind: FileKind = FileKind.LIST
    generated: Generated | None = None  # what the list is made from, if it is made from other files
    fixed: FixResult | None = None
    older: Sequence[Diagnostic] = ()  # findings that the base commit has too
    known: Sequence[Diagnostic] = ()  # findings in the baseline
    fingerprints: Sequence[Fingerprint] = ()  # those of the diagnostics, if requested
    fixed_fingerprints: Sequence[Fingerprint] = ()  # those of what remains after fixes, if requested
    # the section, and the number of entries, of each series that is read with little certainty.
    misread: Sequence[tuple[str, int]] = ()
    results: int = 0  # how many rows of leaderboards are no entries


class RunResult(NamedTuple):
    """The result of a run: `errors` are of reported files, `notes` are the errors of other files."""

    files: tuple[FileResult, ...]
    errors: tuple[UserError, ...]
    notes: tuple[UserError, ...] = ()
    since: str = ""  # the revision of `--since`
    baseline: str = ""  # the path of the baseline
    remarks: tuple[str, ...] = ()  # what users should know of the files that were written
    # changes since the base commit that may hide findings: to the configuration, rules and baseline.
    policy_changes: tuple[str, ...] = ()
    # what the rules looked at beside the texts, with the answers.
    looks: Mapping[tuple[str, tuple[Any, ...]], object] = {}
