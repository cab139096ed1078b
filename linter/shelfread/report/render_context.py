"""What every report is rendered from besides its subject, and the findings of a run as reports take them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from shelfread.core.diagnostics import Applicability, Diagnostic, Severity
from shelfread.core.source import Source
from shelfread.core.wording import counted
from shelfread.engine.model import RunResult
from shelfread.report.terminal import TerminalStyle
from shelfread.rulebook.metadata import RuleMetadata


class RenderContext(NamedTuple):
    """Where a report is read, and what it shows."""

    style: TerminalStyle = TerminalStyle()
    min_severity: Severity = Severity.WARNING
    """Findings below it are only counted; `json` has them all the same."""
    root: str = ""
    """The checkout's absolute path, which services count paths from; empty: the working directory."""
    line_url: Callable[[str, int], str] = lambda path, line: ""
    """Returns the URL of a line, from 1, of a file; empty if there is none."""
    catalogue: Callable[[], Mapping[str, RuleMetadata]] = dict
    """Returns the rules by id; they are read only if a report needs them."""
    fix_command: str = "shelfread fix"
    """The command that applies the safe fixes."""
    unsafe_fix_command: str = "shelfread fix --unsafe-fixes"
    """The command that applies the unsafe fixes too."""
    arguments: Sequence[str] | None = None
    """The PATHs of the command line; None: there is no file to run another command on."""
    configured: bool = False
    """Whether the lists have a configuration."""


def findings(run: RunResult, min_severity: Severity) -> Iterator[tuple[Diagnostic, Source]]:
    """Yield the findings of all files, each with the source that it is about."""
    for result in run.files:
        for diagnostic in result.diagnostics:
            if diagnostic.severity >= min_severity:
                yield diagnostic, result.source


def relative_path(path: str, root: str) -> str:
    """Return a path relative to `root` if it is below it, else unchanged."""
    if not root:
        return path
    try:
        inside = os.path.relpath(os.path.abspath(path), root).replace(os.sep, "/")
    except ValueError:  # on another drive
        return path
    return path if inside.split("/")[0] == ".." else inside


class Tally(NamedTuple):
    """What was found, what of it is shown, and what became of the fixes."""

    shown: Sequence[Diagnostic]
    hidden: int
    fixed: int
    more: int
    """What was fixed that came up only on the way."""
    dropped: Mapping[Diagnostic, str]
    """Why a fix was not applied."""

    def fixed_lines(self) -> Iterator[str]:
        """Yield how many findings were fixed."""
        if self.fixed or self.more:
            yield f"{counted(self.fixed, 'finding')} fixed{on_the_way(self.more)}."

    def fixable(self) -> tuple[int, int]:
        """Return the number of safe and of unsafe fixes; what is not shown is not fixed."""
        fixes = Counter(
            item.fix.applicability for item in self.shown if item.fix and item not in self.dropped
        )
        return fixes[Applicability.SAFE], fixes[Applicability.UNSAFE]

    def fixable_lines(self, command: str, unsafe_command: str) -> Iterator[str]:
        """Yield how many findings the commands can fix."""
        safe, unsafe = self.fixable()
        if safe:
            more = f", {unsafe} more with '--unsafe-fixes'" if unsafe else ""
            yield f"{safe} can be fixed with '{command}'{more}."
        elif unsafe:
            yield f"{unsafe} can be fixed with '{unsafe_command}'."


def tally(run: RunResult, min_severity: Severity) -> Tally:
    """Count the findings of a run; those below `min_severity` are not shown."""
    diagnostics = [diagnostic for result in run.files for diagnostic in result.diagnostics]
    fixes = [result.fixed for result in run.files if result.fixed]
    shown = [diagnostic for diagnostic in diagnostics if diagnostic.severity >= min_severity]
    return Tally(
        shown,
        len(diagnostics) - len(shown),
        sum(fix.shown for fix in fixes),
        sum(fix.more for fix in fixes),
        {diagnostic: reason for fix in fixes for diagnostic, reason in fix.dropped},
    )


def on_the_way(number: int) -> str:
    """Return what follows the count of the fixed findings, if so many more came up only when they were fixed."""
    return f", {number} more on the way" if number else ""


def hidden_lines(number: int) -> Iterator[str]:
    """Yield how many infos are hidden, and the option that shows them."""
    if number:
        yield f"{counted(number, 'info')} hidden (show with --show-info)."
