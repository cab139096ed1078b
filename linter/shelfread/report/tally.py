"""The findings of a run as summaries count them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from shelfread.core.diagnostics import Applicability, Diagnostic, Severity
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.core.support.plurals import counted
from shelfread.engine.model import RunResult


class Tally(NamedTuple):
    """What was found, what of it is shown, and what became of the fixes."""

    found: Sequence[Diagnostic]
    shown: Sequence[Diagnostic]
    hidden: int
    fixed: int
    dropped: Mapping[int, str]
    """Why a fix was not applied, by the `id` of its diagnostic."""

    def fixable(self) -> tuple[int, int]:
        """Return the number of safe fixes of all findings, and of unsafe ones of those shown."""
        safe, unsafe = (
            sum(item.fix.applicability is kind for item in group if item.fix and id(item) not in self.dropped)
            for kind, group in ((Applicability.SAFE, self.found), (Applicability.UNSAFE, self.shown))
        )
        return safe, unsafe

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
    found = [diagnostic for result in run.files for diagnostic in result.diagnostics]
    fixes = [result.fixed for result in run.files if result.fixed]
    shown = [diagnostic for diagnostic in found if diagnostic.severity >= min_severity]
    return Tally(
        found,
        shown,
        len(found) - len(shown),
        sum(len(fix.applied) for fix in fixes),
        {id(diagnostic): reason for fix in fixes for diagnostic, reason in fix.dropped},
    )


def hidden_lines(number: int) -> Iterator[str]:
    """Yield how many infos are hidden, and the option that shows them."""
    if number:
        yield f"{counted(number, 'info')} hidden (show with --show-info)."
